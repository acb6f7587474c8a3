"""What was asked for with an idempotency key, so that the key is refused for anything else."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("task_batch", schema=None) as batch_op:
        batch_op.add_column(sa.Column("request", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("task_batch", schema=None) as batch_op:
        batch_op.drop_column("request")
