"""Clean tasks that took the result of an older generation over, because nothing in their answers had changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from answerwatch.store.types import Key

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("clean_state", schema=None) as batch_op:
        batch_op.add_column(sa.Column("taken_from", Key, nullable=True))


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("clean_state", schema=None) as batch_op:
        batch_op.drop_column("taken_from")
