"""Which revision a database has, and whether this version of answerwatch can work with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import Column, MetaData, String, Table, inspect, select

from answerwatch.errors import ServiceError
from answerwatch.store.database import Read, Store

_VERSIONS = Path(__file__).parents[1] / "migrations" / "versions"
version = Table("alembic_version", MetaData(), Column("version_num", String(32)))
"""Where Alembic keeps the revision."""

JOURNAL = "upgrade_journal"
"""The table that is there while a database which commits every statement is being upgraded."""


@cache
def head() -> str:
    """Return the newest revision, told by the names of the migrations: opening a workspace needs no Alembic."""
    return max(file.name.partition("_")[0] for file in _VERSIONS.glob("[0-9][0-9][0-9][0-9]_*.py"))


def current(tx: Read) -> str | None:
    """Return the revision of the database; None where it was never set up."""
    if not inspect(tx.connection).has_table("alembic_version"):
        return None
    found = tx.scalar(select(version.c.version_num))
    return None if found is None else str(found)


def check(store: Store) -> None:
    """Refuse a database that this version cannot work with; raises ServiceError that says what to do."""
    if store.file is not None and not store.file.exists():
        found = None  # looking into it would make an empty one
    else:
        with store.reading() as tx:
            found = current(tx)
            _refuse_half(tx, found)
    if found is None:
        raise ServiceError("store_empty", "The database was never set up; run `answerwatch init`.")
    needed = head()
    if found < needed:
        raise ServiceError(
            "store_old",
            f"The database has revision {found} but this version needs {needed}; run `answerwatch db upgrade`.",
            found=found,
            needed=needed,
        )
    refuse_newer(found)


def _refuse_half(tx: Read, found: str | None) -> None:
    """Raise ServiceError for a database in which an upgrade is going on or was killed."""
    if tx.dialect == "mysql" and found != head() and inspect(tx.connection).has_table(JOURNAL):
        text = "An upgrade of the database was begun and has not ended; run `answerwatch db upgrade`."
        raise ServiceError("store_half", text)


def refuse_newer(found: str) -> None:
    """Raise ServiceError for the revision of a database that a newer version has made."""
    if found > head():
        raise ServiceError(
            "store_new",
            f"The database has revision {found}, newer than this version knows ({head()}); "
            "install a newer answerwatch.",
            found=found,
            needed=head(),
        )
