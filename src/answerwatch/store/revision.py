"""Which revision a database has, and whether this version of answerwatch can work with it."""

from __future__ import annotations

from sqlalchemy import Column, MetaData, String, Table, inspect, select

from answerwatch.errors import ServiceError
from answerwatch.store.database import Read, Store

HEAD = "0001"
"""The newest revision in `migrations/versions/`; kept here so that opening a workspace needs no Alembic."""

_version = Table("alembic_version", MetaData(), Column("version_num", String(32)))


def current(tx: Read) -> str | None:
    """Return the revision of the database; None where it was never set up."""
    if not inspect(tx.connection).has_table("alembic_version"):
        return None
    found = tx.scalar(select(_version.c.version_num))
    return None if found is None else str(found)


def check(store: Store) -> None:
    """Refuse a database that this version cannot work with; raises ServiceError that says what to do."""
    if store.file is not None and not store.file.exists():
        found = None  # looking into it would make an empty one
    else:
        with store.reading() as tx:
            found = current(tx)
    if found is None:
        raise ServiceError("store_empty", "The database was never set up; run `answerwatch init`.")
    if found < HEAD:
        raise ServiceError(
            "store_old",
            f"The database has revision {found} but this version needs {HEAD}; run `answerwatch db upgrade`.",
            found=found,
            needed=HEAD,
        )
    if found > HEAD:
        raise ServiceError(
            "store_new",
            f"The database has revision {found}, newer than this version knows ({HEAD}); install a newer answerwatch.",
            found=found,
            needed=HEAD,
        )
