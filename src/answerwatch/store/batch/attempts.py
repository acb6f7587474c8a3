"""Every request sent (`call_attempt`): one row each, however it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from answerwatch.domain.batches import AttemptOutcome
from answerwatch.domain.work import COLLECT
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.batch import call_attempt
from answerwatch.store.schema.ops import dead_letter
from answerwatch.store.upsert import insert_new, upsert


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRow:
    """One request."""

    sub_task_id: str
    attempt: int
    started_at: datetime
    ended_at: datetime | None
    outcome: AttemptOutcome
    error_type: str | None = None
    error: str | None = None
    http_status: int | None = None
    wait_s: float | None = None
    """Seconds until the next try."""
    wait_origin: str | None = None
    cost: float | None = None


_ALL_BUT_KEY = [column.name for column in call_attempt.columns if not column.primary_key]


def _values(row: AttemptRow) -> dict[str, object]:
    return {name: getattr(row, name) for name in AttemptRow.__slots__}


def record(tx: Write, rows: Sequence[AttemptRow]) -> None:
    """Store attempts; one that was noted as interrupted and turns out to be answered gets its real outcome."""
    upsert(tx, call_attempt, [_values(row) for row in rows], key=("sub_task_id", "attempt"), update=_ALL_BUT_KEY)


def record_late(tx: Write, rows: Sequence[AttemptRow]) -> None:
    """Store attempts whose claim was no longer theirs; what is stored already stays."""
    insert_new(tx, call_attempt, [_values(row) for row in rows])


def settled(read: Read, sub_task_ids: Sequence[str]) -> dict[str, set[int]]:
    """Return the attempts of each sub-task that cannot give it its sample any more.

    Interrupted and late ones are not among them: their answers may have been kept, and are paid for.
    """
    open_ = (AttemptOutcome.INTERRUPTED, AttemptOutcome.LATE)
    known = (call_attempt.c.sub_task_id.in_(sub_task_ids)) & (call_attempt.c.outcome.not_in(open_))
    found: dict[str, set[int]] = {id_: set() for id_ in sub_task_ids}
    for row in read.all(select(call_attempt.c.sub_task_id, call_attempt.c.attempt).where(known)):
        found[row.sub_task_id].add(row.attempt)
    return found


def highest(read: Read, sub_task_ids: Sequence[str]) -> dict[str, int]:
    """Return the highest attempt number that each sub-task has used, 0 for none.

    Dead letters are asked too: an attempt whose worker died has no row.
    """
    made = select(call_attempt.c.sub_task_id.label("id"), call_attempt.c.attempt.label("number"))
    dead = select(dead_letter.c.task_id.label("id"), dead_letter.c.attempts.label("number"))
    queries = (
        made.where(call_attempt.c.sub_task_id.in_(sub_task_ids)),
        dead.where(dead_letter.c.queue == COLLECT, dead_letter.c.task_id.in_(sub_task_ids)),
    )
    found = dict.fromkeys(sub_task_ids, 0)
    for query in queries:
        for row in read.all(query):
            found[row.id] = max(found[row.id], int(row.number))
    return found
