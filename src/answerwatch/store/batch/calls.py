"""What was really sent for a batch: calls, retries, waits and prices, by platform."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func, select

from answerwatch.domain.batches import COLLECTED, AttemptOutcome
from answerwatch.store.database import Read
from answerwatch.store.schema.batch import call_attempt, task_batch
from answerwatch.store.schema.batch import question_usage_log as usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The calls of one batch to one platform."""

    platform: str
    calls: int
    first_at: datetime
    last_at: datetime | None
    """When the last one ended; None: not known of any."""
    price: float | None
    """Sum of the estimates that are known; None: of no call."""
    priced: int
    """Calls whose estimate is known."""
    retried: int
    """Calls that failed and were tried again."""
    throttled: int
    """Calls that were refused as too fast."""
    throttled_s: float
    """Waits after those, summed over all sub-tasks."""


def sent(read: Read, batch_id: str, throttled: str) -> list[Sent]:
    """Return the calls of a batch by platform; `throttled` is the class of failure of calls that came too fast."""
    call = call_attempt.c
    refused = call.error_type == throttled
    again = (call.outcome == AttemptOutcome.FAILED) & call.wait_s.is_not(None)
    query = (
        select(
            usage.c.platform,
            func.count().label("calls"),
            func.min(call.started_at).label("first_at"),
            func.max(call.ended_at).label("last_at"),
            func.sum(call.cost).label("price"),
            func.count(call.cost).label("priced"),
            func.sum(case((again, 1), else_=0)).label("retried"),
            func.sum(case((refused, 1), else_=0)).label("throttled"),
            func.sum(case((refused, call.wait_s))).label("throttled_s"),
        )
        .join(call_attempt, call.sub_task_id == usage.c.sub_task_id)
        .where(usage.c.batch_id == batch_id)
        .group_by(usage.c.platform)
        .order_by(usage.c.platform)
    )
    return [
        Sent(
            platform=row.platform,
            calls=int(row.calls),
            first_at=row.first_at,
            last_at=row.last_at,
            price=None if row.price is None else float(row.price),
            priced=int(row.priced),
            retried=int(row.retried),
            throttled=int(row.throttled),
            throttled_s=float(row.throttled_s or 0.0),
        )
        for row in read.all(query)
    ]


def beside(read: Read, batch_id: str, since: datetime, until: datetime) -> set[str]:
    """Return the platforms that other batches asked in a time, as far as their beginnings and ends tell."""
    batch = task_batch.c
    query = select(batch.platforms).where(
        batch.batch_id != batch_id,
        batch.origin == COLLECTED,
        batch.started_at < until,
        batch.completed_at.is_(None) | (batch.completed_at > since),
    )
    return {name for row in read.all(query) for name in row.platforms}
