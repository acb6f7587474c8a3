"""The ledger of outstanding work: SQL is the truth, a carrier only brings speed.

Every function works inside the caller's transaction. Ids decide: what is added twice is there once.
The claim token is the fence: an outcome is accepted only from the claim that holds the row now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Row, case, delete, exists, func, select, update

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.ids import new_token
from answerwatch.domain.work import Claim, NewTask, Pile
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.ledger import LEASED, READY, work_group, work_pile, work_task
from answerwatch.store.upsert import insert_new

T = TypeVar("T")

CHUNK = 500
"""Ids in one IN list at most: databases limit the number of bound values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSpec:
    """A group of tasks that is paused, ordered and timed as one: a batch, an import, a job."""

    queue: str
    group_id: str
    brand_name: str = ""
    priority: int = 0
    order: int = 0
    """Place among groups: a smaller one goes first; the creation time in microseconds is usual."""
    budget_us: int | None = None
    """Time-out counted from the first claim; None: no end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A task whose workers died too often without an outcome."""

    claim: Claim
    crashes: int


def chunks(items: Iterable[T], size: int = CHUNK) -> Iterator[list[T]]:
    """Yield lists of at most `size` items."""
    source = iter(items)
    while part := list(islice(source, size)):
        yield part


def open_group(tx: Write, spec: GroupSpec) -> None:
    """Make the group unless it is there."""
    row = {
        "queue": spec.queue, "group_id": spec.group_id, "brand_name": spec.brand_name, "priority": spec.priority,
        "ord": spec.order, "held": 0, "budget_us": spec.budget_us,
        "started_us": None, "deadline_us": None, "idle_since_us": None,
    }  # fmt: skip
    insert_new(tx, work_group, [row])


def add(tx: Write, queue: str, group_id: str, tasks: Iterable[NewTask], *, due_us: int | None = None) -> int:
    """Put tasks on the ledger and return how many were new; the group must be open. Memory stays bounded."""
    piles: dict[str, int] = {}
    due = tx.now_us() if due_us is None else due_us
    added = 0
    for part in chunks(tasks, 1000):
        for lane in {task.lane for task in part} - piles.keys():
            piles[lane] = _pile_id(tx, queue, group_id, lane)
        added += insert_new(tx, work_task, [_new_row(task, piles[task.lane], due) for task in part])
    return added


def _new_row(task: NewTask, pile_id: int, due_us: int) -> dict[str, object]:
    return {
        "task_id": task.task_id, "pile_id": pile_id, "state": READY, "due_us": due_us, "seq": task.seq, "step": 0,
        "token": None, "worker_id": None, "lease_us": None, "failures": 0, "interruptions": 0, "crashes": 0,
    }  # fmt: skip


def _pile_id(tx: Write, queue: str, group_id: str, lane: str) -> int:
    insert_new(tx, work_pile, [{"queue": queue, "group_id": group_id, "lane": lane}])
    mine = (work_pile.c.queue == queue) & (work_pile.c.group_id == group_id) & (work_pile.c.lane == lane)
    return int(tx.scalar(select(work_pile.c.pile_id).where(mine)))


_OLDEST = (
    select(func.min(work_task.c.due_us))
    .where(work_task.c.pile_id == work_pile.c.pile_id, work_task.c.state == READY)
    .scalar_subquery()
)


def due(read: Read, queues: Sequence[str]) -> list[Pile]:
    """Return the piles that have ready work now, in the order in which they should be served.

    Held groups are left out; what a lane allows is the limiter's business.
    """
    now = read.now_us()
    joined = work_pile.join(
        work_group, (work_group.c.queue == work_pile.c.queue) & (work_group.c.group_id == work_pile.c.group_id)
    )
    query = (
        select(work_pile, work_group.c.priority, work_group.c.ord, work_group.c.brand_name, _OLDEST.label("oldest"))
        .select_from(joined)
        .where(work_pile.c.queue.in_(queues), work_group.c.held == 0)
        .order_by(work_group.c.priority.desc(), work_group.c.ord, work_pile.c.pile_id)
    )
    return [
        Pile(
            pile_id=row.pile_id, queue=row.queue, group=row.group_id, lane=row.lane, brand_name=row.brand_name,
            priority=row.priority, order=row.ord, oldest_us=row.oldest,
        )
        for row in read.all(query)
        if row.oldest is not None and row.oldest <= now
    ]  # fmt: skip


