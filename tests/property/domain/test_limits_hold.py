"""Whatever happens to a lane, no window of time holds more starts than its bucket allows."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from answerwatch.domain.failures import Failure, Severity
from answerwatch.domain.limits import (
    MICROS,
    LaneState,
    LimitPolicy,
    Signal,
    SignalKind,
    absorb,
    lateness_us,
    reserve,
    unpark,
)
from answerwatch.domain.work import RetryPolicy

POLICY = LimitPolicy()
HORIZON_US = 2 * MICROS

signals = st.builds(
    Signal, kind=st.sampled_from(SignalKind), wait_s=st.none() | st.floats(0, 1000),
    answer_us=st.none() | st.integers(1, 10**9),
)  # fmt: skip
events = st.one_of(
    st.tuples(st.just("ask"), st.integers(0, 40), st.integers(0, 30), st.lists(st.floats(0, 1), max_size=40)),
    st.tuples(st.just("tell"), signals),
    st.tuples(st.just("pass"), st.integers(0, 5 * MICROS)),
    st.tuples(st.just("back"), st.integers(0, 3 * MICROS)),
    st.tuples(st.just("unpark")),
)


def excess(starts: list[int], rate: float, capacity: int) -> float:
    """Return the most by which a window holds more starts than capacity + rate x its length."""
    worst = float("-inf")
    for first, begin in enumerate(starts):
        for last in range(first, len(starts)):
            allowed = capacity + rate * (starts[last] - begin) / MICROS
            worst = max(worst, last - first + 1 - allowed)
    return worst


@given(
    rate=st.floats(0.05, 50), capacity=st.integers(1, 20), in_flight=st.none() | st.integers(1, 30),
    history=st.lists(events, max_size=60),
)  # fmt: skip
def test_no_window_holds_more_than_the_bucket_and_half_a_call_however_late_each_start_is(
    rate: float, capacity: int, in_flight: int | None, history: list[tuple[object, ...]]
) -> None:
    lane = LaneState(lane="x", rate=rate, capacity=capacity, in_flight=in_flight)
    now, behind, starts = 10_000 * MICROS, 0, []
    for event in history:
        match event:
            case ("ask", int(most), int(leased), list(late)):
                got = reserve(lane, now_us=now, most=most, leased=leased, horizon_us=HORIZON_US, policy=POLICY)
                lane = got.lane
                assert len(got.waits_us) <= most
                assert all(0 <= wait <= HORIZON_US for wait in got.waits_us)
                latest = lateness_us(lane, POLICY)
                shares = [*late, *([0.0] * most)]
                starts += [
                    now + wait + round(share * latest) for wait, share in zip(got.waits_us, shares, strict=False)
                ]
            case ("tell", Signal() as signal):
                lane, _ = absorb(lane, signal, now_us=now - behind, policy=POLICY)
                assert POLICY.floor <= lane.factor <= 1
            case ("pass", int(micros)):
                now += micros
            case ("back", int(micros)):
                # The clock was set back: what was granted must not be granted again.
                behind += micros
            case _:
                lane = unpark(lane, now - behind)
    assert excess(sorted(starts), rate, capacity) <= 0.5 + 1e-6


@given(
    delays=st.lists(st.floats(0, 1000), min_size=1, max_size=4), retries=st.integers(0, 6),
    before=st.integers(0, 8), chance=st.floats(0, 1, exclude_max=True), hint=st.none() | st.floats(0, 900),
    own=st.none() | st.integers(0, 5),
)  # fmt: skip
def test_waits_are_never_negative_and_retries_end(
    *, delays: list[float], retries: int, before: int, chance: float, hint: float | None, own: int | None
) -> None:
    policy = RetryPolicy(delays_s=tuple(delays), max_retries=retries, longest_wait_s=600)
    failure = Failure(error_type="timeout", severity=Severity.TEMPORARY, retry_after_s=hint, max_retries=own)
    wait = policy.wait_s(failure, before, chance)
    most = retries if own is None else min(retries, own)
    assert (wait is None) == (before >= most)
    asked = min(hint, 600) if hint is not None else delays[min(before, len(delays) - 1)]
    assert wait is None or asked <= wait <= asked * 1.2 + 1e-9
    permanent = replace(failure, severity=Severity.PERMANENT)
    assert policy.wait_s(permanent, 0, chance) is None
