"""Add cites near."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("brand_result", schema=None) as batch_op:
        batch_op.add_column(sa.Column("cites_near", sa.Integer(), nullable=True))

    with op.batch_alter_table("brand_result_history", schema=None) as batch_op:
        batch_op.add_column(sa.Column("cites_near", sa.Integer(), nullable=True))

    with op.batch_alter_table("clean_result", schema=None) as batch_op:
        batch_op.add_column(sa.Column("cites_near", sa.Integer(), nullable=True))

    with op.batch_alter_table("clean_result_history", schema=None) as batch_op:
        batch_op.add_column(sa.Column("cites_near", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("clean_result_history", schema=None) as batch_op:
        batch_op.drop_column("cites_near")

    with op.batch_alter_table("clean_result", schema=None) as batch_op:
        batch_op.drop_column("cites_near")

    with op.batch_alter_table("brand_result_history", schema=None) as batch_op:
        batch_op.drop_column("cites_near")

    with op.batch_alter_table("brand_result", schema=None) as batch_op:
        batch_op.drop_column("cites_near")
