"""How fast one lane may go: token bucket (GCRA), adaptive factor, breaker. Pure: a state and an event give a state.

GCRA (generic cell rate algorithm) keeps one number, the theoretical arrival time. With `capacity` c and emission
interval T = 1 / (rate x factor), a start at t conforms when t >= tat - (c - 1) / rate; then tat = max(tat, t) + T.
In any window of length w at most c + rate x w starts conform. The tolerance is not stretched by the factor: a cut
would otherwise let the next start out earlier.

A machine under load starts calls late, and several processes late by different times would together exceed the bucket.
Starts that conform to a tolerance shortened by L conform to the whole one however late each is, up to L: so part of the
tolerance is kept for lateness (`lateness_us`), and a start that is later is given up and reserved anew.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from answerwatch.domain.failures import LONGEST_WAIT_S

MICROS = 1_000_000


class Breaker(StrEnum):
    """Whether calls may go out at all."""

    CLOSED = "closed"
    """Calls flow."""
    OPEN = "open"
    """Too many transport faults in a row: nothing starts for a while."""
    HALF_OPEN = "half_open"
    """One call tries whether the connection is back."""
    PARKED = "parked"
    """Trouble with key, account or our own set-up: a person must act."""
    PROBING = "probing"
    """One call tries whether that trouble is over."""


NEEDS_PERSON = frozenset({Breaker.PARKED, Breaker.PROBING})
"""States of a lane that only a person, or a call that succeeds, ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitPolicy:
    """The numbers of adaptive control (platforms.md section 21)."""

    cut: float = 0.7
    floor: float = 0.05
    cut_every_s: float = 15.0
    """At most one cut in this time: one burst of throttling is one event."""
    grow: float = 0.02
    grow_calls: int = 20
    grow_s: float = 30.0
    used_share: float = 0.8
    """The factor grows only when at least this share of the allowed starts was used."""
    faults_to_open: int = 5
    open_s: float = 60.0
    probe_parked_s: float = 900.0
    late_s: float = 0.25
    """How late a start may be, where the burst of the bucket has room for it: a hiccup of a busy machine."""
    longest_wait_s: float = LONGEST_WAIT_S
    """What a platform may ask us to wait at most; the rests of a breaker grow up to here too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneState:
    """One lane as stored. Times are ledger times (microseconds)."""

    lane: str
    rate: float | None = None
    """Tokens a second; None: no bucket."""
    capacity: int | None = None
    in_flight: int | None = None
    """Leased tasks at most; None: no cap."""
    tat_us: int = 0
    factor: float = 1.0
    cut_us: int = 0
    blocked_us: int = 0
    window_us: int = 0
    window_calls: int = 0
    faults: int = 0
    breaker: Breaker = Breaker.CLOSED
    breaker_reason: str | None = None
    breaker_us: int = 0
    openings: int = 0
    answer_us: int | None = None

    @property
    def parked(self) -> bool:
        """Tell whether a person must act on the lane."""
        return self.breaker in NEEDS_PERSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserved:
    """Starts that were granted, as waits from now."""

    lane: LaneState
    """The state after the reservation; must be stored with it."""
    waits_us: tuple[int, ...]


def _probe_after_us(lane: LaneState, policy: LimitPolicy) -> int:
    base = policy.probe_parked_s if lane.breaker is Breaker.PARKED else policy.open_s
    return round(min(base * 2.0 ** max(0, lane.openings - 1), max(base, policy.longest_wait_s)) * MICROS)


def _let_probe(lane: LaneState, now_us: int, policy: LimitPolicy) -> tuple[LaneState, bool]:
    """Return the lane and whether the breaker lets exactly one probe through now."""
    if lane.breaker in (Breaker.HALF_OPEN, Breaker.PROBING):
        return lane, True
    if now_us < lane.breaker_us + _probe_after_us(lane, policy):
        return lane, False
    state = Breaker.PROBING if lane.breaker is Breaker.PARKED else Breaker.HALF_OPEN
    return replace(lane, breaker=state), True


def room(lane: LaneState, leased: int, most: int) -> int:
    """Return how many more tasks the in-flight cap lets out; a crash cannot leak it: leases are counted.

    The factor narrows the cap too: where a platform limits calls at a time, the cap is the main control.
    """
    return most if lane.in_flight is None else max(0, min(most, _cap(lane, lane.in_flight) - leased))


def _cap(lane: LaneState, in_flight: int) -> int:
    return min(in_flight, max(1, round(in_flight * lane.factor)))


def reserve(lane: LaneState, *, now_us: int, most: int, leased: int, horizon_us: int, policy: LimitPolicy) -> Reserved:
    """Grant up to `most` starts within the horizon; `leased` counts the lane's tasks in hand.

    Moves the bucket once for all of them. An empty result means: not now.
    """
    lane = _on_this_clock(lane, now_us, horizon_us, policy)
    most = room(lane, leased, most)
    if lane.breaker is not Breaker.CLOSED:
        lane, may_probe = _let_probe(lane, now_us, policy)
        most = 1 if may_probe and leased == 0 and most > 0 else 0
    first = max(now_us, lane.blocked_us)
    if most <= 0 or first > now_us + horizon_us:
        return Reserved(lane=lane, waits_us=())
    return _from_bucket(lane, now_us, first, most=most, horizon_us=horizon_us, policy=policy)


def _interval_us(lane: LaneState, rate: float) -> float:
    return MICROS / (rate * lane.factor)


def _burst_us(lane: LaneState, rate: float) -> float:
    return ((lane.capacity or 1) - 1) * MICROS / rate


def _spare_us(lane: LaneState, rate: float, policy: LimitPolicy) -> float:
    """Return the part of the tolerance that is kept for late starts: never more than half of it."""
    return min(policy.late_s * MICROS, _burst_us(lane, rate) / 2)


def lateness_us(lane: LaneState, policy: LimitPolicy) -> float:
    """Return how late a start may be against its reserved moment; no bucket, no lateness (infinite).

    Where capacity leaves little room it is half an interval at least, so that a start has a chance at all: windows then
    hold at most one half call more than they should.
    """
    if lane.rate is None:
        return math.inf
    return max(_spare_us(lane, lane.rate, policy), _interval_us(lane, lane.rate) / 2)


def _on_this_clock(lane: LaneState, now_us: int, horizon_us: int, policy: LimitPolicy) -> LaneState:
    """Return the lane with times that this clock can have set.

    After the clock was moved back, or the rate was raised, the stored times may lie far ahead and would stop the lane.
    What they are cut down to is the latest that a reservation made now could store: an empty bucket, never a full one.
    """
    hint = min(lane.blocked_us, now_us + round(policy.longest_wait_s * MICROS))
    since = min(lane.breaker_us, now_us)
    tat = lane.tat_us
    if lane.rate is not None:
        latest = now_us + horizon_us + _burst_us(lane, lane.rate) + _interval_us(lane, lane.rate)
        tat = min(tat, math.ceil(latest))
    if (hint, since, tat) == (lane.blocked_us, lane.breaker_us, lane.tat_us):
        return lane
    return replace(lane, blocked_us=hint, breaker_us=since, tat_us=tat)


def _from_bucket(
    lane: LaneState, now_us: int, first: int, *, most: int, horizon_us: int, policy: LimitPolicy
) -> Reserved:
    """Grant starts from the bucket; rounds up, so that rounding never makes it faster."""
    if lane.rate is None:
        return Reserved(lane=lane, waits_us=(first - now_us,) * most)
    interval = _interval_us(lane, lane.rate)
    burst = _burst_us(lane, lane.rate) - _spare_us(lane, lane.rate, policy)
    tat = float(lane.tat_us)
    waits: list[int] = []
    while len(waits) < most:
        start = max(first, math.ceil(tat - burst))
        if start > now_us + horizon_us:
            break
        waits.append(start - now_us)
        tat = max(tat, start) + interval
    return Reserved(lane=replace(lane, tat_us=math.ceil(tat)), waits_us=tuple(waits))


class SignalKind(StrEnum):
    """What a call told about its lane."""

    ANSWERED = "answered"
    """The platform answered, whatever it said."""
    THROTTLED = "throttled"
    OVERLOADED = "overloaded"
    TRANSPORT = "transport"
    PARKS = "parks"
    """Key or account trouble."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One observation; our own cancellations are none."""

    kind: SignalKind
    wait_s: float | None = None
    """What the server asked for, capped."""
    reason: str | None = None
    answer_us: int | None = None


