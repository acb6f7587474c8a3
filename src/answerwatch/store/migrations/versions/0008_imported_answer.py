"""Imported answers are known again by what they say. Those of imports before this revision are not."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from answerwatch.store.types import Key, Word

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    op.create_table(
        "imported_answer",
        sa.Column("content_hash", Word, nullable=False),
        sa.Column("sub_task_id", Key, nullable=False),
        sa.PrimaryKeyConstraint("content_hash", name=op.f("pk_imported_answer")),
        info={
            "meaning": "Imported answers by what they say: the same one is not stored twice.",
            "written_by": "samples",
        },
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_table("imported_answer")
