"""Wilson's interval by hand, at the edges, and with the widths that the statistics page promises."""

import math

import pytest

from answerwatch.errors import UsageError
from answerwatch.figures.intervals import Bound, design_effect, wilson


def test_half_of_ten_by_hand() -> None:
    interval = wilson(0.5, 10)

    # z = 1.959964: centre 0.5, half-width = z / (1 + z2/10) * sqrt(0.25/10 + z2/400)
    assert interval.low == pytest.approx(0.236593, abs=1e-6)
    assert interval.high == pytest.approx(0.763407, abs=1e-6)
    assert interval.bound is Bound.TWO_SIDED


@pytest.mark.parametrize(
    ("n", "upper", "width"),
    [
        (1, 79, 79),
        (3, 56, 73),
        (5, 43, 65),
        (10, 28, 53),
        (20, 16, 40),
        (50, 7, 27),
        (100, 4, 19),
        (400, 1, 10),
    ],
)
def test_the_numbers_on_the_wall(n: int, upper: int, width: int) -> None:
    nothing = wilson(0.0, n)
    # An odd number of answers cannot show one half; the table takes the nearest count.
    middle = wilson((n // 2) / n if n > 1 else 0.0, n)

    assert round(nothing.high * 100) == upper
    assert round(200 * middle.half_width) == pytest.approx(width, abs=1)


def test_nothing_of_n_is_an_upper_bound_and_all_of_n_its_mirror() -> None:
    nothing, everything = wilson(0.0, 10), wilson(1.0, 10)

    assert (nothing.low, nothing.bound) == (0.0, Bound.AT_MOST)
    assert nothing.high == pytest.approx(0.277533, abs=1e-6)
    assert (everything.high, everything.bound) == (1.0, Bound.AT_LEAST)
    assert everything.low == pytest.approx(1 - nothing.high)


def test_a_fractional_number_of_answers_lies_between_its_neighbours() -> None:
    widths = [wilson(0.3, n).half_width for n in (10, 10.5, 11)]

    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 3


@pytest.mark.parametrize(
    ("rate", "n"), [(1.1, 5), (-0.1, 5), (0.5, 0), (0.5, math.inf), (math.nan, 5), (0.5, math.nan)]
)
def test_what_is_no_rate_is_refused(rate: float, n: float) -> None:
    with pytest.raises(UsageError, match="An interval needs"):
        wilson(rate, n)


@pytest.mark.parametrize(("rounds", "correlation", "worth"), [(5, 0.6, 1.47), (10, 0.6, 1.56), (1, 0.6, 1), (5, 0, 5)])
def test_rounds_are_worth_what_the_statistics_page_says(rounds: int, correlation: float, worth: float) -> None:
    assert rounds / design_effect(rounds, correlation) == pytest.approx(worth, abs=0.01)