class LaneEvent(StrEnum):
    """What a person should hear of."""

    OPENED = "opened"
    PARKED = "parked"
    STILL_PARKED = "still_parked"
    CLOSED = "closed"


def absorb(lane: LaneState, signal: Signal, *, now_us: int, policy: LimitPolicy) -> tuple[LaneState, LaneEvent | None]:
    """Return the lane after one signal, and what should be told."""
    if signal.wait_s is not None:
        until = now_us + round(min(signal.wait_s, policy.longest_wait_s) * MICROS)
        lane = replace(lane, blocked_us=max(lane.blocked_us, until))
    if signal.kind is SignalKind.PARKS:
        return _park(lane, signal, now_us)
    if signal.kind is SignalKind.TRANSPORT:
        return _fault(lane, signal, now_us, policy)
    lane, event = _close(lane, now_us)
    if signal.kind is SignalKind.THROTTLED:
        return _cut(lane, now_us, policy), event
    if signal.kind is SignalKind.OVERLOADED:
        return replace(lane, window_us=now_us, window_calls=0), event
    return _grow(_timed(lane, signal), now_us, policy), event


def _park(lane: LaneState, signal: Signal, now_us: int) -> tuple[LaneState, LaneEvent]:
    event = LaneEvent.STILL_PARKED if lane.parked else LaneEvent.PARKED
    openings = lane.openings + 1 if lane.breaker is not Breaker.PARKED else lane.openings
    return replace(
        lane, breaker=Breaker.PARKED, breaker_reason=signal.reason, breaker_us=now_us, openings=openings
    ), event


