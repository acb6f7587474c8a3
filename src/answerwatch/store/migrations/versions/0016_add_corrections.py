"""Add corrections."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from answerwatch.store.types import Key, Serial, Short, UtcDateTime, Word

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    op.create_table(
        "correction",
        sa.Column("correction_id", Serial, nullable=False),
        sa.Column("sub_task_id", Key, nullable=False),
        sa.Column("brand_name", Key, nullable=False),
        sa.Column("field", Word, nullable=False),
        sa.Column("value", Word, nullable=False),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("length", sa.Integer(), nullable=True),
        sa.Column("read_value", Word, nullable=True),
        sa.Column("generation", sa.Integer(), nullable=True),
        sa.Column("note", Short, nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", Key, nullable=False),
        sa.Column("withdrawn_at", UtcDateTime(), nullable=True),
        sa.Column("withdrawn_by", Key, nullable=True),
        sa.PrimaryKeyConstraint("correction_id", name=op.f("pk_correction")),
        info={"meaning": "What people set right in readings; readings stay as they are.", "written_by": "clean"},
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    with op.batch_alter_table("correction", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_correction_sub_task_id"), ["sub_task_id"], unique=False)


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("correction", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_correction_sub_task_id"))

    op.drop_table("correction")
