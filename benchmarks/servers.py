"""Databases on real servers for benchmarks: made for a run and removed after it."""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from answerwatch.store.connection.opening import address
from benchmarks.frame import LeftOut

SQLITE = "SQLite"
POSTGRES = "PostgreSQL"
MARIADB = "MariaDB"

SERVERS = {
    POSTGRES: os.environ.get("ANSWERWATCH_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres"),
    MARIADB: os.environ.get("ANSWERWATCH_TEST_MYSQL", "mysql://root@127.0.0.1:3306/mysql"),
}


@contextmanager
def database(kind: str) -> Iterator[str]:
    """Give the address of a new empty database; raises LeftOut where its server is not running."""
    if kind == SQLITE:
        with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder:
            yield f"sqlite:///{Path(folder) / 'answerwatch.db'}"
        return
    server, name = address(SERVERS[kind]), f"aw_bench_{uuid.uuid4().hex[:12]}"
    tail = "ENCODING 'UTF8' TEMPLATE template0" if kind == POSTGRES else "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
    _administer(kind, f"CREATE DATABASE {name} {tail}")
    try:
        yield server.set(database=name).render_as_string(hide_password=False)
    finally:
        _administer(kind, f"DROP DATABASE {name}" + (" WITH (FORCE)" if kind == POSTGRES else ""))


def _administer(kind: str, statement: str) -> None:
    engine = create_engine(address(SERVERS[kind]), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text(statement))
    except DBAPIError as error:
        raise LeftOut(f"it needs a {kind} server ({str(error.orig).splitlines()[0]})") from error
    finally:
        engine.dispose()
