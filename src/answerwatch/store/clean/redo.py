"""Stored answers that have no clean task of a generation yet, and making these tasks without bringing rows here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Integer,
    Select,
    String,
    and_,
    exists,
    func,
    insert,
    literal,
    select,
    true,
)

from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.ids import clean_task_id
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.clean import clean_result, clean_state
from answerwatch.store.schema.sample import answer_sample
from answerwatch.store.schema.work import READY, work_task
from answerwatch.store.types import Micros, UtcDateTime
from answerwatch.store.upsert import chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """Answers whose present results come from the same versions."""

    answers: int
    generation: int | None
    """None: they were not cleaned to their end yet."""
    lexicon_version: int | None
    cleaner_version: str | None


def behind(read: Read, generation: int, batch_ids: Sequence[str] | None) -> list[Behind]:
    """Return the answers without a task of this or a newer generation, by the versions of their present results."""
    made_by = (clean_result.c.generation, clean_result.c.lexicon_version, clean_result.c.cleaner_version)
    counted: dict[tuple[int | None, int | None, str | None], int] = {}
    for part in _parts(batch_ids):
        query = (
            select(*made_by, func.count().label("answers"))
            .select_from(answer_sample)
            .outerjoin(clean_result, clean_result.c.source_task_id == answer_sample.c.sub_task_id)
            .where(_lacks(generation), _in(part))
            .group_by(*made_by)
        )
        for row in read.all(query):
            key = (row.generation, row.lexicon_version, row.cleaner_version)
            counted[key] = counted.get(key, 0) + int(row.answers)
    return [
        Behind(generation=key[0], lexicon_version=key[1], cleaner_version=key[2], answers=counted[key])
        for key in sorted(counted, key=lambda one: one[0] or 0)
    ]


def add_tasks(
    tx: Write, generation: int, batch_ids: Sequence[str] | None, *, pile_id: int, due_us: int, now: datetime
) -> int:
    """Make the tasks that are missing in a generation, put them into a pile, and return how many they are.

    Both tables are filled by the database from its own rows: a million answers take no memory here.
    """
    made = 0
    for part in _parts(batch_ids):
        states = insert(clean_state).from_select(*_states(generation, part, now))
        made += tx.run(states.execution_options(preserve_rowcount=True))  # PostgreSQL's is not kept for inserts
    if made:
        tx.run(insert(work_task).from_select(*_tasks(generation, pile_id, due_us)))
    return made


def _states(generation: int, batch_ids: Sequence[str] | None, now: datetime) -> tuple[list[str], Select[Any]]:
    """Return the columns of new clean tasks, and the query that makes them out of samples."""
    moment = literal(now, UtcDateTime)
    values: dict[Column[Any], ColumnElement[Any]] = {
        clean_state.c.clean_task_id: answer_sample.c.sub_task_id + literal(clean_task_id("", generation), String),
        clean_state.c.source_task_id: answer_sample.c.sub_task_id,
        clean_state.c.batch_id: answer_sample.c.batch_id,
        clean_state.c.generation: literal(generation, Integer),
        clean_state.c.current_state: literal(str(CleanState.PENDING), String),
        clean_state.c.state_history: literal([], JSON),
        clean_state.c.retry_count: literal(0, Integer),
        clean_state.c.created_at: moment,
        clean_state.c.updated_at: moment,
    }
    query = select(*values.values()).where(_lacks(generation), _in(batch_ids))
    return [column.name for column in values], query


def _tasks(generation: int, pile_id: int, due_us: int) -> tuple[list[str], Select[Any]]:
    """Return the columns of outstanding work, and the query that makes it out of tasks that are not on the ledger."""
    values: dict[Column[Any], ColumnElement[Any]] = {
        work_task.c.task_id: clean_state.c.clean_task_id,
        work_task.c.pile_id: literal(pile_id, Micros),
        work_task.c.due_us: literal(due_us, Micros),
        **{
            work_task.c[name]: literal(READY if name == "state" else 0, Integer)
            for name in ("state", "seq", "step", "failures", "interruptions", "crashes")
        },
    }
    waits = and_(
        clean_state.c.current_state == CleanState.PENDING,
        clean_state.c.generation == generation,
        ~exists().where(work_task.c.task_id == clean_state.c.clean_task_id),
    )
    return [column.name for column in values], select(*values.values()).where(waits)


def _lacks(generation: int) -> ColumnElement[bool]:
    """Return whether a sample has no task of this or a newer generation."""
    own = and_(clean_state.c.source_task_id == answer_sample.c.sub_task_id, clean_state.c.generation >= generation)
    return ~exists().where(own)


def _in(batch_ids: Sequence[str] | None) -> ColumnElement[bool]:
    return true() if batch_ids is None else answer_sample.c.batch_id.in_(batch_ids)


def _parts(batch_ids: Sequence[str] | None) -> Iterator[Sequence[str] | None]:
    """Yield the batches in parts that fit a list of values; None, all of them, is one part."""
    if batch_ids is None:
        yield None
    else:
        yield from chunks(batch_ids)
