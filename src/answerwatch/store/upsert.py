"""Insert-or-update and insert-or-ignore on three databases, and long lists in parts, in one place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Insert, Table
from sqlalchemy.dialects import mysql, sqlite

from answerwatch.store.database import Write

if TYPE_CHECKING:
    from sqlalchemy.dialects.postgresql import Insert as PostgresInsert

T = TypeVar("T")

CHUNK = 1000

IN_LIST = 500
"""Values in one IN list at most: databases limit the number of bound values."""


def chunks(items: Iterable[T], size: int = IN_LIST) -> Iterator[list[T]]:
    """Yield lists of at most `size` items."""
    source = iter(items)
    while part := list(islice(source, size)):
        yield part


def upsert(
    tx: Write, table: Table, rows: Sequence[Mapping[str, object]], *, key: Sequence[str], update: Sequence[str]
) -> None:
    """Insert rows; where `key` is taken, set the columns in `update` to the new values.

    The table must have no other unique key than `key`: MySQL fires on any of them.
    """
    if rows:
        tx.run_for_all(_upsert(tx.dialect, table, tuple(key), tuple(update)), rows)


@lru_cache(maxsize=256)
def _upsert(dialect: str, table: Table, key: tuple[str, ...], update: tuple[str, ...]) -> Insert:
    """Return the statement, the same object every time, so that it is compiled once."""
    if dialect in ("mysql", "mariadb"):
        my = mysql.insert(table)
        return my.on_duplicate_key_update({name: my.inserted[name] for name in update})
    other: Any = _insert_into_postgres(table) if dialect == "postgresql" else sqlite.insert(table)
    found: Insert = other.on_conflict_do_update(
        index_elements=list(key), set_={name: other.excluded[name] for name in update}
    )
    return found


def insert_new(tx: Write, table: Table, rows: Sequence[Mapping[str, object]]) -> int:
    """Insert the rows whose unique keys are free and return how many that were; the others are left alone."""
    if not rows:
        return 0
    statement = _insert_new(tx.dialect, table)
    inserted = 0
    for start in range(0, len(rows), CHUNK):
        inserted += max(0, tx.run_for_all(statement, rows[start : start + CHUNK]))
    return inserted


@lru_cache(maxsize=256)
def _insert_new(dialect: str, table: Table) -> Insert:
    if dialect in ("mysql", "mariadb"):
        # Not INSERT IGNORE, which also swallows values that do not fit: the key is set to itself instead.
        own = next(iter(table.primary_key.columns))
        return mysql.insert(table).on_duplicate_key_update({own.name: own})
    if dialect == "postgresql":
        return _insert_into_postgres(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()


def _insert_into_postgres(table: Table) -> PostgresInsert:
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - slow to load, and most workspaces are SQLite

    return postgresql.insert(table)
