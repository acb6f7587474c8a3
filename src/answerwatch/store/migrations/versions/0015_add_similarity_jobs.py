"""Add similarity jobs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from answerwatch.store.types import Blob, Flag, Key, LongText, Short, UtcDateTime, Word

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    op.create_table(
        "answer_relevance",
        sa.Column("sub_task_id", Key, nullable=False),
        sa.Column("scorer_id", Short, nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("questions", sa.Integer(), nullable=True),
        sa.Column("verdict", Word, nullable=False),
        sa.Column("judged_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("sub_task_id", name=op.f("pk_answer_relevance")),
        info={
            "meaning": "Whether answers belong to their questions, judged after the batch; no result is changed by it.",
            "written_by": "similarity",
        },
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "scorer_memory",
        sa.Column("scorer_name", Key, nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("scorer_name", name=op.f("pk_scorer_memory")),
        info={"meaning": "What was learnt of scorers: limits of a call, speed.", "written_by": "similarity"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "similarity_block",
        sa.Column("job_id", Key, nullable=False),
        sa.Column("row_start", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("col_start", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("cols", sa.Integer(), nullable=False),
        sa.Column("status", Word, nullable=False),
        sa.Column("retry_count", sa.Integer(), nullable=False),
        sa.Column("process_time", sa.Float(), nullable=True),
        sa.Column("scores", Blob, nullable=True),
        sa.Column("checksum", Word, nullable=True),
        sa.Column("histogram", Blob, nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("job_id", "row_start", "col_start", name=op.f("pk_similarity_block")),
        info={"meaning": "Blocks of scores.", "written_by": "score"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "similarity_calibration",
        sa.Column("scorer_key", Word, nullable=False),
        sa.Column("purpose", Word, nullable=False),
        sa.Column("scorer_name", Key, nullable=False),
        sa.Column("scorer_id", Short, nullable=False),
        sa.Column("irrelevant_below", sa.Float(), nullable=False),
        sa.Column("suspect_below", sa.Float(), nullable=False),
        sa.Column("auc", sa.Float(), nullable=False),
        sa.Column("pairs", sa.Integer(), nullable=False),
        sa.Column("is_usable", Flag, nullable=False),
        sa.Column("quantiles", sa.JSON(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("is_usable IN (0, 1)", name=op.f("ck_similarity_calibration_is_usable")),
        sa.PrimaryKeyConstraint("scorer_key", "purpose", name=op.f("pk_similarity_calibration")),
        info={"meaning": "Thresholds of scorers: each has its own scale.", "written_by": "similarity"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "similarity_error",
        sa.Column("job_id", Key, nullable=False),
        sa.Column("side", Word, nullable=False),
        sa.Column("line", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("reason", Word, nullable=False),
        sa.Column("message", LongText, nullable=False),
        sa.PrimaryKeyConstraint("job_id", "side", "line", name=op.f("pk_similarity_error")),
        info={"meaning": "Lines and pairs without a score, or cut, and why.", "written_by": "similarity"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "similarity_job",
        sa.Column("job_id", Key, nullable=False),
        sa.Column("idempotency_key", Key, nullable=True),
        sa.Column("request_hash", Word, nullable=False),
        sa.Column("scorer_name", Key, nullable=False),
        sa.Column("scorer_id", Short, nullable=False),
        sa.Column("finder_name", Key, nullable=True),
        sa.Column("finder_id", Short, nullable=True),
        sa.Column("shape", Word, nullable=False),
        sa.Column("way", Word, nullable=False),
        sa.Column("top_k", sa.Integer(), nullable=True),
        sa.Column("status", Word, nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("left_lines", sa.Integer(), nullable=False),
        sa.Column("right_lines", sa.Integer(), nullable=False),
        sa.Column("left_texts", sa.Integer(), nullable=False),
        sa.Column("right_texts", sa.Integer(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("processed", sa.BigInteger(), nullable=False),
        sa.Column("failed", sa.BigInteger(), nullable=False),
        sa.Column("encode_total", sa.BigInteger(), nullable=False),
        sa.Column("encode_done", sa.BigInteger(), nullable=False),
        sa.Column("encode_cached", sa.BigInteger(), nullable=False),
        sa.Column("cached_pairs", sa.BigInteger(), nullable=False),
        sa.Column("units_left", sa.Integer(), nullable=False),
        sa.Column("blocks_left", sa.Integer(), nullable=False),
        sa.Column("reranks_left", sa.Integer(), nullable=False),
        sa.Column("roles", Word, nullable=False),
        sa.Column("work_s", sa.Float(), nullable=False),
        sa.Column("warning", Word, nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", Key, nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("note", Short, nullable=False),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_similarity_job")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_similarity_job_idempotency_key")),
        info={"meaning": "Similarity jobs.", "written_by": "similarity"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    with op.batch_alter_table("similarity_job", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_similarity_job_created_at"), ["created_at"], unique=False)

    op.create_table(
        "similarity_lines",
        sa.Column("job_id", Key, nullable=False),
        sa.Column("side", Word, nullable=False),
        sa.Column("first", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("numbers", Blob, nullable=False),
        sa.PrimaryKeyConstraint("job_id", "side", "first", name=op.f("pk_similarity_lines")),
        info={"meaning": "Which text each line of a list holds.", "written_by": "similarity"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "similarity_rerank",
        sa.Column("job_id", Key, nullable=False),
        sa.Column("row_start", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("status", Word, nullable=False),
        sa.Column("retry_count", sa.Integer(), nullable=False),
        sa.Column("process_time", sa.Float(), nullable=True),
        sa.Column("places", Blob, nullable=True),
        sa.Column("scores", Blob, nullable=True),
        sa.Column("checksum", Word, nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("job_id", "row_start", name=op.f("pk_similarity_rerank")),
        info={"meaning": "Candidates that a pair scorer looked at.", "written_by": "score"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "similarity_score",
        sa.Column("scorer_key", Word, nullable=False),
        sa.Column("pair_hash", Word, nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("scorer_key", "pair_hash", name=op.f("pk_similarity_score")),
        info={"meaning": "Scores of pair scorers that are remembered.", "written_by": "similarity"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("similarity_score", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_similarity_score_made_at"), ["made_at"], unique=False)

    op.create_table(
        "similarity_text",
        sa.Column("job_id", Key, nullable=False),
        sa.Column("side", Word, nullable=False),
        sa.Column("text_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("text_hash", Word, nullable=False),
        sa.Column("text", LongText, nullable=False),
        sa.PrimaryKeyConstraint("job_id", "side", "text_no", name=op.f("pk_similarity_text")),
        info={"meaning": "Distinct texts of jobs.", "written_by": "similarity"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "similarity_unit",
        sa.Column("job_id", Key, nullable=False),
        sa.Column("first", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("texts", sa.Integer(), nullable=False),
        sa.Column("chars", sa.Integer(), nullable=False),
        sa.Column("role", Word, nullable=False),
        sa.Column("status", Word, nullable=False),
        sa.Column("vectors", Blob, nullable=True),
        sa.Column("dimensions", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("job_id", "first", name=op.f("pk_similarity_unit")),
        info={
            "meaning": "Units of encoding: some texts of a job, and their vectors until it is completed.",
            "written_by": "score",
        },
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "similarity_vector",
        sa.Column("scorer_key", Word, nullable=False),
        sa.Column("role", Word, nullable=False),
        sa.Column("text_hash", Word, nullable=False),
        sa.Column("vector", Blob, nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("scorer_key", "role", "text_hash", name=op.f("pk_similarity_vector")),
        info={"meaning": "Vectors that are remembered from one job to the next.", "written_by": "similarity"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("similarity_vector", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_similarity_vector_made_at"), ["made_at"], unique=False)


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("similarity_vector", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_similarity_vector_made_at"))

    op.drop_table("similarity_vector")
    op.drop_table("similarity_unit")
    op.drop_table("similarity_text")
    with op.batch_alter_table("similarity_score", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_similarity_score_made_at"))

    op.drop_table("similarity_score")
    op.drop_table("similarity_rerank")
    op.drop_table("similarity_lines")
    with op.batch_alter_table("similarity_job", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_similarity_job_created_at"))

    op.drop_table("similarity_job")
    op.drop_table("similarity_error")
    op.drop_table("similarity_calibration")
    op.drop_table("similarity_block")
    op.drop_table("scorer_memory")
    op.drop_table("answer_relevance")
