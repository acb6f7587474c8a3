"""The only ways to a connection: `Store.reading()`, `Store.writing()` and `Store.transact()`.

SQLite writes begin IMMEDIATE: a transaction that reads first and writes later would fail at once with
SQLITE_BUSY_SNAPSHOT, which no time-out can cure. Servers run READ COMMITTED.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Dialect, Engine, Executable, Insert, Row, Table, Update, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.compiler import SQLCompiler

from answerwatch.clock import Clock, SystemClock, to_micros
from answerwatch.errors import ServiceError, StoreBusy
from answerwatch.store.connection.faults import translated
from answerwatch.store.connection.opening import FILE_ID, address, connect, file_id

T = TypeVar("T")

REPLAYS = 5
"""How often a transaction is replayed after a deadlock or a busy database."""


SERVER_TIME: Mapping[str, Executable] = {
    "postgresql": text("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"),
    # SYSDATE: NOW() is the time at which the statement, or the procedure around it, began.
    "mysql": text("SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)"),
}
"""How servers tell their time in microseconds; workers on several machines must agree on it."""


class Read:
    """A snapshot to read from."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        """Wrap an open transaction."""
        self.connection = connection
        self._clock = clock
        self.dialect = connection.dialect.name

    def all(self, statement: Executable, values: Mapping[str, object] | None = None) -> Sequence[Row[Any]]:
        """Return all rows of a query."""
        return self.connection.execute(statement, values or {}).all()

    def first(self, statement: Executable, values: Mapping[str, object] | None = None) -> Row[Any] | None:
        """Return the first row or None."""
        return self.connection.execute(statement, values or {}).first()

    def scalar(self, statement: Executable, values: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401 - what a column holds is known to the statement's author only
        """Return the first column of the first row, or None."""
        return self.connection.execute(statement, values or {}).scalar()

    def stream(self, statement: Executable, *, rows: int = 1000) -> Iterator[Row[Any]]:
        """Yield rows without holding them all."""
        yield from self.connection.execute(statement, execution_options={"yield_per": rows})

    def now_us(self) -> int:
        """Return ledger time: the server's clock where there is one, else the machine's."""
        statement = SERVER_TIME.get(self.dialect)
        if statement is None or self._clock.is_held:
            return to_micros(self._clock.now())
        return int(self.scalar(statement))


class Write(Read):
    """A transaction that may change things; commits when its block ends, rolls back when it raises."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        """Wrap an open transaction."""
        super().__init__(connection, clock)
        self.due: set[str] = set()
        """Queues in which it made work due; told to the store's listeners once it is committed."""

    def run(self, statement: Executable, values: Mapping[str, object] | None = None) -> int:
        """Run one statement and return how many rows it changed."""
        return self.connection.execute(statement, values or {}).rowcount

    def insert(self, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
        """Insert rows; all must have the same columns."""
        if rows:
            self.run_for_all(_plain_insert(table), rows)

    def run_for_all(self, statement: Insert | Update, rows: Sequence[Mapping[str, object]]) -> int:
        """Run a statement for many rows with the same keys and return how many rows it touched.

        An insert takes columns by name, an update what its bindparams are called.

        The statement is compiled once and the driver is given the values as they are: SQLAlchemy's own way looks at
        every value of every row, which takes longer than SQLite takes to store them.
        """
        prepared = _prepare(statement, tuple(rows[0]), self.connection.dialect)
        converters = [(name, _remembering(convert)) for name, convert in prepared.converters]
        values = [_converted(row, converters) for row in rows] if converters else rows
        parameters = [prepared.pick(row) for row in values]
        return self.connection.exec_driver_sql(prepared.sql, parameters).rowcount


Converter = Callable[[Any], Any]


def _converted(row: Mapping[str, object], converters: Sequence[tuple[str, Converter]]) -> dict[str, object]:
    """Return a row with those values converted whose types ask for it."""
    return {**row, **{name: convert(row[name]) for name, convert in converters}}


def _remembering(convert: Converter) -> Converter:
    """Return a converter that remembers its last value: rows of one transaction mostly share their moments."""
    last: Any = _remembering
    result: Any = None

    def converted(value: Any) -> Any:  # noqa: ANN401 - a column's value can be anything
        nonlocal last, result
        if value is not last:
            last, result = value, convert(value)
        return result

    return converted


@lru_cache(maxsize=512)
def _plain_insert(table: Table) -> Insert:
    """Return the insert of a table, the same object every time, so that it is compiled once."""
    return table.insert()


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A compiled statement."""

    sql: str
    converters: tuple[tuple[str, Converter], ...]
    """Columns whose values must be turned into what the driver takes."""
    pick: Callable[[Mapping[str, object]], Any]
    """A row's values as the driver wants them: by position or by name."""


@lru_cache(maxsize=512)
def _prepare(statement: Insert | Update, names: tuple[str, ...], dialect: Dialect) -> _Prepared:
    """Compile a statement for rows with these names; compiling takes longer than storing ten rows."""
    keys = list(names) if isinstance(statement, Insert) else None
    compiled = statement.compile(dialect=dialect, column_keys=keys)
    if not isinstance(compiled, SQLCompiler):
        raise TypeError(f"{statement} does not compile to SQL")
    converters = tuple(
        (name, convert)
        for name, bind in compiled.binds.items()
        if (convert := bind.type.dialect_impl(dialect).bind_processor(dialect)) is not None
    )
    return _Prepared(str(compiled), converters, _picker(compiled))


def _picker(compiled: SQLCompiler) -> Callable[[Mapping[str, object]], Any]:
    if not compiled.positional:
        return dict
    names = compiled.positiontup or []
    return itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)


