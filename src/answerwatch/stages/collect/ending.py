"""Ending a batch before all its sub-tasks have an outcome: time-out and cancelling, and opening one again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime

from answerwatch.clock import MICROSECONDS, to_micros
from answerwatch.domain.alerts import AlertKind
from answerwatch.domain.batches import Outcomes
from answerwatch.domain.said import Said
from answerwatch.domain.work import COLLECT, NewTask, collect_lane
from answerwatch.stages.collect.records import FindsSurface
from answerwatch.store.batch import attempts, batches, moves, sub_tasks
from answerwatch.store.batch.sub_tasks import Ended
from answerwatch.store.database import Write
from answerwatch.store.ops import alerts
from answerwatch.store.work import ledger
from answerwatch.store.work.ledger import GroupSpec

BATCH_TIMEOUT = "batch_timeout"


def expire_batch(tx: Write, batch_id: str, now: datetime) -> int:
    """Record what is unfinished as failed and end the batch as partial; return how many sub-tasks that were.

    Whoever still works on one finds the fence closed: the answer becomes a late sample.
    """
    gone = ledger.remove(tx, ledger.outstanding(tx, COLLECT, batch_id))
    text = "the time of the batch was over before it had an answer; ask it in another batch, with more time"
    failed = sub_tasks.fail(tx, [Ended(sub_task_id=id_, error_type=BATCH_TIMEOUT, error=text) for id_ in gone], now)
    moves.add_outcomes(tx, {id_: Outcomes(failed=count) for id_, count in failed.items()}, now)
    count = sum(failed.values())
    text = f"the time of {batch_id} was over: {count} sub-tasks are recorded as failed"
    message = Said("alert_batch_timeout", text, batch=batch_id, count=count)
    alerts.ring(tx, kind=AlertKind.BATCH_TIMEOUT, subject=batch_id, cause=BATCH_TIMEOUT, message=message)
    return count


def cancel_batch(tx: Write, batch_id: str, now: datetime) -> int | None:
    """End a batch by a person's wish and return how many sub-tasks were dropped; None when it had ended already.

    What was collected stays and is cleaned; calls on their way become late samples.
    """
    gone = ledger.remove(tx, ledger.outstanding(tx, COLLECT, batch_id))
    if not moves.cancel(tx, batch_id, now):
        return None
    return sub_tasks.cancel(tx, gone, now)


def lane_of(platforms: FindsSurface, platform: str) -> str:
    """Return the lane on which a platform's calls run; raises UsageError for an unknown platform."""
    return collect_lane(platforms.get(platform).lane)


def revive_sub_tasks(tx: Write, task_ids: Sequence[str], lane: Callable[[str], str]) -> list[tuple[GroupSpec, NewTask]]:
    """Make failed sub-tasks pending again; return their groups and tasks for the ledger.

    Those of cancelled batches, and those that are not failed (any more), are left out.
    """
    rows = sub_tasks.reopen(tx, task_ids)
    moves.reopen(tx, Counter(row.batch_id for row in rows))
    made = attempts.highest(tx, [row.sub_task_id for row in rows])
    if not rows:
        return []
    wanted = batches.Wanted(ids=sorted({row.batch_id for row in rows}))
    groups = {batch.batch_id: _group(batch) for batch in batches.find(tx, wanted)}
    return [
        (
            groups[row.batch_id],
            NewTask(task_id=row.sub_task_id, lane=lane(row.platform), attempts_before=made[row.sub_task_id]),
        )
        for row in rows
    ]


def _group(batch: batches.Batch) -> GroupSpec:
    return GroupSpec(
        queue=COLLECT,
        group_id=batch.batch_id,
        brand_name=batch.brand_name,
        priority=batch.priority,
        order=to_micros(batch.created_at),
        budget_us=round(batch.timeout_s * MICROSECONDS),
    )
