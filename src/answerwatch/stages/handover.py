"""The one unit of work that stages share: a stored sample becomes a clean task in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from answerwatch.domain.work import CLEAN, NewTask
from answerwatch.store.bank import lexicons
from answerwatch.store.clean import cleaning_tasks, generations
from answerwatch.store.clean.generations import Generation
from answerwatch.store.database import Write
from answerwatch.store.work import ledger

CLEAN_LANE = "clean"


def hand_over(
    tx: Write, samples: Mapping[str, Sequence[str]], *, cleaner_version: str, now: datetime, priority: int = 0
) -> int:
    """Make clean tasks in the current generation for samples, given by batch, and return how many are new work."""
    generation = generations.current(tx, lexicons.newest_number(tx), cleaner_version, now)
    return sum(
        queue_samples(tx, batch_id, samples[batch_id], generation, now=now, priority=priority)
        for batch_id in sorted(samples)
    )


def queue_samples(
    tx: Write, batch_id: str, sub_task_ids: Iterable[str], generation: Generation, *, now: datetime, priority: int = 0
) -> int:
    """Make the clean tasks of one batch's samples in a generation and put them on the ledger, those not yet there."""
    made = cleaning_tasks.create(tx, [(id_, batch_id) for id_ in sub_task_ids], generation.generation, now)
    if not made:
        return 0
    ledger.open_group(tx, ledger.GroupSpec(queue=CLEAN, group_id=batch_id, priority=priority, order=tx.now_us()))
    return ledger.add(tx, CLEAN, batch_id, (NewTask(task_id=id_, lane=CLEAN_LANE) for id_ in made))
