"""The index on the clean task of candidates goes: the unique key begins with it."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("entity_match_detail", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_entity_match_detail_clean_task_id"))


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("entity_match_detail", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_entity_match_detail_clean_task_id"), ["clean_task_id"], unique=False)
