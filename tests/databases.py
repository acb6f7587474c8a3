"""Databases for tests: every test gets one of its own, on SQLite and on real servers.

Where the servers are is told by ANSWERWATCH_TEST_POSTGRES and ANSWERWATCH_TEST_MYSQL (addresses of a server whose user
may create databases); the defaults are the standard ports of this machine. What a process made, it removes at its end.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import MetaData, create_engine, text
from sqlalchemy.exc import DBAPIError

from answerwatch.store import migrations
from answerwatch.store.connection.opening import address, connect
from answerwatch.store.database import Store
from answerwatch.store.schema import metadata

SQLITE = "sqlite"
POSTGRES = "postgres"
MYSQL = "mysql"

ON_POSTGRES = pytest.param(POSTGRES, marks=pytest.mark.postgres)
ON_MYSQL = pytest.param(MYSQL, marks=pytest.mark.mysql)

on_every_database = pytest.mark.parametrize("database_kind", [SQLITE, ON_POSTGRES, ON_MYSQL], indirect=True)
on_servers = pytest.mark.parametrize("database_kind", [ON_POSTGRES, ON_MYSQL], indirect=True)
on_mysql = pytest.mark.parametrize("database_kind", [ON_MYSQL], indirect=True)

SERVERS = {
    POSTGRES: os.environ.get("ANSWERWATCH_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres"),
    MYSQL: os.environ.get("ANSWERWATCH_TEST_MYSQL", "mysql://root@127.0.0.1:3306/mysql"),
}


@contextmanager
def administering(kind: str, database: str | None = None) -> Iterator[Callable[[str], object]]:
    """Give a function that runs one statement outside any transaction on a server."""
    url = address(SERVERS[kind])
    engine = create_engine(url if database is None else url.set(database=database), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            yield lambda sql: connection.execute(text(sql))
    finally:
        engine.dispose()


@cache
def why_unreachable(kind: str) -> str | None:
    """Return why a server cannot be used for tests, None when it can."""
    try:
        with administering(kind) as run:
            run("SELECT 1")
    except (DBAPIError, ImportError) as error:
        return f"no {kind} server at {SERVERS[kind]}: {str(error).splitlines()[0]}"
    return None


@dataclass(slots=True)
class Databases:
    """The databases of one test process."""

    folder: Path
    made: dict[str, list[str]] = field(default_factory=lambda: {POSTGRES: [], MYSQL: []})
    free: dict[str, list[str]] = field(default_factory=dict)
    """Server databases with all tables that no test uses; emptying one takes a tenth of the time of making one."""

    template: str | None = None
    """A SQLite database with all tables, to be copied."""

    def empty(self, kind: str, made_with: str | None = None) -> str:
        """Return the address of a new database without tables; a server's can be made with other options."""
        if kind == SQLITE:
            return f"sqlite:///{self.folder / _name()}.db"
        tail = made_with or _AS_DOCUMENTED[kind]
        name = _name()
        with administering(kind) as run:
            run(f"CREATE DATABASE {name} {tail}")
        self.made[kind].append(name)
        return at(kind, name)

    @contextmanager
    def ready(self, kind: str, *more: MetaData) -> Iterator[str]:
        """Lend the address of a database with empty tables: those of this version, and those of `more`."""
        free = self.free.setdefault(f"{kind} {len(more)}", [])
        url = free.pop() if free else self._filled(kind, more)
        yield url
        if kind != SQLITE:
            _wipe(url, (*more, metadata))
            free.append(url)

    def _filled(self, kind: str, more: Sequence[MetaData]) -> str:
        url = self.empty(kind)
        if kind == SQLITE:
            self.template = self.template or _upgraded(self.empty(kind))
            shutil.copyfile(_file(self.template), _file(url))
        else:
            _upgraded(url)
        if more:
            engine = connect(address(url))
            for tables in more:
                tables.create_all(engine)
            engine.dispose()
        return url

    def drop(self) -> None:
        """Remove all of them."""
        for kind, names in self.made.items():
            if not names:
                continue
            force = " WITH (FORCE)" if kind == POSTGRES else ""
            with administering(kind) as run:
                for name in names:
                    run(f"DROP DATABASE IF EXISTS {name}{force}")


_AS_DOCUMENTED = {
    POSTGRES: "ENCODING 'UTF8' TEMPLATE template0",
    MYSQL: "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
}


def at(kind: str, name: str) -> str:
    """Return the address of a database of a test server."""
    return address(SERVERS[kind]).set(database=name).render_as_string(hide_password=False)


def _name() -> str:
    return f"aw_test_{uuid.uuid4().hex[:16]}"


def _upgraded(url: str) -> str:
    store = Store(url)
    migrations.upgrade(store)
    store.close()
    return url


def _file(url: str) -> str:
    return address(url).database or ""


def _wipe(url: str, all_tables: Sequence[MetaData]) -> None:
    """Empty all tables; fails where a test left a transaction open, which would be its fault."""
    engine = connect(address(url))
    with engine.begin() as connection:
        for tables in all_tables:
            for table in reversed(tables.sorted_tables):
                connection.execute(table.delete())
    engine.dispose()
