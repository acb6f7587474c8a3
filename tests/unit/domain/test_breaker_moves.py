"""A lane's breaker moves as docs/states.md draws it."""

from dataclasses import replace

from answerwatch.domain.limits import (
    MICROS,
    Breaker,
    LaneState,
    LimitPolicy,
    Signal,
    SignalKind,
    absorb,
    reserve,
    unpark,
)
from scripts.states_page import BREAKER_EDGES

POLICY = LimitPolicy(faults_to_open=1)
LATER = 10_000 * MICROS


def moves_from(start: Breaker) -> set[tuple[Breaker, Breaker]]:
    """Return where signals, a start after the wait, and a person bring a breaker that is in this state."""
    lane = LaneState(lane="collect/sim", breaker=start, openings=1)
    told = [absorb(lane, Signal(kind=kind), now_us=LATER, policy=POLICY)[0] for kind in SignalKind]
    tried = reserve(lane, now_us=LATER, most=1, leased=0, horizon_us=0, policy=POLICY).lane
    return {(start, after.breaker) for after in (*told, tried, unpark(lane, LATER))} - {(start, start)}


def test_the_breaker_makes_every_move_that_is_drawn() -> None:
    found = set().union(*(moves_from(start) for start in Breaker))

    assert {(start, to) for start, to, _ in BREAKER_EDGES} <= found


def test_a_call_that_was_on_its_way_never_closes_a_breaker() -> None:
    for start in (Breaker.OPEN, Breaker.PARKED):
        lane = LaneState(lane="collect/sim", breaker=start, openings=1)
        after, _ = absorb(lane, Signal(kind=SignalKind.ANSWERED), now_us=LATER, policy=POLICY)
        assert after.breaker is start


def test_nothing_starts_before_the_wait_is_over() -> None:
    for start in (Breaker.OPEN, Breaker.PARKED):
        lane = LaneState(lane="collect/sim", breaker=start, breaker_us=LATER - 1, openings=1)
        assert reserve(lane, now_us=LATER, most=1, leased=0, horizon_us=0, policy=POLICY).waits_us == ()
        assert reserve(
            replace(lane, breaker_us=0), now_us=LATER, most=9, leased=0, horizon_us=0, policy=POLICY
        ).waits_us == (0,)