def _fault(lane: LaneState, signal: Signal, now_us: int, policy: LimitPolicy) -> tuple[LaneState, LaneEvent | None]:
    lane = replace(lane, faults=lane.faults + 1, window_us=now_us, window_calls=0)
    opens = lane.breaker is Breaker.HALF_OPEN or (
        lane.breaker is Breaker.CLOSED and lane.faults >= policy.faults_to_open
    )
    if lane.breaker is Breaker.PROBING:
        return replace(lane, breaker=Breaker.PARKED, breaker_us=now_us), None
    if not opens:
        return lane, None
    event = LaneEvent.OPENED if lane.breaker is Breaker.CLOSED else None
    return replace(
        lane, breaker=Breaker.OPEN, breaker_reason=signal.reason, breaker_us=now_us, openings=lane.openings + 1
    ), event


def _close(lane: LaneState, now_us: int) -> tuple[LaneState, LaneEvent | None]:
    if lane.breaker in (Breaker.HALF_OPEN, Breaker.PROBING):
        closed = replace(lane, breaker=Breaker.CLOSED, breaker_reason=None, breaker_us=now_us, openings=0, faults=0)
        return closed, LaneEvent.CLOSED
    return replace(lane, faults=0), None


def _cut(lane: LaneState, now_us: int, policy: LimitPolicy) -> LaneState:
    lane = replace(lane, window_us=now_us, window_calls=0)
    if now_us - lane.cut_us < policy.cut_every_s * MICROS:
        return lane
    return replace(lane, factor=max(policy.floor, lane.factor * policy.cut), cut_us=now_us)


def _timed(lane: LaneState, signal: Signal) -> LaneState:
    if signal.answer_us is None:
        return lane
    mean = (
        signal.answer_us
        if lane.answer_us is None
        else round(lane.answer_us + 0.1 * (signal.answer_us - lane.answer_us))
    )
    return replace(lane, answer_us=mean)


def _grow(lane: LaneState, now_us: int, policy: LimitPolicy) -> LaneState:
    lane = replace(lane, window_calls=lane.window_calls + 1)
    elapsed = (now_us - lane.window_us) / MICROS
    if lane.factor >= 1 or lane.window_calls < policy.grow_calls or elapsed < policy.grow_s:
        return lane
    used = lane.window_calls >= policy.used_share * _allowed(lane, elapsed)
    factor = min(1.0, lane.factor + policy.grow) if used else lane.factor
    return replace(lane, factor=factor, window_us=now_us, window_calls=0)


def _allowed(lane: LaneState, elapsed_s: float) -> float:
    """Return how many calls bucket and cap allow in a time; 0 where neither is known to bind."""
    bounds: list[float] = []
    if lane.rate is not None:
        bounds.append(lane.rate * lane.factor * elapsed_s)
    if lane.in_flight is not None and lane.answer_us:
        bounds.append(_cap(lane, lane.in_flight) * elapsed_s * MICROS / lane.answer_us)
    return min(bounds, default=0.0)


def unpark(lane: LaneState, now_us: int) -> LaneState:
    """Return the lane with its breaker closed by a person."""
    return replace(
        lane, breaker=Breaker.CLOSED, breaker_reason=None, breaker_us=now_us, openings=0, faults=0, blocked_us=0
    )
