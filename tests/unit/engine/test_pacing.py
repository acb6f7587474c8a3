"""What really starts keeps to the bucket, however late the loop is."""

from answerwatch.domain.limits import LaneState
from answerwatch.engine.pacing import Pacer

LANE = LaneState(lane="a", rate=10.0, capacity=3)


def test_a_lane_that_is_not_limited_waits_for_nothing() -> None:
    pacer = Pacer()
    pacer.learn(LaneState(lane="a"))
    assert [pacer.start("a", 1, 5.0) for _ in range(100)] == [0.0] * 100


def test_late_starts_do_not_become_a_burst() -> None:
    pacer = Pacer()
    pacer.learn(LANE)
    assert [pacer.start("a", 1, 5.0) for _ in range(3)] == [0.0, 0.0, 0.0]
    assert round(pacer.start("a", 1, 5.0), 6) == 0.1
    assert pacer.start("a", 1, 5.1) == 0.0


def test_a_start_that_must_wait_is_not_counted() -> None:
    pacer = Pacer()
    pacer.learn(LANE)
    assert pacer.start("a", 3, 5.0) == 0.0
    waits = {round(pacer.start("a", 1, 5.0), 6) for _ in range(10)}
    assert waits == {0.1}


def test_nothing_starts_while_the_platform_asked_to_wait() -> None:
    pacer = Pacer()
    pacer.block("a", 8.0)
    pacer.block("a", 6.0)
    assert pacer.start("a", 1, 5.0) == 3.0
    assert pacer.start("a", 1, 8.0) == 0.0
