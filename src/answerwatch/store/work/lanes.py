"""Rows of the limiter: one per lane, locked while a reservation or a report moves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import select, update

from answerwatch.domain.limits import Breaker, LaneState
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.work import work_lane
from answerwatch.store.upsert import insert_new


def ensure(tx: Write, lane: str, *, rate: float | None, capacity: int | None, in_flight: int | None) -> None:
    """Make the lane, or give it new limits while it runs; what it has learnt stays."""
    new = LaneState(lane=lane, rate=rate, capacity=capacity, in_flight=in_flight)
    if insert_new(tx, work_lane, [asdict(new)]) == 0:
        limit(tx, lane, rate=rate, capacity=capacity, in_flight=in_flight)


def limit(tx: Write, lane: str, *, rate: float | None, capacity: int | None, in_flight: int | None) -> None:
    """Give the lane, where there is one, new limits while it runs; what it has learnt stays."""
    limits = {"rate": rate, "capacity": capacity, "in_flight": in_flight}
    tx.run(update(work_lane).where(work_lane.c.lane == lane).values(limits))


def lock(tx: Write, lane: str) -> LaneState | None:
    """Return the lane and keep others from moving it until this transaction ends; None when there is none."""
    row = tx.first(select(work_lane).where(work_lane.c.lane == lane).with_for_update())
    return None if row is None else _state(row._asdict())


def save(tx: Write, state: LaneState) -> None:
    """Store a lane that `lock` returned."""
    values = asdict(state)
    del values["lane"]
    tx.run(update(work_lane).where(work_lane.c.lane == state.lane).values(values))


def shift_back(tx: Write, by_us: int) -> None:
    """Move the moments that lie ahead by a (negative) time: the clock was set back, and they were told before."""
    now = tx.now_us()
    for name in sorted(state.lane for state in every(tx)):
        state = lock(tx, name)
        if state is None:
            continue
        times = {each: getattr(state, each) for each in ("tat_us", "cut_us", "blocked_us", "window_us", "breaker_us")}
        save(tx, replace(state, **{each: us + by_us for each, us in times.items() if us > now}))


def every(read: Read) -> Sequence[LaneState]:
    """Return all lanes by name."""
    return [_state(row._asdict()) for row in read.all(select(work_lane).order_by(work_lane.c.lane))]


def _state(values: dict[str, Any]) -> LaneState:
    return LaneState(**{**values, "breaker": Breaker(values["breaker"])})
