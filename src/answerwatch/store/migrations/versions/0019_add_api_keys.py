"""Add api keys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from answerwatch.store.types import Key, Serial, UtcDateTime, Word

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    op.create_table(
        "api_key",
        sa.Column("key_id", Serial, nullable=False),
        sa.Column("name", Key, nullable=False),
        sa.Column("key_hash", Key, nullable=False),
        sa.Column("starts_with", Word, nullable=False),
        sa.Column("scope", Word, nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", Key, nullable=False),
        sa.Column("used_at", UtcDateTime(), nullable=True),
        sa.Column("revoked_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("key_id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_api_key_key_hash")),
        sa.UniqueConstraint("name", name=op.f("uq_api_key_name")),
        info={
            "meaning": "Keys to the HTTP interface: what is kept does not give one back.",
            "written_by": "keys, serve",
        },
        mariadb_charset="utf8mb4",
        mariadb_collate="utf8mb4_bin",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_table("api_key")
