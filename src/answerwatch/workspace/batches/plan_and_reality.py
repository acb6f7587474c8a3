"""Plan and reality of a batch side by side, with the reasons that the rows tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from answerwatch.clock import from_micros
from answerwatch.domain.batches import FINISHED
from answerwatch.platforms.records import Means
from answerwatch.store.batch import batches, calls
from answerwatch.store.database import Read
from answerwatch.workspace.batches.views import Comparison, Difference

NOTABLE_S = 1.0
"""Seconds of standing still that are told: a pause that is taken back at once is none."""


def compare(read: Read, batch: batches.Batch, stood_s: float | None) -> tuple[Comparison, ...]:
    """Return plan and reality by platform; nothing for an import, which asked nobody.

    `stood_s`: the seconds for which the batch stood still so far; None: it was never begun.
    """
    planned: dict[str, Mapping[str, Any]] = {str(one["platform"]): one for one in batch.planned or ()}
    real = {one.platform: one for one in calls.sent(read, batch.batch_id, str(Means.RATE_LIMITED))}
    if not planned and not real:
        return ()
    until = batch.completed_at or from_micros(read.now_us())
    others = calls.beside(read, batch.batch_id, batch.started_at, until) if batch.started_at else set()
    open_ = batch.batch_status not in FINISHED
    beyond = [Difference.OPEN] if open_ else []
    if stood_s is not None and stood_s >= NOTABLE_S:
        beyond.append(Difference.STOOD)
    names = [*planned, *(name for name in real if name not in planned)]
    return tuple(_one(name, planned.get(name), real.get(name), beyond, shared=name in others) for name in names)


def _one(
    name: str,
    planned: Mapping[str, Any] | None,
    real: calls.Sent | None,
    beyond: Sequence[Difference],
    *,
    shared: bool,
) -> Comparison:
    plan = planned or {}
    return Comparison(
        platform=name,
        planned_calls=plan.get("calls"),
        calls=0 if real is None else real.calls,
        planned_s=plan.get("duration_s"),
        duration_s=None if real is None or real.last_at is None else (real.last_at - real.first_at).total_seconds(),
        planned_price=plan.get("price"),
        price=None if real is None else real.price,
        currency=plan.get("currency"),
        retries=0 if real is None else real.retried,
        throttled=0 if real is None else real.throttled,
        throttled_s=0.0 if real is None else real.throttled_s,
        differences=(*beyond, *_differences(plan.get("calls"), real, open_=Difference.OPEN in beyond, shared=shared)),
    )


def _differences(planned: int | None, real: calls.Sent | None, *, open_: bool, shared: bool) -> list[Difference]:
    if real is None:
        return [] if open_ else [Difference.NOT_ASKED]
    found = []
    if real.retried:
        found.append(Difference.RETRIES)
    if real.throttled:
        found.append(Difference.THROTTLED)
    if planned is not None and real.calls - real.retried < planned and not open_:
        found.append(Difference.NOT_ASKED)
    if shared:
        found.append(Difference.SHARED)
    if real.priced < real.calls:
        found.append(Difference.UNPRICED)
    return found
