"""The ledger of outstanding work: SQL is the truth, a carrier only brings speed.

Every function works inside the caller's transaction. Ids decide: what is added twice is there once.
The claim token is the fence: an outcome is accepted only from the claim that holds the row now.
What is done rarely (taking back, cleaning up) is in `store/upkeep.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from sqlalchemy import Executable, Row, Select, Table, bindparam, case, func, select, update

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.ids import new_token
from answerwatch.domain.work import Claim, NewTask, Pile
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.work import FREE, LEASED, READY, work_group, work_pile, work_task
from answerwatch.store.upsert import IN_LIST, chunks, insert_new
from answerwatch.store.work.statements import PILES_OF_GROUPS, hot, ids_for


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


def open_group(tx: Write, spec: GroupSpec) -> None:
    """Make the group unless it is there, and keep `upkeep.drop_empty` off it until this transaction ends."""
    row = {
        "queue": spec.queue, "group_id": spec.group_id, "brand_name": spec.brand_name, "priority": spec.priority,
        "ord": spec.order, "held": 0, "budget_us": spec.budget_us,
        "started_us": None, "deadline_us": None, "idle_since_us": None,
    }  # fmt: skip
    mine = (work_group.c.queue == spec.queue) & (work_group.c.group_id == spec.group_id)
    _made_and_locked(tx, row, select(work_group.c.group_id).where(mine))


def add(tx: Write, queue: str, group_id: str, tasks: Iterable[NewTask], *, due_us: int | None = None) -> int:
    """Put tasks on the ledger and return how many were new; the group must be open. Memory stays bounded."""
    piles: dict[str, int] = {}
    due = tx.now_us() if due_us is None else due_us
    added = 0
    for part in chunks(tasks, 1000):
        for lane in sorted({task.lane for task in part} - piles.keys()):
            piles[lane] = pile_id(tx, queue, group_id, lane)
        added += insert_new(tx, work_task, [_new_row(task, piles[task.lane], due) for task in part])
    if added:
        tx.due.add(queue)
    return added


def _new_row(task: NewTask, pile_id: int, due_us: int) -> dict[str, object]:
    return {
        "task_id": task.task_id, "pile_id": pile_id, "due_us": due_us, "seq": task.seq, "step": 0,
        "failures": 0, "interruptions": task.attempts_before, "crashes": 0, **FREE,
    }  # fmt: skip


def pile_id(tx: Write, queue: str, group_id: str, lane: str) -> int:
    """Return the pile, made on first use and locked: it must not be dropped as empty before our tasks are visible."""
    mine = (work_pile.c.queue == queue) & (work_pile.c.group_id == group_id) & (work_pile.c.lane == lane)
    row = {"queue": queue, "group_id": group_id, "lane": lane}
    return int(_made_and_locked(tx, row, select(work_pile.c.pile_id).where(mine))[0])


def _made_and_locked(tx: Write, row: Mapping[str, object], query: Select[Any]) -> Row[Any]:
    """Make the row that the query finds unless it is there, and lock it.

    It can go in between: somebody who drops what is empty has locked it while our insert found it there.
    """
    (table,) = query.get_final_froms()
    while True:
        insert_new(tx, cast("Table", table), [row])
        found = tx.first(query.with_for_update())
        if found is not None:
            return found


def ready(read: Read, queues: Sequence[str]) -> list[Pile]:
    """Return the piles with work that nobody holds, due now or later, in the order in which they should be served.

    Groups that are held or whose time is over are left out; what a lane allows is the limiter's business.
    """
    return [
        Pile(
            pile_id=row.pile_id, queue=row.queue, group=row.group_id, lane=row.lane, brand_name=row.brand_name,
            priority=row.priority, order=row.ord, oldest_us=row.oldest,
        )
        for row in read.all(
            hot(read.dialect).ready, {"ids": ids_for(read.dialect, queues), "now": read.now_us()}
        )
        if row.oldest is not None
    ]  # fmt: skip


def due(read: Read, queues: Sequence[str]) -> list[Pile]:
    """Return those of the `ready` piles that have work due now."""
    now = read.now_us()
    return [pile for pile in ready(read, queues) if pile.oldest_us <= now]


_NEXT_DUE = (
    select(work_task.c.task_id)
    .where(work_task.c.pile_id == bindparam("pile"), work_task.c.state == READY, work_task.c.due_us <= bindparam("now"))
    .order_by(work_task.c.due_us, work_task.c.seq)
    .limit(bindparam("most"))
)


def next_due(read: Read, pile: Pile, *, most: int) -> list[str]:
    """Return the ids that a claim of the pile would take now, without taking them."""
    rows = _tuples(read, _NEXT_DUE, {"pile": pile.pile_id, "now": read.now_us(), "most": most})
    return [row[0] for row in rows]


_LEASED = (
    select(func.count())
    .select_from(work_task)
    .where(
        work_task.c.pile_id.in_(select(work_pile.c.pile_id).where(work_pile.c.lane == bindparam("lane"))),
        work_task.c.state == LEASED,
    )
)


def leased(read: Read, lane: str) -> int:
    """Return how many tasks of a lane are in hand: the in-flight cap counts these rows."""
    return int(read.scalar(_LEASED, {"lane": lane}))


def claim(tx: Write, pile: Pile, *, most: int, worker_id: str, lease_s: float) -> list[Claim]:
    """Take up to `most` due tasks of one pile: select them, update by ids, read back by the new token.

    Nothing is read back where the update changed every row, which is always so when the select could lock them.
    """
    now, sql = tx.now_us(), hot(tx.dialect)
    rows = _tuples(tx, sql.claimable, {"pile": pile.pile_id, "now": now, "most": min(most, IN_LIST)})
    if not rows:
        return []
    token, deadline = new_token(), _start_group(tx, pile, now)
    ids = ids_for(tx.dialect, [row[0] for row in rows])
    until = now + round(lease_s * MICROSECONDS)
    until = until if deadline is None else min(until, deadline)
    changed = tx.run(sql.claim, {"ids": ids, "new_token": token, "worker": worker_id, "until": until})
    if changed != len(rows):
        mine = {row[0] for row in _tuples(tx, sql.claimed, {"ids": ids, "new_token": token})}
        rows = [row for row in rows if row[0] in mine]
    return [
        # By position: with names it takes half as long again, and one is made for every task.
        Claim(task_id, pile.queue, pile.group, pile.lane, step, token, failures, interruptions, deadline)
        for task_id, step, failures, interruptions in rows
    ]


def _tuples(read: Read, statement: Executable, values: Mapping[str, object]) -> Sequence[tuple[Any, ...]]:
    """Return rows to be taken apart by position: looking up a column by name costs more than making a claim of it."""
    return cast("Sequence[tuple[Any, ...]]", read.all(statement, values))


_GROUP_CLOCK = select(
    work_group.c.started_us, work_group.c.budget_us, work_group.c.deadline_us, work_group.c.idle_since_us
).where(work_group.c.queue == bindparam("of_queue"), work_group.c.group_id == bindparam("of_group"))

_START_GROUP = (
    update(work_group)
    .where(
        work_group.c.queue == bindparam("of_queue"),
        work_group.c.group_id == bindparam("of_group"),
        work_group.c.started_us.is_(None),
    )
    .values(started_us=bindparam("now"), deadline_us=bindparam("deadline"))
)


def _start_group(tx: Write, pile: Pile, now: int) -> int | None:
    """Start the group's clock at its first claim and return its deadline."""
    mine = {"of_queue": pile.queue, "of_group": pile.group}
    row = tx.first(_GROUP_CLOCK, mine)
    if row is None:
        return None
    if row.started_us is not None:
        return _end_us(row, now)
    deadline = None if row.budget_us is None else now + int(row.budget_us)
    tx.run(_START_GROUP, {**mine, "now": now, "deadline": deadline})
    return deadline


