"""What precision a plan buys: the interval to expect before a single call is paid."""

from __future__ import annotations

from dataclasses import dataclass

from answerwatch.errors import UsageError
from answerwatch.figures.clusters import ASSUMED_CORRELATION, THIN_BELOW
from answerwatch.figures.intervals import CONFIDENCE, design_effect, wilson
from answerwatch.figures.quantiles import normal_quantile, t_quantile

UNDECIDED = 0.5
"""The rate with the widest interval: a promise made for it holds for every other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """What to expect of a rate on one platform."""

    questions: int
    rounds: int
    rate: float
    correlation: float
    """Correlation of the rounds of one question, from 0 to 1."""
    effective_n: float
    """Independent answers that questions x rounds are worth."""
    half_width: float
    """Half of the width of the 95 % interval, as a share (0.08 = 8 points)."""
    thin: bool
    """Fewer than ten questions."""


def plan_precision(
    questions: int, rounds: int, *, rate: float = UNDECIDED, correlation: float = ASSUMED_CORRELATION
) -> Precision:
    """Return the precision of one platform's rate from so many questions and rounds.

    Raises UsageError for fewer than one question or round, or a correlation outside 0 to 1.
    """
    if questions < 1 or rounds < 1 or not 0 <= correlation <= 1:
        raise UsageError(
            "figures_input",
            "A plan needs at least one question and one round, and a correlation from 0 to 1.",
            questions=questions,
            rounds=rounds,
            correlation=correlation,
        )
    thin = questions < THIN_BELOW
    # One question is a cell of its own: its rounds are all there is, and the claim is about this question only.
    effect = 1.0 if questions == 1 else design_effect(rounds, correlation)
    effective = questions * rounds / effect
    quantile = normal_quantile(CONFIDENCE) if thin else t_quantile(CONFIDENCE, questions - 1)
    return Precision(
        questions=questions,
        rounds=rounds,
        rate=rate,
        correlation=correlation,
        effective_n=effective,
        half_width=wilson(rate, effective, quantile=quantile).half_width,
        thin=thin,
    )
