"""Rows of an export as they come from the database: counted, narrowed, some at a time, by their columns."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Select, func, select, text, type_coerce
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import NullType

from answerwatch.store.database import Read
from answerwatch.store.exports.columns import Columns, OfColumn, by_difference
from answerwatch.store.exports.row_set import RowSet, ValueKind, Wanted, kind_of

ROWS_A_TIME = 500
"""Rows that are held at a time; answers can be long."""
ROWS_OF_A_FILE = 128
"""The same for SQLite, which has no way to go for more: so few stay near the processor until they are written, and a
quarter of the time that 500 take is spared."""

PAGES_KIB = 64 * 1024
"""Of a SQLite file, kept in memory during an export."""


def count_rows(read: Read, rows: RowSet, wanted: Wanted) -> int:
    """Return how many rows there are."""
    return int(read.scalar(_narrowed(select(func.count()).select_from(rows.source), rows, wanted)))


def stream_rows(read: Read, rows: RowSet, names: Sequence[str], wanted: Wanted) -> Generator[Columns]:
    """Yield the rows in order, some at a time, all as they were at one moment: it is one query.

    They come as columns, and what the driver does not know is read here: SQLAlchemy's way, a call or two for each
    value, takes longer than SQLite takes to find the row.
    """
    picked = rows.picked(names)
    readers = [_reader(read, column) for column in picked]
    asked = [
        column if reader is None else type_coerce(column, NullType()).label(column.name)
        for column, reader in zip(picked, readers, strict=True)
    ]
    query = _narrowed(select(*asked).select_from(rows.source), rows, wanted).order_by(*rows.order)
    with _at_length(read), closing(_parts(read, query)) as parts:
        for part in parts:
            yield [
                values if reader is None else reader(values)
                for reader, values in zip(readers, zip(*part, strict=True), strict=True)
            ]


def _parts(read: Read, query: Select[Any]) -> Generator[Sequence[Sequence[Any]]]:
    """Yield rows, some at a time; those of SQLite as its driver has them: to wrap them takes a tenth of the time."""
    if read.dialect != "sqlite":
        with read.connection.execute(query, execution_options={"yield_per": ROWS_A_TIME}) as result:
            yield from result.partitions()
        return
    with read.connection.execute(query) as result:
        if result.cursor is None:
            raise TypeError(f"{query} returns no rows")
        try:
            while part := result.cursor.fetchmany(ROWS_OF_A_FILE):
                yield part
        except sqlite3.Error as error:
            raise DBAPIError.instance(str(query), None, error, sqlite3.Error) from error


def _reader(read: Read, column: Column[Any]) -> OfColumn | None:
    """Return what makes the values of a column of what the driver gives; None where they are the same."""
    kind = kind_of(column)
    if kind is ValueKind.MOMENT:
        return by_difference(_moments)
    if kind is not ValueKind.JSON and read.dialect != "sqlite":
        return None
    dialect = read.connection.dialect
    parse = column.type.dialect_impl(dialect).result_processor(dialect, None)
    return None if parse is None else by_difference(lambda texts: [parse(text) for text in texts])


def _moments(given: Sequence[Any]) -> list[datetime | None]:
    """Return moments, aware and in UTC; SQLite keeps them as texts, servers know the type and maybe the zone."""
    return [
        None
        if value is None
        else datetime.fromisoformat(f"{value}+00:00")  # `replace` takes eight times as long as this
        if isinstance(value, str)
        else value.astimezone(UTC)
        if value.tzinfo
        else value.replace(tzinfo=UTC)
        for value in given
    ]


@contextmanager
def _at_length(read: Read) -> Iterator[None]:
    """Let a query take its time: servers wait for whoever takes the rows, who may be a person at the end of a pipe.

    Rows of a large SQLite file lie far from each other in their order, and with pages kept as it has them by itself it
    reads the same ones again and again.
    """
    ask, change, wanted = _SETTINGS[read.dialect]
    before = read.scalar(text(ask))
    read.connection.execute(text(f"{change} = {wanted}"))
    try:
        yield
    finally:
        if read.dialect != "postgresql":  # there the setting ends with the transaction
            read.connection.execute(text(f"{change} = {before}"))


_SETTINGS = {
    "sqlite": ("PRAGMA cache_size", "PRAGMA cache_size", f"-{PAGES_KIB}"),
    "postgresql": (
        "SHOW idle_in_transaction_session_timeout",
        "SET LOCAL idle_in_transaction_session_timeout",
        "0",
    ),
    "mysql": ("SELECT @@net_write_timeout", "SET SESSION net_write_timeout", "86400"),
}
"""By dialect: how a setting is asked for, how it is changed, and to what during an export."""


def _narrowed(query: Select[Any], rows: RowSet, wanted: Wanted) -> Select[Any]:
    """Return the query with the filters; raises KeyError for one that the rows do not know."""
    return query.where(*(_test(name, rows.narrowed[name], value) for name, value in wanted.given().items()))


def _test(name: str, column: Column[Any], value: Any) -> ColumnElement[bool]:  # noqa: ANN401 - what a filter takes
    """Return what a filter asks of its column."""
    test: ColumnElement[bool]
    match name:
        case "since":
            test = column >= value
        case "until":
            test = column < value
        case "valid" | "active":
            test = column == int(value)
        case _:
            test = column.in_(value)
    return test
