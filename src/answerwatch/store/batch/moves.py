"""How batches move between statuses: with their first call, with the outcomes of their sub-tasks, by a person's wish.

Their counters move in the same transaction. Every function takes its batches in id order, so that transactions never
wait for each other in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func, select, update

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.batches import OPEN, BatchStatus, Outcomes
from answerwatch.domain.work import COLLECT
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.batch import task_batch
from answerwatch.store.schema.work import work_group


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedBatch:
    """A batch that has just come to its end."""

    batch_id: str
    status: BatchStatus
    completed: int
    failed: int


def start(tx: Write, batch_ids: Iterable[str], now: datetime) -> None:
    """Set batches running with their first call; those that run already are left alone."""
    ids = sorted(set(batch_ids))
    tx.run(
        update(task_batch)
        .where(task_batch.c.batch_id.in_(ids), task_batch.c.batch_status == BatchStatus.PENDING)
        .values(batch_status=BatchStatus.RUNNING, started_at=now)
    )


def add_outcomes(tx: Write, outcomes: Mapping[str, Outcomes], now: datetime) -> list[FinishedBatch]:
    """Count outcomes in their batches and return the batches that have come to their end with it."""
    finished = []
    for batch_id in sorted(outcomes):
        more = outcomes[batch_id]
        tx.run(
            update(task_batch)
            .where(task_batch.c.batch_id == batch_id)
            .values(
                completed_sub_tasks=task_batch.c.completed_sub_tasks + more.completed,
                failed_sub_tasks=task_batch.c.failed_sub_tasks + more.failed,
            )
        )
        finished += _finish(tx, batch_id, now)
    return finished


def _finish(tx: Write, batch_id: str, now: datetime) -> list[FinishedBatch]:
    """End the batch when all its sub-tasks have an outcome."""
    ended = task_batch.c.completed_sub_tasks + task_batch.c.failed_sub_tasks
    status = case((task_batch.c.failed_sub_tasks == 0, BatchStatus.COMPLETED), else_=BatchStatus.PARTIAL)
    done = (task_batch.c.batch_id == batch_id) & task_batch.c.batch_status.in_(OPEN)
    changed = tx.run(
        update(task_batch)
        .where(done, ended >= task_batch.c.total_sub_tasks)
        .values(batch_status=status, completed_at=now, paused_at=None)
    )
    if not changed:
        return []
    _keep_stood(tx, batch_id)
    return [_finished(tx, batch_id)]


def stood_s(read: Read, batch_id: str) -> float | None:
    """Return the seconds since its first call for which the clock of an open batch stood; None: it has no clock."""
    group = work_group.c
    row = read.first(select(work_group).where(group.queue == COLLECT, group.group_id == batch_id))
    if row is None or row.started_us is None or row.deadline_us is None:
        return None
    now = 0 if row.idle_since_us is None else read.now_us() - int(row.idle_since_us)
    return max(0, int(row.deadline_us) - int(row.started_us) - int(row.budget_us) + now) / MICROSECONDS


def _keep_stood(tx: Write, batch_id: str) -> None:
    """Keep how long a batch stood, since its clock goes with its last task; one that is revived adds to it."""
    stood = stood_s(tx, batch_id)
    if stood is not None:
        mine = update(task_batch).where(task_batch.c.batch_id == batch_id)
        tx.run(mine.values(stood_s=func.coalesce(task_batch.c.stood_s, 0) + stood))


def _finished(tx: Write, batch_id: str) -> FinishedBatch:
    row = tx.all(select(task_batch).where(task_batch.c.batch_id == batch_id))[0]
    return FinishedBatch(
        batch_id=batch_id,
        status=BatchStatus(row.batch_status),
        completed=row.completed_sub_tasks,
        failed=row.failed_sub_tasks,
    )


def cancel(tx: Write, batch_id: str, now: datetime) -> bool:
    """End a batch by a person's wish; return whether it was still open."""
    values = {"batch_status": BatchStatus.CANCELLED, "completed_at": now, "paused_at": None}
    mine = (task_batch.c.batch_id == batch_id) & task_batch.c.batch_status.in_(OPEN)
    cancelled = tx.run(update(task_batch).where(mine).values(values)) == 1
    if cancelled:
        _keep_stood(tx, batch_id)
    return cancelled


def reopen(tx: Write, failed: Mapping[str, int]) -> None:
    """Take failures back because their sub-tasks are tried again; the batches run again, ended ones for a new time."""
    for batch_id in sorted(failed):
        _forget_clock(tx, batch_id)
        tx.run(
            update(task_batch)
            .where(task_batch.c.batch_id == batch_id)
            .values(
                failed_sub_tasks=task_batch.c.failed_sub_tasks - failed[batch_id],
                batch_status=BatchStatus.RUNNING,
                completed_at=None,
            )
        )


def _forget_clock(tx: Write, batch_id: str) -> None:
    """Begin the time of a batch anew if it has ended: its group may be there still, with a clock that was counted."""
    ended = select(task_batch.c.batch_id).where(
        task_batch.c.batch_id == batch_id, task_batch.c.batch_status.not_in(OPEN)
    )
    mine = (work_group.c.queue == COLLECT) & (work_group.c.group_id == batch_id)
    if tx.first(ended) is not None:
        tx.run(update(work_group).where(mine).values(started_us=None, deadline_us=None, idle_since_us=None))


def pause(tx: Write, batch_id: str, now: datetime) -> bool:
    """Mark an open batch as paused; return whether it was not."""
    mine = (task_batch.c.batch_id == batch_id) & task_batch.c.batch_status.in_(OPEN)
    return tx.run(update(task_batch).where(mine, task_batch.c.paused_at.is_(None)).values(paused_at=now)) == 1


def unpause(tx: Write, batch_id: str) -> bool:
    """Take the pause from a batch; return whether there was one."""
    mine = (task_batch.c.batch_id == batch_id) & task_batch.c.paused_at.is_not(None)
    return tx.run(update(task_batch).where(mine).values(paused_at=None)) == 1
