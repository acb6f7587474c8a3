"""How long a batch stood still between its first call and its end."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("task_batch", schema=None) as batch_op:
        batch_op.add_column(sa.Column("stood_s", sa.Float(), nullable=True))


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("task_batch", schema=None) as batch_op:
        batch_op.drop_column("stood_s")
