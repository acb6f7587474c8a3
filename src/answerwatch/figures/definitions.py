"""Each published figure once: what it counts, out of what, and when it is not known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from answerwatch.figures.observations import Column, Columns
from answerwatch.figures.records import Best, NaReason, Unit

Counts = tuple[Column, Column]
"""What each answer adds to the numerator and to the denominator; a numerator of NaN says nothing about the figure."""
Measure = Callable[[Columns], Counts]
"""Reads valid answers."""


class Estimator(StrEnum):
    """How answers add up to the value on one platform."""

    MACRO = "macro"
    """Mean over questions of each question's own rate: every question weighs the same."""
    RATIO = "ratio"
    """Ratio of sums, between 0 and 1."""
    MEAN = "mean"
    """Mean of the answers that have the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureDefinition:
    """The meaning of one figure; whoever changes what it comes to raises METRIC_VERSION in `records.py`."""

    name: str
    formula: str
    """Shown in the disclosure sheet."""
    estimator: Estimator
    measure: Measure | None
    """None: counted out of planned samples, not of answers."""
    empty: NaReason = NaReason.NOT_MEASURED
    """Why it is not known although the answers were looked at."""
    unit: Unit = Unit.SHARE
    best: Best = Best.HIGH
    needs_citations: bool = False
    """Not known where the surface shows no citations."""


def _of_all(values: Column) -> Counts:
    """Count out of all answers that have the value."""
    return values, np.ones_like(values)


def _mentioned(answers: Columns) -> Counts:
    return _of_all(answers.is_mentioned)


def _recommended(answers: Columns) -> Counts:
    return _of_all(answers.is_recommended)


def _recommended_if_mentioned(answers: Columns) -> Counts:
    mentioned = answers.is_mentioned == 1
    return np.where(mentioned, answers.is_recommended, _absent(answers)), mentioned.astype(np.float64)


def _rank(answers: Columns) -> Counts:
    ranked = ~np.isnan(answers.recommendation_rank)
    return np.where(ranked, answers.recommendation_rank, _absent(answers)), ranked.astype(np.float64)


def _reciprocal_rank(answers: Columns) -> Counts:
    ranked = ~np.isnan(answers.recommendation_rank)
    return _of_all(np.where(ranked, 1 / answers.recommendation_rank, _absent(answers)))


def _within_first(places: int) -> Measure:
    def measure(answers: Columns) -> Counts:
        ranked = ~np.isnan(answers.recommendation_rank)
        return _of_all(np.where(ranked, answers.recommendation_rank <= places, _absent(answers)))

    return measure


def _absent(answers: Columns) -> Column:
    """Return 0 for answers that were read for the brand, NaN for others: nothing is known of those."""
    return answers.is_mentioned * 0


def _share_of_mentions(answers: Columns) -> Counts:
    known = ~np.isnan(answers.tracked_mentions)
    return np.where(known, answers.is_mentioned, np.nan), answers.tracked_mentions


def _cited(answers: Columns) -> Counts:
    return _of_all(answers.has_citation)


def _cited_near(answers: Columns) -> Counts:
    mentioned = answers.is_mentioned == 1
    return np.where(mentioned, answers.cites_near, _absent(answers)), mentioned.astype(np.float64)


def _truncated(answers: Columns) -> Counts:
    return _of_all(answers.truncated)


_DEFINITIONS = (
    FigureDefinition(
        name="valid_answer_rate",
        formula="valid answers ÷ planned samples",
        estimator=Estimator.RATIO,
        measure=None,
        empty=NaReason.NOTHING_PLANNED,
    ),
    FigureDefinition(
        name="visibility",
        formula="mean over questions of (valid answers that mention the brand ÷ valid answers)",
        estimator=Estimator.MACRO,
        measure=_mentioned,
    ),
    FigureDefinition(
        name="recommendation_rate",
        formula="mean over questions of (valid answers that recommend the brand, conditions allowed ÷ valid answers)",
        estimator=Estimator.MACRO,
        measure=_recommended,
    ),
    FigureDefinition(
        name="recommendation_rate_of_mentioned",
        formula="valid answers that mention and recommend the brand ÷ valid answers that mention it",
        estimator=Estimator.RATIO,
        measure=_recommended_if_mentioned,
        empty=NaReason.NEVER_MENTIONED,
    ),
    FigureDefinition(
        name="mean_rank",
        formula="sum of the ranks ÷ valid answers that give the brand a rank (1 is best)",
        estimator=Estimator.MEAN,
        measure=_rank,
        unit=Unit.RANK,
        best=Best.LOW,
        empty=NaReason.NO_ORDER_IN_TEXT,
    ),
    FigureDefinition(
        name="top1_rate",
        formula="mean over questions of (valid answers with rank 1 ÷ valid answers)",
        estimator=Estimator.MACRO,
        measure=_within_first(1),
    ),
    FigureDefinition(
        name="top3_rate",
        formula="mean over questions of (valid answers with rank 1, 2 or 3 ÷ valid answers)",
        estimator=Estimator.MACRO,
        measure=_within_first(3),
    ),
    FigureDefinition(
        name="mrr",
        formula="mean over questions of the mean of 1 ÷ rank, 0 where a valid answer gives no rank",
        estimator=Estimator.MACRO,
        measure=_reciprocal_rank,
        unit=Unit.NUMBER,
    ),
    FigureDefinition(
        name="mention_share",
        formula="valid answers that mention the brand ÷ sum over tracked brands of the valid answers that mention it",
        estimator=Estimator.RATIO,
        measure=_share_of_mentions,
        empty=NaReason.NOBODY_MENTIONED,
    ),
    FigureDefinition(
        name="citation_rate",
        formula="mean over questions of (valid answers with at least one citation ÷ valid answers)",
        estimator=Estimator.MACRO,
        measure=_cited,
        needs_citations=True,
    ),
    FigureDefinition(
        name="sourced_mention_rate",
        formula="valid answers with a source in a sentence that names the brand ÷ valid answers that mention it",
        estimator=Estimator.RATIO,
        measure=_cited_near,
        empty=NaReason.NEVER_MENTIONED,
        needs_citations=True,
    ),
    FigureDefinition(
        name="truncated_rate",
        formula="mean over questions of (valid answers that stop at a limit ÷ valid answers)",
        estimator=Estimator.MACRO,
        measure=_truncated,
        best=Best.LOW,
    ),
)

FIGURES = MappingProxyType({definition.name: definition for definition in _DEFINITIONS})
"""Every published figure by name, in the order in which they are shown."""

OVERALL_FORMULA = "mean of the platforms' values, each with the same weight; platforms without a value are left out"
"""How figures over several platforms are formed: never from pooled answers."""