def _end_us(clock: Row[Any], now: int) -> int | None:
    """Return the end of a group as things are now: while its clock stands still, the end moves on with the time."""
    if clock.deadline_us is None:
        return None
    stood_us = 0 if clock.idle_since_us is None else max(0, now - int(clock.idle_since_us))
    return int(clock.deadline_us) + stood_us


def renew(tx: Write, claims: Sequence[Claim], lease_s: float) -> set[str]:
    """Lengthen the leases and return the ids of the tasks that are still held by these claims.

    No lease is made to last beyond the deadline of its group as it is now (a pause may have moved it).
    """
    now = tx.now_us()
    held: set[str] = set()
    for part in chunks(claims):
        tokens = {claim.task_id: claim.token for claim in part}
        until: dict[int, list[str]] = {}
        for row in tx.all(hot(tx.dialect).tokens, {"ids": ids_for(tx.dialect, list(tokens))}):
            if row.token == tokens[row.task_id]:
                end, last = now + round(lease_s * MICROSECONDS), _end_us(row, now)
                until.setdefault(end if last is None else min(end, last), []).append(row.task_id)
        for end, ids in until.items():
            if end > now:
                same = {"tokens": list({tokens[id_] for id_ in ids}), "until": end}
                tx.run(hot(tx.dialect).renew, {"ids": ids_for(tx.dialect, ids), **same})
            held.update(ids)
    return held


