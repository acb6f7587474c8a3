"""How a database is connected to: one engine for each address, with what each kind needs to behave the same.

SQLite: WAL, and `BEGIN IMMEDIATE` for writers. Servers: READ COMMITTED, UTC, strict, rows counted as changed.
"""

from __future__ import annotations

import inspect
import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from answerwatch.errors import ConfigurationError
from answerwatch.store.connection.server_versions import refuse_old

BUSY_TIMEOUT_S = 30.0
"""Seconds that a SQLite writer waits for another process; a finishing transaction takes milliseconds."""

WAL_TRIES = 200
"""How often the switch of a new SQLite file to WAL is tried, 50 ms apart."""

POOL_SIZE = 5
"""Connections that a process keeps: claiming, writing, sweeping, renewing and one to read."""

MAX_OVERFLOW = 10
"""Connections more for a moment: commands and pages beside the engine."""

CONNECT_TIMEOUT_S = 10
"""Seconds to wait for a server that does not answer a new connection."""

LOCK_TIMEOUT_S = 20
"""Seconds that a statement on a server waits for a lock on rows or on a table; what waits longer is replayed."""

IDLE_TIMEOUT_S = 30
"""Seconds after which a server ends a transaction in which nothing happens: a worker that was stopped in one holds up
the others on its rows for so long, which is no longer than its leases last. MySQL 8 has no such limit."""

LARGEST_PORT = 65_535

FILE_ID = "answerwatch_file_id"
"""Where a connection notes which file it opened."""

_DRIVERS = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql", "mariadb": "mysql+pymysql"}
_EXTRAS = {"postgresql": "postgres", "mysql": "mysql"}


def address(url: str) -> URL:
    """Return a database address with the driver that answerwatch uses; raises ConfigurationError where it is wrong."""
    parts = _parsed(url)
    name = parts.get_backend_name()
    if "@" in (parts.host or ""):
        text = "The password in the database address holds an @; write it as %40, and other special characters so too."
        raise ConfigurationError("database_password", text)
    if parts.drivername not in ("sqlite", *_DRIVERS, *_DRIVERS.values()):
        kind = parts.drivername
        raise ConfigurationError("database_kind", f"Databases of kind {kind!r} are not supported.", kind=kind)
    if name == "sqlite" and parts.database in (None, "", ":memory:"):
        text = "A SQLite database needs a file; write sqlite:////folder/answerwatch.db."
        raise ConfigurationError("database_file", text)
    return parts.set(drivername=_DRIVERS[name]) if name in _DRIVERS else parts


def _parsed(url: str) -> URL:
    try:
        parts = make_url("postgresql" + url.removeprefix("postgres") if url.startswith("postgres://") else url)
        parts.get_backend_name()
    except (SQLAlchemyError, ValueError) as error:
        raise _not_understood() from error
    if (parts.port or 0) > LARGEST_PORT:
        raise _not_understood()
    return parts


def _not_understood() -> ConfigurationError:
    """Return an error that quotes nothing: where the host was forgotten, a password stands in place of the port."""
    text = "The database address cannot be understood; see ANSWERWATCH_DATABASE_URL in the docs."
    return ConfigurationError("database_url", text)


def connect(url: URL) -> Engine:
    """Return the engine of an address; raises ConfigurationError when its driver is not there. Opens nothing yet."""
    kind = url.get_backend_name()
    try:
        if kind == "sqlite":
            return _sqlite(url)
        return _server(url, _postgres_arguments() if kind == "postgresql" else _mysql_arguments())
    except ImportError as error:
        extra = _EXTRAS[kind]
        text = f"The driver of {kind} databases is not installed; run `pip install 'answerwatch[{extra}]'`."
        raise ConfigurationError("database_driver", text, kind=kind, extra=extra) from error


def _server(url: URL, arguments: dict[str, Any]) -> Engine:
    engine = create_engine(
        url,
        connect_args=arguments,
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,
        pool_size=POOL_SIZE,
        max_overflow=MAX_OVERFLOW,
    )
    _refuse_options(engine, url)
    event.listen(engine, "connect", lambda *_: refuse_old(engine.dialect))
    return engine


def _refuse_options(engine: Engine, url: URL) -> None:
    """Raise ConfigurationError for a query that the driver does not take: it tells so at its first connection alone."""
    driver = engine.dialect.loaded_dbapi
    try:
        if url.get_backend_name() == "postgresql":
            driver.conninfo.make_conninfo(**dict.fromkeys(url.query, "1"))
        else:
            inspect.signature(driver.connect).bind(**engine.dialect.create_connect_args(url)[1])
    except (TypeError, ValueError, driver.ProgrammingError) as error:
        options = ", ".join(url.query)
        text = (
            f"The driver does not take the options of the database address ({options}); see ANSWERWATCH_DATABASE_URL."
        )
        raise ConfigurationError("database_options", text, options=options) from error


def _postgres_arguments() -> dict[str, Any]:
    settings = (
        f"-c timezone=UTC -c lock_timeout={LOCK_TIMEOUT_S}s -c idle_in_transaction_session_timeout={IDLE_TIMEOUT_S}s"
    )
    return {"connect_timeout": CONNECT_TIMEOUT_S, "options": settings, "application_name": "answerwatch"}


def _mysql_arguments() -> dict[str, Any]:
    modes = "STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION"
    mariadb_only = f"/*M!100300 , idle_write_transaction_timeout = {IDLE_TIMEOUT_S} */"
    waits = f"innodb_lock_wait_timeout = {LOCK_TIMEOUT_S}, lock_wait_timeout = {LOCK_TIMEOUT_S}"
    begin = f"SET time_zone = '+00:00', sql_mode = '{modes}', {waits} {mariadb_only}"
    # SQLAlchemy asks MySQL to count the rows that it found; `insert_new` must count those that it changed.
    return {"connect_timeout": CONNECT_TIMEOUT_S, "charset": "utf8mb4", "init_command": begin, "client_flag": 0}


def _sqlite(url: URL) -> Engine:
    arguments = {"timeout": BUSY_TIMEOUT_S, "check_same_thread": False, "isolation_level": None}
    engine = create_engine(url, connect_args=arguments, pool_size=POOL_SIZE, max_overflow=20)
    event.listen(engine, "connect", partial(_prepare_sqlite, file=Path(url.database or "")))
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, record: ConnectionPoolEntry, *, file: Path) -> None:
    cursor = connection.cursor()
    _use_wal(cursor)
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()
    record.info[FILE_ID] = file_id(file)  # not before: SQLite makes a new file when it is first used


def file_id(file: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one of the same name, None when there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _use_wal(cursor: DBAPICursor) -> None:
    """Switch a new database to WAL; the switch does not wait for other connections by itself, so it is tried again."""
    for _ in range(WAL_TRIES):
        cursor.execute("PRAGMA journal_mode")
        row = cursor.fetchone()
        if row is not None and row[0] in ("wal", "memory"):
            return
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(0.05)


def _begin_sqlite(connection: Connection) -> None:
    """Begin on the driver's connection: SQLAlchemy's way takes longer than the rest of an empty transaction."""
    write = connection.get_execution_options().get("answerwatch_write", False)
    cursor = connection.connection.cursor()
    try:
        cursor.execute("BEGIN IMMEDIATE" if write else "BEGIN")
    except sqlite3.Error as error:
        raise DBAPIError.instance("BEGIN", None, error, sqlite3.Error) from error
    finally:
        cursor.close()
