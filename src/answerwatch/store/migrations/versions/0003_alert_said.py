"""What an alert says, as facts that can be told in every language."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("alert", schema=None) as batch_op:
        batch_op.add_column(sa.Column("said", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("alert", schema=None) as batch_op:
        batch_op.drop_column("said")
