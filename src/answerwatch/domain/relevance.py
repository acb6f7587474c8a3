"""Whether an answer belongs to its question, by the score of a similarity scorer and that scorer's own thresholds."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

HEAD = 200
"""Characters of an answer that are compared with its question: what comes later is about details."""


class Fit(StrEnum):
    """What a score says."""

    RELEVANT = "relevant"
    SUSPECT = "suspect"
    """It may not belong to its question: kept and shown, not counted as invalid."""
    IRRELEVANT = "irrelevant"
    """Nearly every answer that belongs to its question scores higher."""
    UNKNOWN = "unknown"
    """Not scored, or by a scorer without thresholds."""


class Thresholds(NamedTuple):
    """Of one scorer; another one has another scale."""

    suspect_below: float
    irrelevant_below: float | None
    """None: its scorer sees wording only, so it may raise a doubt and never decides."""


class Relevance(NamedTuple):
    """How well a question and an answer go together."""

    score: float | None
    """None: could not be scored."""
    thresholds: Thresholds | None
    """None: the scorer was never calibrated."""

    @property
    def fit(self) -> Fit:
        """Return what the score says."""
        if self.score is None or self.thresholds is None:
            return Fit.UNKNOWN
        strict = self.thresholds.irrelevant_below
        if strict is not None and self.score < strict:
            return Fit.IRRELEVANT
        return Fit.SUSPECT if self.score < self.thresholds.suspect_below else Fit.RELEVANT
