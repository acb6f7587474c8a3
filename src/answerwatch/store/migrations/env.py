"""Runs migrations on the connection that `migrations.upgrade` brings; Alembic loads this file by path."""

from __future__ import annotations

from alembic import context

from answerwatch.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
