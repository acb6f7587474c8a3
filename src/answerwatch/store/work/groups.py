"""Groups of the ledger: pause, resume, time-outs."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, select, update

from answerwatch.domain.limits import NEEDS_PERSON
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.work import work_group, work_lane, work_pile, work_task


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupClock:
    """The time-out of one group."""

    queue: str
    group_id: str
    held: bool
    started_us: int | None
    deadline_us: int | None
    idle_since_us: int | None


def _is(queue: str, group_id: str) -> ColumnElement[bool]:
    return and_(work_group.c.queue == queue, work_group.c.group_id == group_id)


def hold(tx: Write, queue: str, group_id: str) -> bool:
    """Pause a group; return whether it was running. Its clock stops."""
    values = {"held": 1, "idle_since_us": tx.now_us()}
    return tx.run(update(work_group).where(_is(queue, group_id), work_group.c.held == 0).values(values)) == 1


def release(tx: Write, queue: str, group_id: str) -> bool:
    """Let a paused group go on; return whether it was paused. The pause is left out of its time-out."""
    row = tx.first(select(work_group).where(_is(queue, group_id), work_group.c.held == 1))
    if row is None:
        return False
    tx.run(update(work_group).where(_is(queue, group_id)).values(held=0))
    stop_idling(tx, queue, group_id)
    tx.due.add(queue)
    return True


def start_idling(tx: Write, queue: str, group_id: str) -> None:
    """Stop the clock of a group that can do nothing (all its lanes parked)."""
    idle_is_null = work_group.c.idle_since_us.is_(None)
    tx.run(update(work_group).where(_is(queue, group_id), idle_is_null).values(idle_since_us=tx.now_us()))


def stop_idling(tx: Write, queue: str, group_id: str) -> None:
    """Let the clock of a group run again; the time in between moves its deadline."""
    row = tx.first(select(work_group.c.idle_since_us, work_group.c.deadline_us).where(_is(queue, group_id)))
    if row is None or row.idle_since_us is None:
        return
    deadline = None if row.deadline_us is None else row.deadline_us + max(0, tx.now_us() - row.idle_since_us)
    tx.run(update(work_group).where(_is(queue, group_id)).values(idle_since_us=None, deadline_us=deadline))


def shift_clocks(tx: Write, by_us: int) -> None:
    """Move the deadlines of all groups whose clock runs: nothing of ours was running for that long.

    Where the time went back, clocks that stand go back with it.
    """
    running = and_(work_group.c.deadline_us.is_not(None), work_group.c.idle_since_us.is_(None))
    tx.run(update(work_group).where(running).values(deadline_us=work_group.c.deadline_us + by_us))
    if by_us < 0:
        moved = {"deadline_us": work_group.c.deadline_us + by_us, "idle_since_us": work_group.c.idle_since_us + by_us}
        tx.run(update(work_group).where(work_group.c.idle_since_us.is_not(None)).values(moved))


def clocks(read: Read, queue: str, group_id: str | None = None) -> list[GroupClock]:
    """Return the clocks of all groups of a queue, or of one of them while it has work."""
    columns = (
        work_group.c.queue, work_group.c.group_id, work_group.c.held, work_group.c.started_us,
        work_group.c.deadline_us, work_group.c.idle_since_us,
    )  # fmt: skip
    query = select(*columns).where(work_group.c.queue == queue)
    return [
        GroupClock(
            queue=row.queue, group_id=row.group_id, held=bool(row.held), started_us=row.started_us,
            deadline_us=row.deadline_us, idle_since_us=row.idle_since_us,
        )
        for row in read.all(query if group_id is None else query.where(work_group.c.group_id == group_id))
    ]  # fmt: skip


def all_parked(read: Read, queue: str, group_id: str) -> bool:
    """Tell whether the group has work and all of it lies on parked lanes."""
    has_work = exists().where(work_task.c.pile_id == work_pile.c.pile_id)
    query = (
        select(work_pile.c.lane, work_lane.c.breaker)
        .outerjoin(work_lane, work_lane.c.lane == work_pile.c.lane)
        .where(work_pile.c.queue == queue, work_pile.c.group_id == group_id, has_work)
    )
    rows = read.all(query)
    return bool(rows) and all(row.breaker in NEEDS_PERSON for row in rows)


def is_over(tx: Write, queue: str, group_id: str) -> bool:
    """Tell whether the group's time is over now, and keep others from moving its clock until this transaction ends."""
    columns = (work_group.c.held, work_group.c.deadline_us, work_group.c.idle_since_us)
    row = tx.first(select(*columns).where(_is(queue, group_id)).with_for_update())
    if row is None or row.held or row.deadline_us is None or row.idle_since_us is not None:
        return False
    return int(row.deadline_us) < tx.now_us()
