"""Indexes for a page of samples of one platform and for the progress of cleaning: both read every row before."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    with op.batch_alter_table("answer_sample", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_answer_sample_platform_sub_task_id"), ["platform", "sub_task_id"], unique=False
        )

    with op.batch_alter_table("clean_result", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_clean_result_cleaned_at"))
        batch_op.create_index(
            batch_op.f("ix_clean_result_cleaned_at_is_valid"), ["cleaned_at", "is_valid"], unique=False
        )


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("clean_result", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_clean_result_cleaned_at_is_valid"))
        batch_op.create_index(batch_op.f("ix_clean_result_cleaned_at"), ["cleaned_at"], unique=False)

    with op.batch_alter_table("answer_sample", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_answer_sample_platform_sub_task_id"))
