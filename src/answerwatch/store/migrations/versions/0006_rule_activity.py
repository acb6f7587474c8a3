"""Rules of the lexicon can be out of use without being removed; those that are there stay in use."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from answerwatch.store.types import Flag

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("brand_rule", schema=None) as batch_op:
        batch_op.add_column(sa.Column("is_active", Flag, nullable=False, server_default="1"))
        batch_op.create_check_constraint(op.f("ck_brand_rule_is_active"), "is_active IN (0, 1)")


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("brand_rule", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_brand_rule_is_active"), type_="check")
        batch_op.drop_column("is_active")