class Store:
    """One database. Threads may share it; every `reading()` and `writing()` has a connection of its own."""

    def __init__(self, url: str, clock: Clock | None = None) -> None:
        """Open nothing yet; raises ConfigurationError for an address that cannot be understood."""
        where = address(url)
        self.url = url
        self.clock: Clock = clock or SystemClock()
        self.engine: Engine = connect(where)
        self._writers = self.engine.execution_options(answerwatch_write=True)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self.file = Path(self.engine.url.database or "") if self.is_sqlite else None
        # Threads of one process wait here in order instead of sleeping in SQLite's busy handler.
        self._turn = threading.RLock() if self.is_sqlite else None
        self.listeners: list[Callable[[frozenset[str]], None]] = []
        """Told, after a commit, in which queues it made work due; must return at once and never raise."""

    @contextmanager
    def reading(self) -> Iterator[Read]:
        """Give a read-only snapshot."""
        with translated(self.url), self.engine.connect() as connection, connection.begin():
            yield Read(connection, self.clock)

    @contextmanager
    def writing(self) -> Iterator[Write]:
        """Give a write transaction; raises StoreBusy, StoreFull or ServiceError when the database cannot be used."""
        if self._turn is None:
            with self._transaction() as tx:
                yield tx
            return
        with self._turn, self._transaction() as tx:
            yield tx

    @contextmanager
    def _transaction(self) -> Iterator[Write]:
        with translated(self.url), self._writers.connect() as connection:
            self._refuse_unlinked(connection)
            tx = Write(connection, self.clock)
            with connection.begin():
                yield tx
        if tx.due:
            for listener in self.listeners:
                listener(frozenset(tx.due))

    def _refuse_unlinked(self, connection: Connection) -> None:
        """Raise ServiceError when the file was removed or replaced: SQLite would go on writing into what is gone."""
        if self.file is not None and connection.info.get(FILE_ID) != file_id(self.file):
            text = f"The database file {self.file} was removed or replaced while in use; put it back and start again."
            raise ServiceError("store_unlinked", text, file=str(self.file))

    def transact(self, work: Callable[[Write], T]) -> T:
        """Run `work` in a write transaction and replay it after a deadlock or a busy database.

        `work` must have no effect but on the database.
        """
        for _ in range(REPLAYS):
            try:
                return self._once(work)
            except StoreBusy:
                continue
        return self._once(work)

    def create(self, work: Callable[[Write], T]) -> T:
        """Run `work`, which looks whether something is there before it makes it, until nobody else was quicker.

        Servers let two look before either has made it; the second one then finds a key taken, and looks again.
        """
        for _ in range(REPLAYS):
            try:
                return self.transact(work)
            except IntegrityError:
                continue
        return self.transact(work)

    def _once(self, work: Callable[[Write], T]) -> T:
        with self.writing() as tx:
            return work(tx)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
