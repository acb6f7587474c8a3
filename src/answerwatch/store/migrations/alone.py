"""Lets one process at a time upgrade a database; SQLite does so by itself, as it has one writer at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from answerwatch.errors import ServiceError
from answerwatch.store.connection.faults import BUSY, kind_of
from answerwatch.store.connection.opening import LOCK_TIMEOUT_S
from answerwatch.store.database import Write

WAIT_S = 600
"""Seconds to wait for another upgrade: a large table takes minutes to change."""

_POSTGRES_KEY = 0x616E73776572  # locks of PostgreSQL are numbers, each database has its own: "answer"
_MYSQL_NAME = "SELECT CONCAT('answerwatch ', SHA1(DATABASE()))"  # names of locks hold for all databases of a server


def alone(tx: Write, wait_s: int = WAIT_S) -> AbstractContextManager[None]:
    """Wait until no other process upgrades this database, and keep others out until the block ends.

    Raises ServiceError when the other one takes too long.
    """
    waits: dict[str, Callable[[Write, int], AbstractContextManager[None]]] = {"postgresql": _postgres, "mysql": _mysql}
    wait = waits.get(tx.dialect)
    return nullcontext() if wait is None else wait(tx, wait_s)


@contextmanager
def _postgres(tx: Write, wait_s: int) -> Iterator[None]:
    tx.run(text(f"SET LOCAL lock_timeout = '{wait_s}s'"))
    try:
        tx.run(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_KEY})
    except DBAPIError as error:
        if kind_of(error) == BUSY:
            raise _taken() from error
        raise
    tx.run(text(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT_S}s'"))
    yield


@contextmanager
def _mysql(tx: Write, wait_s: int) -> Iterator[None]:
    name = {"name": tx.scalar(text(_MYSQL_NAME))}
    if not tx.scalar(text("SELECT GET_LOCK(:name, :wait)"), {**name, "wait": wait_s}):
        raise _taken()
    try:
        yield
    finally:
        if not tx.connection.invalidated:
            tx.run(text("DO RELEASE_LOCK(:name)"), name)


def _taken() -> ServiceError:
    said = "Another process has been upgrading the database for long; wait for its end and try again."
    return ServiceError("store_upgrading", said)
