"""Runs migrations on the connection that `migrations.upgrade` brings; Alembic loads this file by path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from answerwatch.store import types
from answerwatch.store.migrations.journal import journalled
from answerwatch.store.schema import metadata


def render_item(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:  # noqa: ANN401 - any part
    """Write our column types by their names into a new migration: spelt out they are long and differ by database."""
    if kind != "type":
        return False
    ours = (name for name, known in vars(types).items() if known is item)
    name = "UtcDateTime" if isinstance(item, types.UtcDateTime) else next(ours, None)
    if name is None:
        return False
    autogen.imports.add(f"from answerwatch.store.types import {name}")
    return f"{name}()" if isinstance(item, types.UtcDateTime) else name


def run(connection: Connection) -> None:
    """Run the migrations in one transaction where the database allows it, with a journal where it does not."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        compare_type=True,
        render_item=render_item,
    )
    journalled(context.get_context())
    with context.begin_transaction():
        context.run_migrations()


@contextmanager
def views_unchecked(connection: Connection) -> Iterator[None]:
    """Let SQLite rename a table that a view reads: a table is changed by building it anew under another name."""
    if connection.dialect.name != "sqlite":
        yield
        return
    connection.exec_driver_sql("PRAGMA legacy_alter_table = ON")
    try:
        yield
    finally:
        connection.exec_driver_sql("PRAGMA legacy_alter_table = OFF")


with views_unchecked(context.config.attributes["connection"]):
    run(context.config.attributes["connection"])
