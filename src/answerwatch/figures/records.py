"""Planned samples that go into figures, and what comes out: figures with all they rest on."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from answerwatch.figures.clusters import Method
from answerwatch.figures.intervals import CONFIDENCE, Bound

METRIC_VERSION = "m1"
"""Version of the definitions in `definitions.py`.

Raised when a published number would come out otherwise from the same answers: another numerator, denominator, way of
adding up or interval. A new figure, a new title or a speed-up leaves it.
"""
WEIGHT_VERSION = "equal-1"
"""Version of the platform weights: every platform that has a value weighs the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """Some planned samples of one question on one platform that share their fate."""

    question_id: str
    platform: str
    scene_type: str
    count: int
    reason: str | None = None
    """Why there is no sample: an error type, `pending`, `cancelled`; None where a sample was stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceCapabilities:
    """What a platform's surface shows at all."""

    exposes_citations: bool | None
    """None: nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """The versions that figures came from; several where the answers were read under several."""

    question_bank: tuple[str, ...]
    lexicon: tuple[str, ...]
    cleaner: tuple[str, ...]
    metric: str = METRIC_VERSION
    weights: str = WEIGHT_VERSION

    @property
    def mixed(self) -> bool:
        """Tell whether answers were read by several lexicons or readers: then a difference may be the reading's."""
        return len(self.lexicon) > 1 or len(self.cleaner) > 1

    def to_dict(self) -> dict[str, object]:
        """Return the versions with `mixed`, so that who reads JSON is warned as who reads the table."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"mixed": self.mixed}


class Unit(StrEnum):
    """What kind of number a figure is, and so how it is shown."""

    SHARE = "share"
    """Part of a whole, from 0 to 1; shown in percent."""
    RANK = "rank"
    """A place in an order, from 1 upwards."""
    NUMBER = "number"
    """Any other number."""


class Best(StrEnum):
    """Which end of a figure is the better one for the brand."""

    HIGH = "high"
    LOW = "low"


class NaReason(StrEnum):
    """Why a figure or its interval is not known."""

    NOTHING_PLANNED = "nothing_planned"
    """No sample was planned here."""
    NO_VALID_ANSWERS = "no_valid_answers"
    """Failures, refusals and the like are no answers, and no zeros."""
    NOT_MEASURED = "not_measured"
    """The valid answers say nothing about this: the value is NULL in all of them."""
    NEVER_MENTIONED = "never_mentioned"
    """It is counted out of mentions and there is none."""
    NO_ORDER_IN_TEXT = "no_order_in_text"
    """No answer gives the brand a place."""
    NOBODY_MENTIONED = "nobody_mentioned"
    """No tracked brand is mentioned."""
    NO_CITATIONS_EXPOSED = "no_citations_exposed"
    """The surface shows no citations."""
    CAPABILITY_UNKNOWN = "capability_unknown"
    """Nobody knows whether the surface shows citations."""
    NO_SPREAD = "no_spread"
    """Interval only: one question, or no difference between questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One published number with everything it rests on; None is unknown, never 0."""

    name: str
    unit: Unit
    best: Best
    value: float | None
    numerator: float | None
    """Sum of what is counted over all answers; None where nothing is known."""
    denominator: int
    """Answers (or planned samples, or mentions) that it is counted out of; 0 where nothing is known."""
    n_questions: int
    n_rounds: int
    """Most answers that one question has on one platform."""
    low: float | None = None
    high: float | None = None
    bound: Bound = Bound.TWO_SIDED
    confidence: float = CONFIDENCE
    method: Method = Method.NONE
    effective_n: float | None = None
    """Independent answers that would be as sure; None where the method does not use it."""
    thin: bool = False
    """Fewer than ten questions: read it as a hint."""
    na_reason: NaReason | None = None
    """Why `value` is None, or else why the interval is."""
    platforms: tuple[str, ...] = ()
    """Platforms that took part, each with the same weight."""
    seed: int | None = None
    """Seed of the draws, for bootstrap intervals."""
