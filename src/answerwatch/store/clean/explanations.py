"""One clean task with its results, whichever generation it is of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Table, select

from answerwatch.store.database import Read
from answerwatch.store.schema.clean import (
    brand_result,
    brand_result_history,
    clean_result,
    clean_result_history,
    clean_state,
)

Values = dict[str, Any]
"""One row by the names of its columns."""


def find_task(read: Read, task_or_sample: str, generation: int | None = None) -> Values | None:
    """Return the state of a clean task, or of the newest one of a sample; None when neither is known.

    With a generation it is the task of that generation, whichever of the same sample was named.
    """
    by_task = clean_state.c.clean_task_id == task_or_sample
    by_sample = clean_state.c.source_task_id == task_or_sample
    query = select(clean_state).where(by_task | by_sample)
    if generation is not None:
        named = select(clean_state.c.source_task_id).where(by_task | by_sample)
        query = select(clean_state).where(
            clean_state.c.source_task_id.in_(named), clean_state.c.generation == generation
        )
    # An id is a task's or a sample's, never both; the newest generation of a sample is the current one.
    row = read.first(query.order_by(clean_state.c.generation.desc()).limit(1))
    return None if row is None else row._asdict()


def generations_of(read: Read, source_task_id: str) -> list[int]:
    """Return the generations in which a sample has a task, the newest first."""
    query = select(clean_state.c.generation).where(clean_state.c.source_task_id == source_task_id)
    return [row.generation for row in read.all(query.order_by(clean_state.c.generation.desc()))]


def result_of(read: Read, clean_task_id: str) -> Values | None:
    """Return the task's result, the current one or one of history; None where there is none yet."""
    rows = _of_task(read, clean_task_id, (clean_result, clean_result_history))
    return rows[0] if rows else None


def brands_of(read: Read, clean_task_id: str) -> list[Values]:
    """Return the figures of every brand that the task found, by order of mention."""
    rows = _of_task(read, clean_task_id, (brand_result, brand_result_history))
    return sorted(rows, key=lambda row: (row["mention_order"] is None, row["mention_order"], row["brand_name"]))


def _of_task(read: Read, clean_task_id: str, tables: Sequence[Table]) -> list[Values]:
    for table in tables:
        rows = read.all(select(table).where(table.c.clean_task_id == clean_task_id))
        if rows:
            return [row._asdict() for row in rows]
    return []
