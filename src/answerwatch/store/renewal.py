"""Clean tasks of older generations that nobody has begun: they can be made anew with the newest lexicon."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import delete, exists, select

from answerwatch.domain.clean_states import CleanState
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.clean import clean_attempt, clean_state
from answerwatch.store.schema.ledger import READY, work_task
from answerwatch.store.upsert import chunks


def stale(read: Read, generation: int) -> list[tuple[str, str, str]]:
    """Return (task, sample, batch) of pending tasks of other generations, never begun and in nobody's hand, by id."""
    begun = exists().where(clean_attempt.c.clean_task_id == clean_state.c.clean_task_id)
    query = (
        select(clean_state.c.clean_task_id, clean_state.c.source_task_id, clean_state.c.batch_id)
        .join(work_task, work_task.c.task_id == clean_state.c.clean_task_id)
        .where(
            clean_state.c.current_state == CleanState.PENDING,
            clean_state.c.generation < generation,
            work_task.c.state == READY,
            ~begun,
        )
        .order_by(clean_state.c.clean_task_id)
    )
    return [(row.clean_task_id, row.source_task_id, row.batch_id) for row in read.all(query)]


def forget(tx: Write, ids: Sequence[str]) -> None:
    """Remove the states of tasks that were taken off the ledger without ever being begun."""
    for part in chunks(ids):
        tx.run(delete(clean_state).where(clean_state.c.clean_task_id.in_(part)))


def by_batch(tasks: Sequence[tuple[str, str, str]]) -> dict[str, list[str]]:
    """Return the samples of tasks by batch."""
    samples: defaultdict[str, list[str]] = defaultdict(list)
    for _, sample, batch in tasks:
        samples[batch].append(sample)
    return dict(samples)
