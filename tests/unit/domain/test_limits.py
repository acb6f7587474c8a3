"""The bucket, the cap and the adaptive factor of one lane."""

from dataclasses import replace

import pytest

from answerwatch.domain.limits import (
    MICROS,
    Breaker,
    LaneEvent,
    LaneState,
    LimitPolicy,
    Reserved,
    Signal,
    SignalKind,
    absorb,
    lateness_us,
    reserve,
    room,
    unpark,
)

NOW = 1_800_000_000 * MICROS
POLICY = LimitPolicy(late_s=0.0)
LANE = LaneState(lane="collect/sim", rate=5.0, capacity=10)


def ask(lane: LaneState, most: int, *, now_us: int = NOW, leased: int = 0, horizon_s: float = 2.0) -> Reserved:
    return reserve(lane, now_us=now_us, most=most, leased=leased, horizon_us=round(horizon_s * MICROS), policy=POLICY)


def tell(lane: LaneState, kind: SignalKind, *, at_s: float = 0.0, wait_s: float | None = None) -> LaneState:
    return absorb(lane, Signal(kind=kind, wait_s=wait_s), now_us=NOW + round(at_s * MICROS), policy=POLICY)[0]


def test_a_full_bucket_gives_its_capacity_at_once_and_the_rest_at_the_rate() -> None:
    waits = ask(LANE, 13).waits_us
    assert waits == (0,) * 10 + (200_000, 400_000, 600_000)


def test_a_part_of_the_burst_is_kept_for_starts_that_come_late() -> None:
    policy = LimitPolicy(late_s=0.25)
    got = reserve(LANE, now_us=NOW, most=10, leased=0, horizon_us=2 * MICROS, policy=policy)
    assert got.waits_us == (0,) * 8 + (50_000, 250_000)
    assert lateness_us(got.lane, policy) == 250_000


def test_starts_of_a_lane_without_burst_may_be_half_an_interval_late() -> None:
    single = replace(LANE, capacity=1)
    assert ask(single, 2).waits_us == (0, 200_000)
    assert lateness_us(single, LimitPolicy()) == 100_000
    assert lateness_us(replace(LANE, rate=None, capacity=None), LimitPolicy()) == float("inf")


def test_nothing_is_granted_beyond_the_horizon() -> None:
    assert len(ask(LANE, 100).waits_us) == 20
    assert len(ask(LANE, 100, horizon_s=0.0).waits_us) == 10


def test_rep_bucket_clock_skew_an_idle_minute_fills_the_bucket_once() -> None:
    """After sitting full, twice the capacity must not come out in one moment."""
    used = ask(LANE, 10).lane
    later = ask(used, 100, now_us=NOW + 60 * MICROS, horizon_s=0.0)
    assert len(later.waits_us) == 10


def test_rep_bucket_clock_skew_a_clock_that_was_moved_back_grants_nothing_twice_and_stops_nothing() -> None:
    used = ask(LANE, 100).lane
    back = NOW - 3600 * MICROS
    again = ask(used, 100, now_us=back)
    assert again.waits_us == ()
    assert len(ask(again.lane, 100, now_us=back + 4 * MICROS).waits_us) > 0


def test_a_lane_without_a_rate_starts_everything_now() -> None:
    assert ask(LaneState(lane="clean"), 3).waits_us == (0, 0, 0)


def test_the_cap_counts_what_is_leased() -> None:
    capped = LaneState(lane="collect/sim", in_flight=4)
    assert len(ask(capped, 10, leased=3).waits_us) == 1
    assert ask(capped, 10, leased=4).waits_us == ()


def test_the_factor_narrows_the_cap_but_never_closes_it() -> None:
    capped = LaneState(lane="collect/sim", in_flight=4)
    assert room(replace(capped, factor=0.5), 0, 10) == 2
    assert room(replace(capped, factor=0.05), 0, 10) == 1


def test_a_burst_of_throttling_cuts_once() -> None:
    lane = LANE
    for _ in range(5):
        lane = tell(lane, SignalKind.THROTTLED)
    assert lane.factor == pytest.approx(0.7)
    assert tell(lane, SignalKind.THROTTLED, at_s=16).factor == pytest.approx(0.49)


def test_the_factor_never_falls_below_its_floor() -> None:
    lane = LANE
    for cut in range(100):
        lane = tell(lane, SignalKind.THROTTLED, at_s=20.0 * cut)
    assert lane.factor == POLICY.floor


def test_the_factor_grows_only_where_the_allowance_was_used() -> None:
    slow = replace(LANE, factor=0.5, window_us=NOW)
    for second in range(1, 41):
        slow = tell(slow, SignalKind.ANSWERED, at_s=second)
    assert slow.factor == 0.5
    busy = replace(LANE, factor=0.5, window_us=NOW)
    for call in range(1, 101):
        busy = tell(busy, SignalKind.ANSWERED, at_s=0.4 * call)
    assert busy.factor == pytest.approx(0.52)


def test_overload_stops_growth_and_cuts_nothing() -> None:
    lane = replace(LANE, factor=0.5, window_us=NOW, window_calls=19)
    after = tell(lane, SignalKind.OVERLOADED, at_s=40)
    assert (after.factor, after.window_calls) == (0.5, 0)


def test_a_later_hint_never_shortens_a_longer_one() -> None:
    lane = tell(tell(LANE, SignalKind.THROTTLED, wait_s=60), SignalKind.THROTTLED, wait_s=5)
    assert lane.blocked_us == NOW + 60 * MICROS
    assert ask(lane, 1).waits_us == ()


def test_a_hint_is_capped() -> None:
    assert tell(LANE, SignalKind.THROTTLED, wait_s=1e6).blocked_us == NOW + 900 * MICROS


def test_five_transport_faults_open_the_breaker_and_one_call_probes() -> None:
    lane, event = LANE, None
    for _ in range(5):
        lane, event = absorb(lane, Signal(kind=SignalKind.TRANSPORT), now_us=NOW, policy=POLICY)
    assert (lane.breaker, event) == (Breaker.OPEN, LaneEvent.OPENED)
    probe = ask(lane, 10, now_us=NOW + 60 * MICROS)
    assert (len(probe.waits_us), probe.lane.breaker) == (1, Breaker.HALF_OPEN)
    assert ask(probe.lane, 10, now_us=NOW + 61 * MICROS, leased=1).waits_us == ()


def test_a_probe_that_fails_makes_the_next_wait_longer() -> None:
    lane = replace(LANE, breaker=Breaker.HALF_OPEN, openings=1)
    again = tell(lane, SignalKind.TRANSPORT)
    assert again.openings == 2
    assert ask(again, 1, now_us=NOW + 61 * MICROS).waits_us == ()
    assert len(ask(again, 1, now_us=NOW + 121 * MICROS).waits_us) == 1


def test_trouble_with_the_key_parks_until_a_person_acts() -> None:
    lane, event = absorb(LANE, Signal(kind=SignalKind.PARKS, reason="bad_key"), now_us=NOW, policy=POLICY)
    assert (lane.parked, lane.breaker_reason, event) == (True, "bad_key", LaneEvent.PARKED)
    _, second = absorb(lane, Signal(kind=SignalKind.PARKS), now_us=NOW, policy=POLICY)
    assert second is LaneEvent.STILL_PARKED
    assert len(ask(unpark(lane, NOW), 5).waits_us) == 5
