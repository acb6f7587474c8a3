"""Batches that begin in a time window, what was planned for them, and the children of a batch."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from answerwatch.store.types import UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("task_batch", schema=None) as batch_op:
        batch_op.add_column(sa.Column("starts_at", UtcDateTime(), nullable=True))
        batch_op.add_column(sa.Column("planned", sa.JSON(none_as_null=True), nullable=True))
        batch_op.create_index(batch_op.f("ix_task_batch_parent_batch_id"), ["parent_batch_id"], unique=False)


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("task_batch", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_task_batch_parent_batch_id"))
        batch_op.drop_column("planned")
        batch_op.drop_column("starts_at")
