"""Dead letters: work that failed for good, kept until a person replays or drops it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Select, delete, func, select, update

from answerwatch.clock import from_micros
from answerwatch.domain.failures import Failure
from answerwatch.domain.work import Claim
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.clean import clean_state
from answerwatch.store.schema.ops import dead_letter
from answerwatch.store.upsert import chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """One failure for good."""

    dead_id: int
    queue: str
    task_id: str
    group_id: str
    lane: str
    error_type: str
    error: str
    attempts: int
    failed_at: datetime
    replayed_at: datetime | None
    replayed_by: str | None
    payload: dict[str, object]
    """What else was known: step, failures, interruptions, HTTP status."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which dead letters; what is None does not filter."""

    dead_ids: Sequence[int] | None = None
    queue: str | None = None
    group_id: str | None = None
    """The batch."""
    task_id: str | None = None
    lane: str | None = None
    error_type: str | None = None
    replayed: bool | None = field(default=False)
    """False: only those that wait for a person; None: all."""


def write(tx: Write, letters: Sequence[tuple[Claim, Failure]]) -> None:
    """Write one dead letter for each task that failed for good."""
    if letters:
        now, batches = from_micros(tx.now_us()), _batches(tx, [claim.task_id for claim, _ in letters])
        tx.insert(dead_letter, [_row(claim, failure, batches, now) for claim, failure in letters])


def _batches(tx: Write, task_ids: Sequence[str]) -> dict[str, str]:
    """Return the batches of clean tasks: those of a redo lie in a group that is none."""
    query = select(clean_state.c.clean_task_id, clean_state.c.batch_id)
    return {
        row.clean_task_id: row.batch_id
        for part in chunks(task_ids)
        for row in tx.all(query.where(clean_state.c.clean_task_id.in_(part)))
    }


def _row(claim: Claim, failure: Failure, batches: Mapping[str, str], now: datetime) -> dict[str, object]:
    payload = {
        "step": claim.step, "failures": claim.failures, "interruptions": claim.interruptions,
        "http_status": failure.http_status,
    }  # fmt: skip
    return {
        "queue": claim.queue, "task_id": claim.task_id, "group_id": batches.get(claim.task_id, claim.group),
        "lane": claim.lane, "payload": payload, "error_type": failure.error_type, "error": failure.message,
        "attempts": claim.attempt, "failed_at": now, "replayed_at": None, "replayed_by": None,
    }  # fmt: skip


def find(read: Read, wanted: Filter, *, after: int = 0, most: int = 1000) -> list[DeadLetter]:
    """Return up to `most` dead letters with ids above `after`, in id order."""
    query = _where(select(dead_letter), wanted).where(dead_letter.c.dead_id > after)
    rows = read.all(query.order_by(dead_letter.c.dead_id).limit(most))
    return [DeadLetter(**row._asdict()) for row in rows]


def _where(query: Select[tuple[object, ...]], wanted: Filter) -> Select[tuple[object, ...]]:
    for name in ("queue", "group_id", "task_id", "lane", "error_type"):
        value = getattr(wanted, name)
        if value is not None:
            query = query.where(dead_letter.c[name] == value)
    if wanted.dead_ids is not None:
        query = query.where(dead_letter.c.dead_id.in_(wanted.dead_ids))
    if wanted.replayed is not None:
        unset = dead_letter.c.replayed_at.is_(None)
        query = query.where(~unset if wanted.replayed else unset)
    return query


def take_for_replay(tx: Write, dead_ids: Sequence[int], *, by: str) -> list[DeadLetter]:
    """Mark dead letters as replayed by a person and return those that were not before: a replay happens once."""
    taken: list[DeadLetter] = []
    for part in chunks(sorted(dead_ids)):
        waiting = select(dead_letter).where(dead_letter.c.dead_id.in_(part), dead_letter.c.replayed_at.is_(None))
        rows = tx.all(waiting.order_by(dead_letter.c.dead_id).with_for_update())
        taken += [DeadLetter(**row._asdict()) for row in rows]
        mine = dead_letter.c.dead_id.in_([row.dead_id for row in rows])
        tx.run(update(dead_letter).where(mine).values(replayed_at=from_micros(tx.now_us()), replayed_by=by))
    return taken


def take_for_drop(tx: Write, dead_ids: Sequence[int]) -> list[DeadLetter]:
    """Return dead letters, locked, so that nobody else drops or replays them before this transaction ends."""
    mine = select(dead_letter).where(dead_letter.c.dead_id.in_(dead_ids)).order_by(dead_letter.c.dead_id)
    return [DeadLetter(**row._asdict()) for row in tx.all(mine.with_for_update())]


def drop(tx: Write, dead_ids: Sequence[int]) -> int:
    """Delete dead letters and return how many there were; the tasks themselves stay failed."""
    return sum(tx.run(delete(dead_letter).where(dead_letter.c.dead_id.in_(part))) for part in chunks(dead_ids))


def count_open(read: Read, queue: str) -> int:
    """Return how many dead letters of a queue wait for a person."""
    mine = (dead_letter.c.queue == queue) & dead_letter.c.replayed_at.is_(None)
    return int(read.scalar(select(func.count()).select_from(dead_letter).where(mine)))
