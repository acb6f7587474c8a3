"""Estimates from answers that belong together: rounds of one question are correlated, so the question is the unit.

A `Table` holds, for every platform (row) and question (column), the sums of what one figure counts. Everything
published is an equal-weight mean over platforms of a ratio of sums over questions; a macro mean over questions is the
ratio of the sums of per-question proportions to the number of questions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from answerwatch.figures.intervals import CONFIDENCE, Interval, design_effect, wilson
from answerwatch.figures.quantiles import t_quantile

Matrix = npt.NDArray[np.float64]

ASSUMED_CORRELATION = 0.3
"""Correlation of the rounds of one question that is taken where the answers cannot tell it."""
THIN_BELOW = 10
"""Questions below which the spread between questions is too poorly known to be relied on."""


class Method(StrEnum):
    """How an interval was computed."""

    WILSON = "wilson"
    """Wilson's interval on the answers of a single question."""
    WILSON_DESIGN_EFFECT = "wilson_design_effect"
    """Wilson's interval on n / deff with an assumed correlation: few questions, or nothing but zeros or ones."""
    WILSON_CLUSTER_T = "wilson_cluster_t"
    """Wilson's interval on the effective n of the variance between questions, with the t quantile."""
    CLUSTER_BOOTSTRAP = "cluster_bootstrap"
    """Expanded percentiles of estimates from questions drawn with replacement, scene by scene."""
    CLUSTER_T = "cluster_t"
    """Student's t interval on the variance between questions: means that too few resamples can tell."""
    NONE = "none"
    """No interval can be given."""


@dataclass(frozen=True, slots=True)
class Table:
    """Sums of one figure by platform (row) and question (column)."""

    y: Matrix
    """What is counted."""
    x: Matrix
    """What it is counted out of."""
    answers: Matrix
    """Answers that took part."""

    def part(self, rows: npt.NDArray[np.intp], columns: slice) -> Table:
        """Return the sums of some platforms over a run of questions."""
        return Table(self.y[rows, columns], self.x[rows, columns], self.answers[rows, columns])

    def macro(self) -> Table:
        """Return the table in which every question weighs the same, however many answers it has."""
        known = self.x > 0
        share = np.divide(self.y, self.x, out=np.zeros_like(self.y), where=known)
        return Table(share, known.astype(np.float64), self.answers)

    def known(self) -> Table:
        """Return the platforms and questions that have anything to count out of."""
        known = self.x > 0
        part = np.ix_(known.any(axis=1), known.any(axis=0))
        return Table(self.y[part], self.x[part], self.answers[part])


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, its interval and how it was found."""

    value: float
    interval: Interval | None
    method: Method
    effective_n: float | None = None
    """Independent answers that would be as sure; None where the method does not use it."""


def ratios(table: Table) -> Matrix:
    """Return each platform's ratio of sums; every row must have something to count out of."""
    result: Matrix = table.y.sum(axis=1) / table.x.sum(axis=1)
    return result


def variance(table: Table) -> float:
    """Return the cluster-robust variance of the equal-weight mean of ratios; NaN for a single question.

    Questions are taken as independent, the rounds and platforms of one question are not.
    """
    questions = table.y.shape[1]
    if questions < 2:
        return math.nan
    residuals = (table.y - ratios(table)[:, None] * table.x) / table.x.sum(axis=1)[:, None]
    influence = residuals.mean(axis=0)
    return float(questions / (questions - 1) * np.square(influence).sum())


def independent_n(table: Table) -> float:
    """Return how many answers the mean would be worth if all answers were independent."""
    weights = table.x / table.x.sum(axis=1)[:, None] / len(table.x)
    used = table.answers > 0
    return 1 / float((np.square(weights)[used] / table.answers[used]).sum())


def estimate_rate(table: Table) -> Estimate:
    """Return a rate between 0 and 1 with Wilson's interval on the effective n; the table must count out of something.

    The effective n is never above the number of independent answers, even where questions agree by luck.
    """
    table = table.known()
    value = _within_unit(float(ratios(table).mean()))
    questions = table.y.shape[1]
    independent = independent_n(table)
    if questions == 1:
        return Estimate(value, wilson(value, independent), Method.WILSON, independent)
    worth = independent / design_effect(float(table.answers.sum()) / questions, ASSUMED_CORRELATION)
    spread = variance(table)
    if spread > 0 and 0 < value < 1:
        observed = min(independent, value * (1 - value) / spread)
    else:
        observed = worth if value in {0.0, 1.0} else independent
    if questions < THIN_BELOW:
        effective = min(worth, observed)
        return Estimate(value, wilson(value, effective), Method.WILSON_DESIGN_EFFECT, effective)
    method = Method.WILSON_DESIGN_EFFECT if value in {0.0, 1.0} else Method.WILSON_CLUSTER_T
    interval = wilson(value, observed, quantile=t_quantile(CONFIDENCE, questions - 1))
    return Estimate(value, interval, method, observed)


def _within_unit(value: float) -> float:
    """Return the rate without the last-digit error of a mean of ones."""
    return min(1.0, max(0.0, value if abs(value - 1) > 1e-12 else 1.0))
