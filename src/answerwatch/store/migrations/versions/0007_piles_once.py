"""SQLite gives the number of a pile once: it gave that of a removed pile again, to a worker that knew the old one."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    _recreate(autoincrement=True)


def downgrade() -> None:
    """Go back to the revision before."""
    _recreate(autoincrement=False)


def _recreate(*, autoincrement: bool) -> None:
    """Make the table anew on SQLite, where a key is counted up for ever only if the table was made so."""
    if op.get_context().dialect.name != "sqlite":
        return
    with op.batch_alter_table(
        "work_pile", schema=None, recreate="always", table_kwargs={"sqlite_autoincrement": autoincrement}
    ):
        pass
