"""The strict bucket and the window measure on cases worked out by hand."""

import pytest

from answerwatch.simulator import worst_excess
from answerwatch.simulator.bucket import StrictBucket


def test_a_full_bucket_lets_its_capacity_through_and_names_the_wait() -> None:
    bucket = StrictBucket(rate=2, capacity=3)
    assert [bucket.take(10.0) for _ in range(4)] == [0, 0, 0, 0.5]


def test_a_bucket_refills_at_its_rate_up_to_its_capacity() -> None:
    bucket = StrictBucket(rate=2, capacity=2)
    assert [bucket.take(0.0) for _ in range(2)] == [0, 0]
    assert [bucket.take(100.0) for _ in range(3)] == [0, 0, 0.5]


def test_slack_forgives_calls_on_top() -> None:
    bucket = StrictBucket(rate=1, capacity=1, slack=1)
    assert [bucket.take(0.0) for _ in range(3)] == [0, 0, 1]


def test_a_clock_that_steps_back_adds_nothing() -> None:
    bucket = StrictBucket(rate=1, capacity=1)
    assert bucket.take(10.0) == 0
    assert bucket.take(5.0) == 1
    assert bucket.take(10.5) == pytest.approx(0.5)


def test_the_excess_of_a_burst_is_what_exceeds_capacity() -> None:
    assert worst_excess([1.0] * 13, rate=5, capacity=10) == 3


def test_a_burst_after_a_quiet_time_is_found() -> None:
    arrivals = [0.0, *(50.0 for _ in range(12))]
    assert worst_excess(arrivals, rate=5, capacity=10) == 2


def test_nothing_arrived_leaves_the_whole_capacity() -> None:
    assert worst_excess([], rate=5, capacity=10) == -10
