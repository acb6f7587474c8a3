"""Add similarity speeds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("similarity_job", schema=None) as batch_op:
        batch_op.add_column(sa.Column("asked_pairs", sa.BigInteger(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("encode_s", sa.Float(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("judge_s", sa.Float(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("similarity_job", schema=None) as batch_op:
        batch_op.drop_column("judge_s")
        batch_op.drop_column("encode_s")
        batch_op.drop_column("asked_pairs")