def startable(read: Read, claims: Sequence[Claim]) -> set[str]:
    """Return the ids of the tasks that these claims still hold and whose groups are not paused."""
    tokens = {claim.task_id: claim.token for claim in claims}
    return {
        row.task_id
        for part in chunks(tokens)
        for row in read.all(hot(read.dialect).tokens, {"ids": ids_for(read.dialect, part)})
        if row.token == tokens[row.task_id] and not row.held
    }


class Fenced(NamedTuple):
    """What the fence found of claims that bring outcomes."""

    mine: list[Claim]
    """Claims that still hold their rows, in id order."""
    beyond: list[Claim]
    """Claims whose rows are theirs and at a later step: this outcome was stored before, and nobody was told."""


def fence(tx: Write, claims: Sequence[Claim]) -> Fenced:
    """Lock the rows of these claims, in id order, and tell which of them may store their outcome."""
    found = Fenced([], [])
    # A worker may have lost a task and claimed it anew: then it brings outcomes of both claims.
    by_claim = {(claim.task_id, claim.token): claim for claim in claims}
    for part in chunks(sorted({claim.task_id for claim in claims})):
        for task_id, token, step in _tuples(tx, hot(tx.dialect).fence, {"ids": ids_for(tx.dialect, part)}):
            claim = by_claim.get((task_id, token))
            if claim is not None:
                (found.mine if step == claim.step else found.beyond).append(claim)
    return found


def finish(tx: Write, claims: Sequence[Claim]) -> None:
    """Take tasks off the ledger; they must be survivors of the `fence` in this transaction."""
    _for_all(tx, hot(tx.dialect).finish, claims)


def advance(tx: Write, claims: Sequence[Claim]) -> None:
    """Move tasks to their next step, still held; a crash later starts from that step. An outcome clears the crashes."""
    _for_all(tx, hot(tx.dialect).advance, claims)


def retry(tx: Write, claim: Claim, due_us: int) -> None:
    """Count a classified failure and make the task ready again at `due_us`; an outcome clears the crashes."""
    values = {**FREE, "due_us": due_us, "failures": claim.failures + 1, "crashes": 0}
    tx.run(update(work_task).where(work_task.c.task_id == claim.task_id).values(values))


def hand_back(tx: Write, claims: Sequence[Claim], *, spent_attempt: bool) -> None:
    """Make tasks ready again without spending a retry; `spent_attempt` when a call had already gone out."""
    _for_all(tx, hot(tx.dialect).hand_back, claims, {"more": 1 if spent_attempt else 0})
    tx.due.update(claim.queue for claim in claims)


def _for_all(
    tx: Write, statement: Executable, claims: Sequence[Claim], values: Mapping[str, object] | None = None
) -> None:
    for part in chunks([claim.task_id for claim in claims]):
        tx.run(statement, {"ids": ids_for(tx.dialect, part), **(values or {})})


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
        locked = _tuples(tx, hot(tx.dialect).fence, {"ids": ids_for(tx.dialect, part)})
        there = [task_id for task_id, *_ in locked]
        tx.run(hot(tx.dialect).finish, {"ids": ids_for(tx.dialect, there)})
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
    """Since when its oldest task that is ready has been due; None where none is."""


def depths(read: Read, *, queue: str | None = None, group_id: str | None = None) -> list[Depth]:
    """Return how much work is outstanding, by pile; empty piles are left out."""
    now = read.now_us()
    due = (work_task.c.state == READY) & (work_task.c.due_us <= now)
    is_ready = func.sum(case((due, 1), else_=0))
    waiting = func.sum(case(((work_task.c.state == READY) & (work_task.c.due_us > now), 1), else_=0))
    in_hand = func.sum(case((work_task.c.state == LEASED, 1), else_=0))
    query = (
        select(
            work_pile.c.queue, work_pile.c.group_id, work_pile.c.lane, work_group.c.held,
            is_ready.label("ready"), waiting.label("waiting"), in_hand.label("in_hand"),
            func.min(case((due, work_task.c.due_us))).label("oldest"),
        )
        .select_from(PILES_OF_GROUPS.join(work_task, work_task.c.pile_id == work_pile.c.pile_id))
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
