"""Confidence intervals of rates: Wilson's, on a number of answers or on what correlated answers are worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from answerwatch.errors import UsageError
from answerwatch.figures.quantiles import normal_quantile

CONFIDENCE = 0.95
"""Confidence of every published interval."""


class Bound(StrEnum):
    """Which ends of an interval the answers decide."""

    TWO_SIDED = "two_sided"
    """Both ends."""
    AT_MOST = "at_most"
    """Nothing was seen (0 of n): only the upper end says something."""
    AT_LEAST = "at_least"
    """Always seen (n of n): only the lower end says something."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A range of values that agree with the answers."""

    low: float
    high: float
    bound: Bound = Bound.TWO_SIDED

    @property
    def half_width(self) -> float:
        """Return half of the distance between the ends."""
        return (self.high - self.low) / 2


def wilson(rate: float, n: float, *, quantile: float | None = None) -> Interval:
    """Return Wilson's interval of a rate seen in `n` answers; `n` may be a fraction (an effective number).

    `quantile` is that of the wanted confidence, the normal one of 95 % by default; few clusters take Student's t.
    A rate of 0 or 1 keeps the same far end, as one-sided bound. Raises UsageError for `n` not above 0 or no rate.
    """
    if not 0 <= rate <= 1 or not 0 < n < math.inf:
        raise UsageError(
            "figures_input", f"An interval needs a rate from 0 to 1 and n above 0, not {rate} of {n}.", rate=rate, n=n
        )
    z = normal_quantile(CONFIDENCE) if quantile is None else quantile
    z2 = z * z
    centre = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * math.sqrt(rate * (1 - rate) / n + z2 / (4 * n * n))
    if rate == 0:
        return Interval(0.0, min(1.0, centre + half), Bound.AT_MOST)
    if rate == 1:
        return Interval(max(0.0, centre - half), 1.0, Bound.AT_LEAST)
    # Rounding must never push an end past the value that it surrounds.
    return Interval(min(rate, max(0.0, centre - half)), max(rate, min(1.0, centre + half)))


def design_effect(answers_per_question: float, correlation: float) -> float:
    """Return how many correlated answers weigh as one independent answer: 1 + (m - 1) x rho, never below 1."""
    return 1 + max(0.0, answers_per_question - 1) * correlation
