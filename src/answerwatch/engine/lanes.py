"""Applies the limits of lanes to claims, and what calls told to the limits.

The arithmetic is `domain/limits.py`, the rows are `store/lanes.py`; here they meet the ledger. A start is reserved in
the transaction that claims its task, for exactly as many tasks as were there, with the lane's row locked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.alerts import AlertKind
from answerwatch.domain.limits import Breaker, LaneEvent, LaneState, LimitPolicy, Signal, absorb, lateness_us, reserve
from answerwatch.domain.work import Claim
from answerwatch.engine.scheduler import Lot
from answerwatch.store.database import Read, Write
from answerwatch.store.ops import alerts
from answerwatch.store.work import lanes, ledger

ALERTS: Mapping[LaneEvent, AlertKind] = {
    LaneEvent.PARKED: AlertKind.LANE_PARKED,
    LaneEvent.STILL_PARKED: AlertKind.LANE_PARKED,
    LaneEvent.OPENED: AlertKind.BREAKER_OPEN,
}
"""Kinds of alerts by what happened to a lane; a breaker that closes needs nobody."""

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Claims of one lot with the moment at which each may start, in monotonic time."""

    claims: Sequence[Claim] = ()
    starts_s: Sequence[float] = ()
    late_s: float = math.inf
    """How late a start may be before it must be reserved anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A lane after signals: whether starts that were reserved on it before are still good."""

    lane: str
    closed: bool
    """Parked, or the breaker is open."""
    blocked_s: float
    """Seconds that the platform asked to wait; 0 for none."""


class Limiter:
    """The limits of all lanes under one policy; keeps no state of its own, the rows have it all."""

    def __init__(self, policy: LimitPolicy, horizon_s: float, monotonic: Callable[[], float]) -> None:
        """Reserve at most `horizon_s` ahead; moments are told in the time of `monotonic`."""
        self._policy = policy
        self._monotonic = monotonic
        self._horizon_us = round(horizon_s * MICROSECONDS)

    def promising(self, read: Read, lots: Sequence[Lot]) -> list[Lot]:
        """Return the lots whose lanes would grant something now, so that the others cost no write transaction."""
        states = {state.lane: state for state in lanes.every(read)} if lots else {}
        now = read.now_us()
        return [lot for lot in lots if lot.lane not in states or self._grants(read, states[lot.lane], now)]

    def _grants(self, read: Read, state: LaneState, now_us: int) -> bool:
        return bool(self._reserve(state, most=1, now_us=now_us, leased=_leased(read, state)))

    def _reserve(self, state: LaneState, *, most: int, now_us: int, leased: int) -> tuple[int, ...]:
        return self._reserved(state, most=most, now_us=now_us, leased=leased)[1]

    def _reserved(self, state: LaneState, *, most: int, now_us: int, leased: int) -> tuple[LaneState, tuple[int, ...]]:
        got = reserve(state, now_us=now_us, most=most, leased=leased, horizon_us=self._horizon_us, policy=self._policy)
        return got.lane, got.waits_us

    def take(self, tx: Write, lot: Lot, most: int, claim: Callable[[int], list[Claim]]) -> Grant:
        """Claim with `claim(n)` what the lane of the lot lets out of `most`, and move the bucket by exactly that."""
        state = lanes.lock(tx, lot.lane)
        if state is None:
            claims = claim(most)
            return Grant(claims=claims, starts_s=(self._monotonic(),) * len(claims))
        now, started, in_hand = tx.now_us(), self._monotonic(), _leased(tx, state)
        allowed = len(self._reserve(state, most=most, now_us=now, leased=in_hand))
        claims = claim(allowed) if allowed else []
        if not claims:
            return Grant()
        state, waits = self._reserved(state, most=len(claims), now_us=now, leased=in_hand)
        lanes.save(tx, state)
        return Grant(
            claims=claims,
            starts_s=tuple(started + wait / MICROSECONDS for wait in waits),
            late_s=lateness_us(state, self._policy) / MICROSECONDS,
        )

    def report(self, tx: Write, signals: Mapping[str, Sequence[Signal]]) -> list[Told]:
        """Let each lane absorb what its calls told, in lane order, and raise alerts.

        Lanes without limits learn nothing.
        """
        told: list[Told] = []
        for name in sorted(signals):
            state = lanes.lock(tx, name)
            if state is None:
                continue
            now = tx.now_us()
            for signal in signals[name]:
                before = state
                state, event = absorb(state, signal, now_us=now, policy=self._policy)
                if event is not None and event in ALERTS:
                    _ring(tx, state, event, lasts=before.parked and _cause(before) == _cause(state))
            lanes.save(tx, state)
            # What others were told holds up the starts that are reserved, and no later one: those ask the lane again.
            # More is not taken from the row: the clock may have been set since, and nobody would end the wait.
            own_us = max(((signal.wait_s or 0.0) * MICROSECONDS for signal in signals[name]), default=0.0)
            blocked_s = max(0.0, min(state.blocked_us - now, max(own_us, self._horizon_us))) / MICROSECONDS
            told.append(Told(lane=name, closed=state.breaker is not Breaker.CLOSED, blocked_s=blocked_s))
        return told


def _leased(read: Read, state: LaneState) -> int:
    """Count the lane's tasks in hand, where the number matters: for the cap and for a single probe."""
    if state.in_flight is None and state.breaker is Breaker.CLOSED:
        return 0
    return ledger.leased(read, state.lane)


def _ring(tx: Write, state: LaneState, event: LaneEvent, *, lasts: bool) -> None:
    ring = alerts.ring_on if lasts else alerts.ring  # what is still parked stays acknowledged
    ring(tx, kind=ALERTS[event], subject=state.lane, cause=_cause(state), message=state.breaker_reason or UNKNOWN)


def _cause(state: LaneState) -> str:
    return (state.breaker_reason or UNKNOWN).split(":", 1)[0]
