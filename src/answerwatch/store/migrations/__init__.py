"""Migrations of the database, shipped inside the package; the schema in `store/schema/` is where they lead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import CheckConstraint, Connection, inspect
from sqlalchemy.exc import DBAPIError

from answerwatch.domain.said import Said
from answerwatch.errors import ServiceError
from answerwatch.store.connection.faults import kind_of
from answerwatch.store.connection.revision import current, refuse_newer
from answerwatch.store.connection.servers import refuse_unfit
from answerwatch.store.database import Store, Write
from answerwatch.store.migrations import journal
from answerwatch.store.migrations.alone import WAIT_S, alone
from answerwatch.store.schema import VIEWS, metadata

FOLDER = Path(__file__).parent


def upgrade(store: Store, wait_s: int = WAIT_S) -> tuple[str | None, str | None]:
    """Bring the database to the newest revision and return the revisions before and after.

    A failed upgrade leaves SQLite and PostgreSQL as they were. On MariaDB and MySQL, which commit every statement, it
    goes on where it stopped when it is run again. Of two processes that call it at once the second one waits and finds
    nothing to do. Raises ServiceError for a database that a newer version has made, when a statement fails, and when
    another process has been at it for longer than `wait_s`.
    """
    return store.transact(lambda tx: _upgrade(tx, wait_s))


def _upgrade(tx: Write, wait_s: int) -> tuple[str | None, str | None]:
    with alone(tx, wait_s):
        before = current(tx)
        if before is not None:
            refuse_newer(before)
        refuse_unfit(tx)
        try:
            command.upgrade(config_for(tx.connection), "head")
        except DBAPIError as error:
            if kind_of(error) is None:
                raise _stopped(error) from error
            raise
        if tx.dialect == "mysql":
            journal.close(tx.connection)
        return before, current(tx)


def _stopped(error: DBAPIError) -> ServiceError:
    statement, said = (" ".join(str(part).split()) for part in (error.statement, error.orig))
    text = f"The upgrade stopped at `{statement[:80]}` ({said}). Mend that and run `answerwatch db upgrade` again."
    return ServiceError("store_upgrade", text, statement=statement[:80], said=said)


def differences(store: Store) -> list[Said]:
    """Return how the database differs from the schema of this version; empty when it is the same."""
    with store.reading() as tx:
        context = MigrationContext.configure(tx.connection, opts={"include_name": _is_ours})
        found = [_told(difference) for difference in compare_metadata(context, metadata)]
        found += _other_checks(tx.connection)
        return found + [_missing("view", name) for name in VIEWS if name not in _views(tx.connection)]


def _missing(what: str, name: str) -> Said:
    return Said("part_missing", f"{what} {name} is missing", what=what, name=name)


def _too_many(what: str, name: str) -> Said:
    return Said("part_too_many", f"{what} {name} is too many", what=what, name=name)


def _told(difference: Any) -> Said:  # noqa: ANN401 - a tuple of Alembic, or a list of them for one column
    """Return a difference that Alembic found as a text: `add_...` is what a migration would have to do."""
    if isinstance(difference, list):
        _, _, table, column, *_ = difference[0]
        names = ", ".join(str(one[0]).removeprefix("modify_") for one in difference)
        return Said("column_differs", f"column {table}.{column} differs: {names}", name=f"{table}.{column}", how=names)
    verb, _, what = str(difference[0]).partition("_")
    part = difference[-1]
    name = str(part.name) if getattr(part, "table", None) is None else f"{part.table.name}.{part.name}"
    return _missing(what, name) if verb == "add" else _too_many(what, name)


def _is_ours(name: str | None, kind: str, _parents: object) -> bool:
    return not (kind == "table" and name == "alembic_version")


def _other_checks(connection: Connection) -> list[Said]:
    """Return which checks are missing or too many, by name: Alembic compares none."""
    there = inspect(connection)
    found: list[Said] = []
    for table in metadata.sorted_tables:
        if not there.has_table(table.name):
            continue  # told as a missing table already
        wanted = {str(one.name) for one in table.constraints if isinstance(one, CheckConstraint)}
        held = {str(one["name"]) for one in there.get_check_constraints(table.name)}
        found += [_missing("check", name) for name in sorted(wanted - held)]
        # MariaDB makes checks of its own for JSON columns; ours have a prefix.
        found += [_too_many("check", name) for name in sorted(held - wanted) if name.startswith("ck_")]
    return found


def _views(connection: Connection) -> set[str]:
    return set(inspect(connection).get_view_names())


def config_for(connection: Connection) -> Config:
    """Return what Alembic needs to work on a connection; it is the caller's, who commits and closes it."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
