"""Generations that were made by force: every answer of them is read, also one in which nothing has changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from answerwatch.store.types import Flag

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("clean_generation", schema=None) as batch_op:
        batch_op.add_column(sa.Column("reads_all", Flag, nullable=False, server_default="0"))
        batch_op.create_check_constraint(op.f("ck_clean_generation_reads_all"), "reads_all IN (0, 1)")


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("clean_generation", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_clean_generation_reads_all"), type_="check")
        batch_op.drop_column("reads_all")
