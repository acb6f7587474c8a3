"""The measure of a rate limit, against its definition."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerwatch.simulator import worst_excess
from answerwatch.simulator.bucket import StrictBucket

ARRIVALS = st.lists(st.floats(0, 100, allow_nan=False), max_size=25)
RATES = st.floats(0.1, 20)
CAPACITIES = st.integers(1, 20)


def by_definition(arrivals: list[float], rate: float, capacity: float) -> float:
    windows = itertools.product(arrivals, arrivals)
    excesses = [
        sum(start <= arrival <= end for arrival in arrivals) - capacity - rate * (end - start)
        for start, end in windows
        if start <= end
    ]
    return max(excesses, default=-capacity)


@given(ARRIVALS, RATES, CAPACITIES)
def test_no_window_is_worse_and_one_is_as_bad(arrivals: list[float], rate: float, capacity: int) -> None:
    assert worst_excess(arrivals, rate, capacity) == pytest.approx(by_definition(arrivals, rate, capacity), abs=1e-6)


@given(ARRIVALS, RATES, CAPACITIES)
def test_what_a_strict_bucket_lets_through_exceeds_no_window(arrivals: list[float], rate: float, capacity: int) -> None:
    bucket = StrictBucket(rate, capacity)
    admitted = [arrival for arrival in sorted(arrivals) if bucket.take(arrival) == 0]
    assert worst_excess(admitted, rate, capacity) <= 1e-6


@given(ARRIVALS, RATES, CAPACITIES)
def test_a_call_that_waits_as_told_is_let_through(arrivals: list[float], rate: float, capacity: int) -> None:
    bucket = StrictBucket(rate, capacity)
    now = 0.0
    for arrival in sorted(arrivals):
        now = max(now, arrival)
        if wait := bucket.take(now):
            now += wait
            assert bucket.take(now) == 0