def next_due_us(read: Read, queues: Sequence[str]) -> int | None:
    """Return when the earliest ready task of the queues that is not held comes due, or None for no such task."""
    joined = work_pile.join(
        work_group, (work_group.c.queue == work_pile.c.queue) & (work_group.c.group_id == work_pile.c.group_id)
    )
    inner = (
        select(_OLDEST.label("oldest"))
        .select_from(joined)
        .where(work_pile.c.queue.in_(queues), work_group.c.held == 0)
        .subquery()
    )
    found = read.scalar(select(func.min(inner.c.oldest)))
    return None if found is None else int(found)


def leased(read: Read, lane: str) -> int:
    """Return how many tasks of a lane are in hand: the in-flight cap counts these rows."""
    piles = select(work_pile.c.pile_id).where(work_pile.c.lane == lane)
    query = select(func.count()).select_from(work_task).where(work_task.c.pile_id.in_(piles), work_task.c.state == LEASED)
    return int(read.scalar(query))


def claim(tx: Write, pile: Pile, *, most: int, worker_id: str, lease_s: float) -> list[Claim]:
    """Take up to `most` due tasks of one pile: select their ids, update by ids, read back by the new token."""
    now = tx.now_us()
    query = (
        select(work_task.c.task_id)
        .where(work_task.c.pile_id == pile.pile_id, work_task.c.state == READY, work_task.c.due_us <= now)
        .order_by(work_task.c.due_us, work_task.c.seq)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    ids = [row.task_id for row in tx.all(query)]
    if not ids:
        return []
    token = new_token()
    tx.run(
        update(work_task)
        .where(work_task.c.task_id.in_(ids), work_task.c.state == READY)
        .values(state=LEASED, token=token, worker_id=worker_id, lease_us=now + round(lease_s * MICROSECONDS))
    )
    deadline = _start_group(tx, pile, now)
    rows = tx.all(
        select(work_task)
        .where(work_task.c.task_id.in_(ids), work_task.c.token == token)
        .order_by(work_task.c.due_us, work_task.c.seq)
    )
    return [_claim(row, pile, deadline) for row in rows]


def _claim(row: Row[Any], pile: Pile, deadline: int | None) -> Claim:
    return Claim(
        task_id=row.task_id, queue=pile.queue, group=pile.group, lane=pile.lane, step=row.step, token=row.token,
        failures=row.failures, interruptions=row.interruptions, deadline_us=deadline,
    )  # fmt: skip


def _start_group(tx: Write, pile: Pile, now: int) -> int | None:
    """Start the group's clock at its first claim and return its deadline."""
    mine = (work_group.c.queue == pile.queue) & (work_group.c.group_id == pile.group)
    row = tx.first(select(work_group.c.started_us, work_group.c.budget_us, work_group.c.deadline_us).where(mine))
    if row is None:
        return None
    if row.started_us is not None:
        return None if row.deadline_us is None else int(row.deadline_us)
    deadline = None if row.budget_us is None else now + int(row.budget_us)
    tx.run(update(work_group).where(mine, work_group.c.started_us.is_(None)).values(started_us=now, deadline_us=deadline))
    return deadline


def renew(tx: Write, claims: Sequence[Claim], lease_s: float) -> set[str]:
    """Lengthen the leases and return the ids of the tasks that are still held by these claims."""
    now = tx.now_us()
    held: set[str] = set()
    for part in chunks(claims):
        tokens = {claim.task_id: claim.token for claim in part}
        mine = work_task.c.task_id.in_(tokens) & work_task.c.token.in_(set(tokens.values()))
        tx.run(update(work_task).where(mine).values(lease_us=now + round(lease_s * MICROSECONDS)))
        rows = tx.all(select(work_task.c.task_id, work_task.c.token).where(mine))
        held |= {row.task_id for row in rows if tokens[row.task_id] == row.token}
    return held


def still_mine(tx: Write, claims: Sequence[Claim]) -> list[Claim]:
    """Lock the rows that these claims still hold, in id order, and return those claims in that order."""
    survivors: list[Claim] = []
    by_id = {claim.task_id: claim for claim in claims}
    for part in chunks(sorted(by_id)):
        query = (
            select(work_task.c.task_id, work_task.c.token)
            .where(work_task.c.task_id.in_(part))
            .order_by(work_task.c.task_id)
            .with_for_update()
        )
        survivors += [by_id[row.task_id] for row in tx.all(query) if row.token == by_id[row.task_id].token]
    return survivors


def finish(tx: Write, claims: Sequence[Claim]) -> None:
    """Take tasks off the ledger; they must be survivors of `still_mine` in this transaction."""
    for part in chunks([claim.task_id for claim in claims]):
        tx.run(delete(work_task).where(work_task.c.task_id.in_(part)))


def advance(tx: Write, claims: Sequence[Claim]) -> None:
    """Move tasks to their next step, still held; a crash later starts from that step."""
    for part in chunks([claim.task_id for claim in claims]):
        tx.run(update(work_task).where(work_task.c.task_id.in_(part)).values(step=work_task.c.step + 1))


def retry(tx: Write, claim: Claim, due_us: int) -> None:
    """Count a classified failure and make the task ready again at `due_us`; an outcome clears the crashes."""
    tx.run(
        update(work_task)
        .where(work_task.c.task_id == claim.task_id)
        .values(**_FREE, due_us=due_us, failures=claim.failures + 1, crashes=0)
    )


def hand_back(tx: Write, claims: Sequence[Claim], *, spent_attempt: bool) -> None:
    """Make tasks ready again without spending a retry; `spent_attempt` when a call had already gone out."""
    more = 1 if spent_attempt else 0
    for part in chunks([claim.task_id for claim in claims]):
        tx.run(
            update(work_task)
            .where(work_task.c.task_id.in_(part))
            .values(**_FREE, interruptions=work_task.c.interruptions + more)
        )


_FREE = {"state": READY, "token": None, "worker_id": None, "lease_us": None}


def take_back(tx: Write, *, dead_workers: Sequence[str], max_crashes: int) -> tuple[int, list[Broken]]:
    """Free the tasks whose lease ran out or whose worker is dead; return how many, and those that died too often.

    The latter stay leased to nobody (a fresh token, no lease) until the caller has settled them in this transaction.
    """
    now = tx.now_us()
    lost = (work_task.c.state == LEASED) & (work_task.c.lease_us < now)
    if dead_workers:
        lost = (work_task.c.state == LEASED) & ((work_task.c.lease_us < now) | work_task.c.worker_id.in_(dead_workers))
    in_piles = work_task.c.pile_id.in_(select(work_pile.c.pile_id))
    query = select(work_task.c.task_id).where(in_piles, lost).order_by(work_task.c.task_id).with_for_update(skip_locked=True)
    ids = [row.task_id for row in tx.all(query)]
    broken: list[Broken] = []
    for part in chunks(ids):
        tx.run(
            update(work_task)
            .where(work_task.c.task_id.in_(part))
            .values(**_FREE, interruptions=work_task.c.interruptions + 1, crashes=work_task.c.crashes + 1)
        )
        broken += _broken(tx, part, max_crashes)
    return len(ids), broken


def _broken(tx: Write, ids: Sequence[str], max_crashes: int) -> list[Broken]:
    query = (
        select(work_task, work_pile.c.queue, work_pile.c.group_id, work_pile.c.lane)
        .join(work_pile, work_pile.c.pile_id == work_task.c.pile_id)
        .where(work_task.c.task_id.in_(ids), work_task.c.crashes >= max_crashes)
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


def outstanding(read: Read, queue: str, group_id: str) -> list[str]:
    """Return the ids of all tasks of a group that have no outcome yet, in id order."""
    query = (
        select(work_task.c.task_id)
        .join(work_pile, work_pile.c.pile_id == work_task.c.pile_id)
        .where(work_pile.c.queue == queue, work_pile.c.group_id == group_id)
        .order_by(work_task.c.task_id)
    )
    return [row.task_id for row in read.all(query)]


def remove(tx: Write, ids: Sequence[str]) -> list[str]:
    """Take tasks off the ledger whoever holds them (time-out, cancel) and return those that were there.

    A worker that still works on one finds the fence closed and its answer becomes a late one.
    """
    gone: list[str] = []
    for part in chunks(sorted(ids)):
        query = select(work_task.c.task_id).where(work_task.c.task_id.in_(part)).order_by(work_task.c.task_id)
        there = [row.task_id for row in tx.all(query.with_for_update())]
        tx.run(delete(work_task).where(work_task.c.task_id.in_(there)))
        gone += there
    return gone


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """How much of a pile is where."""

    queue: str
    group: str
    lane: str
    ready: int
    """Due now."""
    waiting: int
    """Due later: retries."""
    leased: int
    held: bool
    oldest_due_us: int | None


def depths(read: Read, *, queue: str | None = None, group_id: str | None = None) -> list[Depth]:
    """Return how much work is outstanding, by pile; empty piles are left out."""
    now = read.now_us()
    ready = func.sum(case(((work_task.c.state == READY) & (work_task.c.due_us <= now), 1), else_=0))
    waiting = func.sum(case(((work_task.c.state == READY) & (work_task.c.due_us > now), 1), else_=0))
    in_hand = func.sum(case((work_task.c.state == LEASED, 1), else_=0))
    query = (
        select(
            work_pile.c.queue, work_pile.c.group_id, work_pile.c.lane, work_group.c.held,
            ready.label("ready"), waiting.label("waiting"), in_hand.label("in_hand"),
            func.min(work_task.c.due_us).label("oldest"),
        )
        .join(work_task, work_task.c.pile_id == work_pile.c.pile_id)
        .join(work_group, (work_group.c.queue == work_pile.c.queue) & (work_group.c.group_id == work_pile.c.group_id))
        .group_by(work_pile.c.queue, work_pile.c.group_id, work_pile.c.lane, work_group.c.held)
        .order_by(work_pile.c.queue, work_pile.c.group_id, work_pile.c.lane)
    )  # fmt: skip
    if queue is not None:
        query = query.where(work_pile.c.queue == queue)
    if group_id is not None:
        query = query.where(work_pile.c.group_id == group_id)
    return [
        Depth(
            queue=row.queue, group=row.group_id, lane=row.lane, ready=int(row.ready), waiting=int(row.waiting),
            leased=int(row.in_hand), held=bool(row.held), oldest_due_us=row.oldest,
        )
        for row in read.all(query)
    ]  # fmt: skip


def drop_empty(tx: Write) -> None:
    """Remove piles without work and groups without piles, so that the scheduler's tables stay small.

    Groups keep their deadline as long as they have work; a replay opens them again.
    """
    tx.run(delete(work_pile).where(~exists().where(work_task.c.pile_id == work_pile.c.pile_id)))
    tx.run(
        delete(work_group).where(
            ~exists().where((work_pile.c.queue == work_group.c.queue) & (work_pile.c.group_id == work_group.c.group_id))
        )
    )

