"""Questions are found by their text, and what was done to one thing by its name: both read every row before."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("question_bank", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_question_bank_query_text"),
            ["query_text"],
            unique=False,
            mysql_length={"query_text": 191},
            postgresql_using="hash",
        )

    with op.batch_alter_table("audit_event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_event_subject"), ["subject"], unique=False)


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("audit_event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_audit_event_subject"))

    with op.batch_alter_table("question_bank", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_question_bank_query_text"))
