"""A note of how far an upgrade has come, for MariaDB and MySQL, which commit every statement that changes a table.

Each statement of a revision is numbered. Its number is written as begun before it and as done after it; what stands in
the transaction of a statement that changes rows is committed with it, so only a statement that changes a table can be
found begun and not done. Such a one is run again, and when the server says that its work is there already it was done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from alembic.ddl.mysql import MySQLImpl
from alembic.migration import MigrationContext
from sqlalchemy import Column, Connection, CursorResult, Executable, Integer, MetaData, String, Table
from sqlalchemy.exc import DBAPIError

from answerwatch.store.connection.faults import mysql_number
from answerwatch.store.connection.revision import JOURNAL, version
from answerwatch.store.types import BINARY_COLLATION

_journal = Table(
    JOURNAL,
    MetaData(),
    Column("since", String(32), nullable=False),  # the revision that the upgrade goes on from, '' for an empty database
    Column("begun", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    mysql_charset="utf8mb4",
    mysql_collate=BINARY_COLLATION,
)

THERE_ALREADY = frozenset({1050, 1054, 1060, 1061, 1068, 1826, 3822})
"""What a server says to a table, column, index, key or check that is made or renamed a second time."""
GONE_ALREADY = frozenset({1051, 1091, 1146, 3821, 3940, 4092})
"""What it says to one that is removed a second time: a table, index, column, check or view."""


class JournalledImpl(MySQLImpl):
    """Runs the statements of migrations, each of them once, however often the upgrade is killed and begun again."""

    _at = 0
    """Number of the statement of this revision that ran last."""
    _noted: tuple[int, int] | None = None
    """Begun and done as an earlier upgrade left them; None before the first statement."""

    def _exec(
        self,
        construct: Executable | str,
        execution_options: Mapping[str, Any] | None = None,
        multiparams: Sequence[Mapping[str, Any]] | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> CursorResult[Any] | None:
        begun, done = self._noted = self._noted or self._opened()
        self._at += 1
        if self._at <= done:
            return None
        self._note(begun=self._at)
        try:
            result = super()._exec(construct, execution_options, multiparams, params or {})
        except DBAPIError as error:
            if not self._is_done(error, was_begun=self._at <= begun):
                self._take_back(error)
                raise
            result = None
        self._note(done=self._at)
        if _ends_revision(construct):
            self._at, self._noted = 0, None
        return result

    def _opened(self) -> tuple[int, int]:
        """Return what an earlier upgrade from this revision left begun and done; begin the journal where none did."""
        connection = self._connection()
        _journal.create(connection, checkfirst=True)
        since = connection.execute(version.select()).scalar() or ""
        noted = connection.execute(_journal.select()).first()
        if noted is not None and noted.since == since:
            return noted.begun, noted.done
        connection.execute(_journal.delete())
        connection.execute(_journal.insert().values(since=since, begun=0, done=0))
        return 0, 0

    def _note(self, **numbers: int) -> None:
        self._connection().execute(_journal.update().values(numbers))

    @staticmethod
    def _is_done(error: DBAPIError, *, was_begun: bool) -> bool:
        """Tell whether a statement was refused because an upgrade that was killed had done it."""
        return was_begun and mysql_number(error) in THERE_ALREADY | GONE_ALREADY

    def _take_back(self, error: DBAPIError) -> None:
        """Note that a statement that the server refused is not begun: the next upgrade must not take it for done."""
        if not error.connection_invalidated:
            self._note(begun=self._at - 1)
            self._connection().exec_driver_sql("COMMIT")

    def _connection(self) -> Any:  # noqa: ANN401 - Alembic's, which is None when it only prints statements
        return self.connection


def _ends_revision(construct: Executable | str) -> bool:
    """Tell whether a statement writes the revision that was reached; Alembic does so after those of a migration."""
    table = getattr(construct, "table", None)
    return table is not None and getattr(table, "name", None) == version.name


def journalled(context: MigrationContext) -> None:
    """Let a migration note how far it has come, where the database cannot take all of it back."""
    impl = context.impl
    if context.dialect.name == "mysql":
        context.impl = JournalledImpl(
            context.dialect, context.connection, context.as_sql, None, impl.output_buffer, context.opts
        )


def close(connection: Connection) -> None:
    """Remove the journal: the database is at the newest revision."""
    _journal.drop(connection, checkfirst=True)
