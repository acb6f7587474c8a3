"""Runs migrations on the connection that `migrations.upgrade` brings; Alembic loads this file by path."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext

from answerwatch.store import types
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


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    compare_type=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
