"""Clean tasks of older generations that nobody has begun: they can be made anew with the newest lexicon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, exists, select

from answerwatch.domain.clean_states import CleanState
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.clean import clean_attempt, clean_state
from answerwatch.store.schema.work import READY, work_pile, work_task
from answerwatch.store.upsert import chunks


class Stale(NamedTuple):
    """A task that waits with an older lexicon or reader."""

    clean_task_id: str
    source_task_id: str
    batch_id: str
    group_id: str
    """Of the ledger: its batch, or a redo."""


def stale(read: Read, generation: int, *, most: int) -> list[Stale]:
    """Return pending tasks of older generations, never begun and in nobody's hand, by id."""
    begun = exists().where(clean_attempt.c.clean_task_id == clean_state.c.clean_task_id)
    query = (
        select(
            clean_state.c.clean_task_id, clean_state.c.source_task_id, clean_state.c.batch_id, work_pile.c.group_id
        )
        .join(work_task, work_task.c.task_id == clean_state.c.clean_task_id)
        .join(work_pile, work_pile.c.pile_id == work_task.c.pile_id)
        .where(
            clean_state.c.current_state == CleanState.PENDING,
            clean_state.c.generation < generation,
            work_task.c.state == READY,
            ~begun,
        )
        .order_by(clean_state.c.clean_task_id)
        .limit(most)
    )  # fmt: skip
    return [Stale(row.clean_task_id, row.source_task_id, row.batch_id, row.group_id) for row in read.all(query)]


def forget(tx: Write, ids: Sequence[str]) -> None:
    """Remove the states of tasks that were taken off the ledger without ever being begun."""
    for part in chunks(ids):
        tx.run(delete(clean_state).where(clean_state.c.clean_task_id.in_(part)))
