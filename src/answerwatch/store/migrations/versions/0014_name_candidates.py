"""Names that may be a brand's are kept as they are found in answers, and what people decided about them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from answerwatch.store.types import Key, Short, UtcDateTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    op.create_table(
        "ignored_name",
        sa.Column("name_key", Key, nullable=False),
        sa.Column("name", Key, nullable=False),
        sa.Column("ignored_at", UtcDateTime(), nullable=False),
        sa.Column("ignored_by", Key, nullable=False),
        sa.Column("note", Short, nullable=False),
        sa.PrimaryKeyConstraint("name_key", name=op.f("pk_ignored_name")),
        info={"meaning": "Names that are suggested no more.", "written_by": "brands"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    op.create_table(
        "name_candidate",
        sa.Column("name_key", Key, nullable=False),
        sa.Column("name", Key, nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("weight", sa.Integer(), nullable=False),
        sa.Column("platforms", sa.JSON(), nullable=False),
        sa.Column("examples", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name_key", name=op.f("pk_name_candidate")),
        info={
            "meaning": "Names in answers that may be a brand's, covered by the lexicon or not.",
            "written_by": "brands",
        },
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    with op.batch_alter_table("name_candidate", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_name_candidate_weight_name_key"), ["weight", "name_key"], unique=False)

    op.create_table(
        "name_candidate_answer",
        sa.Column("sub_task_id", Key, nullable=False),
        sa.PrimaryKeyConstraint("sub_task_id", name=op.f("pk_name_candidate_answer")),
        info={"meaning": "Samples in which names were looked for already.", "written_by": "brands"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_table("name_candidate_answer")
    with op.batch_alter_table("name_candidate", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_name_candidate_weight_name_key"))

    op.drop_table("name_candidate")
    op.drop_table("ignored_name")
