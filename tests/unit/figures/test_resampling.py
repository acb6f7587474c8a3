"""Questions are drawn scene by scene, and ratios that cannot vary fall back on Wilson's interval."""

import numpy as np
import pytest

from answerwatch.figures.clusters import Method, Table, estimate_rate
from answerwatch.figures.resampling import DRAWS, Draws, estimate_mean, estimate_ratio, percentiles


def table(over: list[float], out_of: list[float]) -> Table:
    """Return the table of one platform; every counted thing came from an answer of its own."""
    under = np.array([out_of], dtype=np.float64)
    return Table(np.array([over], dtype=np.float64), under, under)


def test_every_resample_keeps_the_size_of_each_scene_and_pools_lonely_questions() -> None:
    draws = Draws.of(["A", "A", "A", "B", "C", "C", "D"])

    weights = draws.weights
    assert len(weights) == DRAWS
    assert set(weights[:, :3].sum(axis=1)) == {3.0}
    assert set(weights[:, 4:6].sum(axis=1)) == {2.0}
    assert set(weights[:, [3, 6]].sum(axis=1)) == {2.0}
    assert set(weights[:, 3]) == {0.0, 1.0, 2.0}


def test_a_ratio_takes_the_spread_of_questions_not_of_answers() -> None:
    # Half of twenty questions always, half never, ten answers each: as sure as twenty answers, not two hundred.
    sums = table([10.0, 0.0] * 10, [10.0] * 20)

    estimate = estimate_ratio(sums, Draws.of(["A"] * 20))

    assert (estimate.value, estimate.method) == (0.5, Method.CLUSTER_BOOTSTRAP)
    assert estimate.interval is not None
    # Standard error sqrt(0.25 / 20) = 0.1118; percentiles at t(19) x sqrt(20/19) = 2.147 of it, in steps of 0.05.
    assert estimate.interval.half_width == pytest.approx(2.147 * 0.1118, abs=0.026)


@pytest.mark.parametrize(
    ("over", "out_of"),
    [([0.0] * 12, [3.0] * 12), ([3.0] * 12, [3.0] * 12), ([1.0] * 12, [2.0] * 12), ([1.0, 2.0], [3.0, 3.0])],
)
def test_a_ratio_whose_resamples_cannot_tell_takes_wilson(over: list[float], out_of: list[float]) -> None:
    sums = table(over, out_of)

    estimate = estimate_ratio(sums, Draws.of(["A"] * len(over)))

    assert estimate == estimate_rate(sums)
    assert estimate.interval is not None
    assert estimate.interval.half_width > 0.05


def test_resamples_without_anything_to_count_out_of_are_left_out() -> None:
    sums = table([1.0, 3.0, 0.0], [1.0, 1.0, 0.0])

    interval = percentiles(sums, Draws.of(["A"] * 3))

    assert interval is not None
    assert (interval.low, interval.high) == (1.0, 3.0)


def test_percentiles_of_too_few_resamples_are_not_given() -> None:
    # Two platforms that each have one ranked answer, in questions of their own: 4 of 10 resamples hold both.
    under = np.zeros((2, 12))
    under[0, 0] = under[1, 1:12] = 1.0
    under[1, 2:12] = 0.0
    sums = Table(under * np.array([[1.0], [4.0]]), under, under)

    assert percentiles(sums, Draws.of(["A"] * 12)) is None


def test_a_mean_of_few_questions_takes_student_and_never_beats_the_best_rank() -> None:
    estimate = estimate_mean(table([1.0, 2.0, 6.0], [1.0, 1.0, 1.0]), Draws.of(["A"] * 3), floor=1.0)

    # Mean 3, variance of the mean 3/2 x (4 + 1 + 9)/9 = 7/3, t(2) = 4.3027: 3 +- 6.5725.
    assert (estimate.value, estimate.method) == (3.0, Method.CLUSTER_T)
    assert estimate.interval is not None
    assert estimate.interval.low == 1.0
    assert estimate.interval.high == pytest.approx(9.5725, abs=1e-4)
