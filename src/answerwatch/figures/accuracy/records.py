"""What accuracy is measured with: labels, predictions, what was wrong, and the published measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from answerwatch.figures.intervals import Interval

Span = tuple[int, int]
"""First code point in the answer, and the one after the last."""


class Measure(StrEnum):
    """What is measured, by the names under which figures are published and asked for."""

    MENTION_F1 = "mention_f1"
    """Mentions at exactly their places."""
    NAMED_F1 = "named_f1"
    """Whether a brand is mentioned at all."""
    COUNT_EXACT = "count_exact"
    """The number of mentions of a brand in an answer."""
    RECOMMENDED_F1 = "recommended_f1"
    """Whether a brand is recommended."""
    RANK = "rank"
    """The place of a brand that has one."""
    NO_RANK = "no_rank"
    """That a brand has no place."""
    CITATION = "citation"
    """Whether an answer has a citation."""
    VALIDITY = "validity"
    """Whether a text is an answer at all."""
    VALIDITY_F1_INVALID = "validity_f1_invalid"
    """Finding the texts that are none."""
    PRONOUNS = "pronouns"
    """Which brand a pronoun stands for."""


F1 = frozenset({Measure.MENTION_F1, Measure.NAMED_F1, Measure.RECOMMENDED_F1, Measure.VALIDITY_F1_INVALID})
"""Measures that weigh what was missed and what was invented; the others are shares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandLabel:
    """What is right about one brand in one valid answer."""

    brand: str
    spans: frozenset[Span]
    """Of every mention that counts."""
    is_recommended: bool | None
    """None: people would disagree, so recommendation and place are not scored."""
    recommendation_rank: int | None
    """1 is first; None: no place."""
    rank_alt: tuple[int | None, ...] = ()
    """Other places that are right, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PronounLabel:
    """Whom a pronoun stands for."""

    span: Span
    brand: str | None
    """None: none of the tracked brands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What is right about one text."""

    row_id: str
    is_valid: bool
    validity_alt: frozenset[bool] = frozenset()
    """Other judgements that are right, too."""
    has_citation: bool | None
    """None: not scored."""
    brands: tuple[BrandLabel, ...] = ()
    pronouns: tuple[PronounLabel, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandPrediction:
    """What a reader said about one brand in one answer."""

    spans: frozenset[Span] = frozenset()
    is_recommended: bool | None = None
    recommendation_rank: int | None = None


NOT_SAID = BrandPrediction()
"""Of a brand that the reader said nothing about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What a reader said about one text; nothing but `error` where it failed."""

    is_valid: bool | None
    """None where the reader failed."""
    has_citation: bool | None = None
    brands: Mapping[str, BrandPrediction] = field(default_factory=dict)
    pronouns: Mapping[Span, str | None] = field(default_factory=dict)
    error: str | None = None
    """What went wrong; None where nothing did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """One thing that was said wrongly, or not said."""

    row_id: str
    measure: Measure
    brand: str | None = None
    """None: it is about the whole text, or about a pronoun."""
    expected: object = None
    """As the label has it: a truth value, a place, a brand; a span for mentions, None for an invented one."""
    got: object = None
    """As the reader said it; None where a span was missed."""
    span: Span | None = None
    """Where it happened; None where no place is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """One published measure with what it rests on."""

    measure: Measure
    numerator: int
    denominator: int
    """0: nothing was to be scored. For an F1 both count what was found twice, so that they divide to the value."""
    value: float | None
    """From 0 to 1; None where nothing was to be scored."""
    interval: Interval | None
    """95 %, by Wilson, as if all cases were independent; None where nothing was to be scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """How much was scored."""

    rows: int
    labels: int
    """Brands in rows that are valid by label."""
    spans: int
    recommended: int
    rank: int
    no_rank: int
    citation: int
    invalid: int
    pronouns: int
