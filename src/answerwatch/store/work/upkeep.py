"""Keeping the ledger in order: tasks of dead workers come back, empty piles and groups go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, exists, or_, select, tuple_, update

from answerwatch.domain.work import Claim
from answerwatch.store.database import Write
from answerwatch.store.schema.work import FREE, LEASED, READY, work_group, work_pile, work_task
from answerwatch.store.upsert import chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A task whose workers died too often without an outcome; its claim has no token, since nobody holds it."""

    claim: Claim
    crashes: int


def take_back(tx: Write, *, queues: Sequence[str], dead_workers: Sequence[str]) -> list[Broken]:
    """Free the tasks whose lease ran out or whose worker is dead; return them with their number of crashes.

    The caller must settle, in this transaction, those that broke too often.
    """
    piles = select(work_pile.c.pile_id).where(work_pile.c.queue.in_(queues))
    lost = or_(work_task.c.lease_us < tx.now_us(), work_task.c.worker_id.in_(dead_workers))
    query = (
        select(work_task.c.task_id)
        .where(work_task.c.pile_id.in_(piles), work_task.c.state == LEASED, lost)
        .order_by(work_task.c.task_id)
        .with_for_update(skip_locked=True)
    )
    freed: list[Broken] = []
    for part in chunks([row.task_id for row in tx.all(query)]):
        more = {"interruptions": work_task.c.interruptions + 1, "crashes": work_task.c.crashes + 1}
        tx.run(update(work_task).where(work_task.c.task_id.in_(part)).values(**FREE, **more))
        freed += _broken(tx, part)
    return freed


def _broken(tx: Write, ids: Sequence[str]) -> list[Broken]:
    query = (
        select(work_task, work_pile.c.queue, work_pile.c.group_id, work_pile.c.lane)
        .join(work_pile, work_pile.c.pile_id == work_task.c.pile_id)
        .where(work_task.c.task_id.in_(ids))
        .order_by(work_task.c.task_id)
    )
    return [
        Broken(
            crashes=row.crashes,
            claim=Claim(
                task_id=row.task_id, queue=row.queue, group=row.group_id, lane=row.lane, step=row.step, token="",
                failures=row.failures, interruptions=row.interruptions, deadline_us=None,
            ),
        )
        for row in tx.all(query)
    ]  # fmt: skip


def shift_times(tx: Write, by_us: int) -> None:
    """Move all leases by a time in which nobody could renew them: those who live renew them, the dead are known.

    Where the time went back, work that was due stays due.
    """
    tx.run(update(work_task).where(work_task.c.state == LEASED).values(lease_us=work_task.c.lease_us + by_us))
    if by_us < 0:
        ahead = (work_task.c.state == READY) & (work_task.c.due_us > tx.now_us())
        tx.run(update(work_task).where(ahead).values(due_us=work_task.c.due_us + by_us))


def drop_empty(tx: Write) -> None:
    """Remove piles without work and groups without piles, so that the scheduler's tables stay small.

    Groups keep their deadline as long as they have work; a replay opens them again.
    Each removal locks first and looks again: under READ COMMITTED somebody may have added work in between. What
    somebody else has locked is about to be used: waiting for it would also be a deadlock, they lock groups first.
    """
    no_tasks = ~exists().where(work_task.c.pile_id == work_pile.c.pile_id)
    piles = tx.all(
        select(work_pile.c.pile_id).where(no_tasks).order_by(work_pile.c.pile_id).with_for_update(skip_locked=True)
    )
    for part in chunks([row.pile_id for row in piles]):
        tx.run(delete(work_pile).where(work_pile.c.pile_id.in_(part), no_tasks))
    same = (work_pile.c.queue == work_group.c.queue) & (work_pile.c.group_id == work_group.c.group_id)
    no_piles = ~exists().where(same)
    key = (work_group.c.queue, work_group.c.group_id)
    groups = tx.all(select(*key).where(no_piles).order_by(*key).with_for_update(skip_locked=True))
    for part in chunks([(row.queue, row.group_id) for row in groups]):
        tx.run(delete(work_group).where(tuple_(*key).in_(part), no_piles))
