"""An upgrade of MariaDB or MySQL, which commit every statement, ends well wherever it was killed before."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import event, inspect, text

from answerwatch.errors import ServiceError
from answerwatch.store import migrations
from answerwatch.store.connection import revision
from answerwatch.store.database import Store
from answerwatch.store.migrations.alone import alone
from tests.databases import MYSQL, POSTGRES, Databases, on_mysql, on_servers

Schema = dict[str, str]
COUNTER = re.compile(r" AUTO_INCREMENT=\d+")
"""Where a table counts on: not part of what it is."""
CHANGES = ("CREATE", "ALTER", "DROP", "RENAME", "INSERT", "UPDATE", "DELETE")

KILL_ITSELF = """
import os, signal, sys
from sqlalchemy import event
from answerwatch.store import migrations
from answerwatch.store.database import Store
store, left = Store(sys.argv[1]), int(sys.argv[2])
@event.listens_for(store.engine, "after_cursor_execute")
def count(connection, cursor, statement, *others):
    global left
    left -= statement.lstrip().startswith(("CREATE", "ALTER", "DROP"))
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
migrations.upgrade(store)
"""


class Killed(BaseException):
    """What ends an upgrade without a chance to put anything in order."""


def schema_of(store: Store) -> Schema:
    """Return each table and view as the server itself would write it."""
    with store.reading() as tx:
        there = inspect(tx.connection)
        names = there.get_table_names() + there.get_view_names()
        made = {name: tx.first(text(f"SHOW CREATE TABLE {name}")) for name in names}
    return {name: COUNTER.sub("", list(row)[1]) for name, row in made.items() if row is not None}


@contextmanager
def kills(store: Store, moment: str) -> Iterator[set[str]]:
    """Kill what runs on a store once at every statement that changes something, before or after it has run."""
    struck: set[str] = set()

    def strike(_connection: object, _cursor: object, statement: str, values: object, *_others: object) -> None:
        one = f"{statement} {values}"
        ours = statement.lstrip().startswith(CHANGES) and not statement.startswith(f"UPDATE {revision.JOURNAL}")
        if ours and one not in struck:
            struck.add(one)
            raise Killed

    event.listen(store.engine, f"{moment}_cursor_execute", strike)
    try:
        yield struck
    finally:
        event.remove(store.engine, f"{moment}_cursor_execute", strike)


def upgrade_until_it_ends(store: Store) -> int:
    """Run the upgrade again and again until nothing kills it and return how often it was killed."""
    killed = 0
    while True:
        try:
            migrations.upgrade(store)
        except Killed:
            killed += 1
        else:
            return killed


@pytest.fixture
def store(bare_database_url: str) -> Iterator[Store]:
    made = Store(bare_database_url)
    yield made
    made.close()


@pytest.fixture
def expected(databases: Databases) -> Schema:
    """The schema that an undisturbed upgrade makes."""
    with databases.ready(MYSQL) as url:
        made = Store(url)
        found = schema_of(made)
        made.close()
    return found


def cli(url: str, home: Path, *words: str) -> subprocess.Popen[str]:
    home.mkdir(exist_ok=True)
    environ = {**os.environ, "ANSWERWATCH_DATABASE_URL": url, "ANSWERWATCH_HOME": str(home)}
    command_line = [sys.executable, "-m", "answerwatch", *words]
    return subprocess.Popen(
        command_line, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


@on_mysql
@pytest.mark.parametrize("moment", ["before", "after"])
def test_rep_mysql_half_migration_an_upgrade_killed_at_every_statement_ends_at_the_same_schema(
    store: Store, expected: Schema, moment: str
) -> None:
    with kills(store, moment) as struck:
        killed = upgrade_until_it_ends(store)

    assert killed == len(struck)
    assert {"CREATE TABLE", "CREATE INDEX", "CREATE VIEW", "ALTER TABLE"} <= {
        " ".join(one.split()[:2]) for one in struck
    }
    assert schema_of(store) == expected
    assert migrations.differences(store) == []
    revision.check(store)


@on_mysql
def test_rep_mysql_half_migration_rows_are_unchanged_by_upgrades_that_are_killed(store: Store) -> None:
    with store.writing() as tx:
        command.upgrade(migrations.config_for(tx.connection), "0001")
        tx.run(text("INSERT INTO mark (name, value_us) VALUES ('a', 1), ('A', 2)"))

    with kills(store, "after") as struck:
        upgrade_until_it_ends(store)

    assert any("ALTER TABLE" in one for one in struck)
    with store.reading() as tx:
        assert [tuple(row) for row in tx.all(text("SELECT name, value_us FROM mark ORDER BY value_us"))] == [
            ("a", 1),
            ("A", 2),
        ]


@on_mysql
@pytest.mark.parametrize("statements", [1, 3, 50])
def test_rep_mysql_half_migration_a_killed_process_leaves_a_database_that_is_refused_until_the_next_upgrade(
    store: Store, bare_database_url: str, expected: Schema, tmp_path: Path, statements: int
) -> None:
    killed = subprocess.run([sys.executable, "-c", KILL_ITSELF, bare_database_url, str(statements)], check=False)
    assert killed.returncode == -9

    refused = cli(bare_database_url, tmp_path / "home", "questions", "list")
    _, said = refused.communicate()
    again = cli(bare_database_url, tmp_path / "home", "db", "upgrade")
    again.communicate()

    assert refused.returncode == 3
    assert "answerwatch init" in said if statements == 1 else "answerwatch db upgrade" in said
    assert again.returncode == 0
    assert schema_of(store) == expected


@on_servers
def test_rep_mysql_half_migration_of_two_upgrades_at_once_one_waits_and_both_end_well(
    store: Store, database_kind: str, bare_database_url: str, tmp_path: Path
) -> None:
    waiting = {
        POSTGRES: "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()",
        MYSQL: "SELECT 1 FROM information_schema.processlist WHERE state = 'User lock' AND db = DATABASE()",
    }[database_kind]
    with store.writing() as tx, alone(tx):
        both = [cli(bare_database_url, tmp_path / "home", "db", "upgrade") for _ in range(2)]
        watching = Store(bare_database_url)
        count = 0
        while count < len(both) and all(one.poll() is None for one in both):
            with watching.reading() as read:
                count = len(read.all(text(waiting)))
        watching.close()

    assert [(one.communicate(), one.returncode)[1] for one in both] == [0, 0]
    revision.check(store)


@on_mysql
def test_a_table_of_somebody_else_stops_the_upgrade_and_is_never_taken_for_ours(store: Store, expected: Schema) -> None:
    with store.writing() as tx:
        tx.run(text("CREATE TABLE task_batch (x INTEGER)"))

    for _ in range(2):
        with pytest.raises(ServiceError, match=r"CREATE TABLE task_batch.*answerwatch db upgrade"):
            migrations.upgrade(store)
    with pytest.raises(ServiceError, match="answerwatch db upgrade"):
        revision.check(store)
    with store.writing() as tx:
        tx.run(text("DROP TABLE task_batch"))
    migrations.upgrade(store)

    assert schema_of(store) == expected


@on_mysql
def test_rep_mysql_half_migration_a_deadlock_in_the_upgrade_is_tried_again(store: Store, expected: Schema) -> None:
    deadlocks: list[str] = []

    def lock(_cursor: Any, statement: str, *_others: object) -> None:  # noqa: ANN401 - the driver's
        if "TABLE question_bank" in statement and not deadlocks:
            deadlocks.append(statement)
            raise store.engine.dialect.loaded_dbapi.OperationalError(1213, "Deadlock found when trying to get lock")

    event.listen(store.engine, "do_execute", lock)
    migrations.upgrade(store)

    assert len(deadlocks) == 1
    assert schema_of(store) == expected
