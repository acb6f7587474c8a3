"""What goes into figures: answers as one brand sees them, and as columns that are counted all at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Annotated, get_type_hints

import numpy as np
import numpy.typing as npt

from answerwatch.errors import UsageError

Flag = Annotated[int | None, "0 or 1"]
"""0, 1, or None where it is not known."""
Column = npt.NDArray[np.float64]
"""One value per answer; NaN is unknown. It never leaves the arithmetic: figures hold None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One answer as seen by one brand: a row of `answer_metric`, or of `brand_result` completed with absences."""

    question_id: str
    platform: str
    scene_type: str
    round: int
    is_valid: Flag
    """None: cleaning has not finished or has failed."""
    invalid_reason: str | None = None
    is_mentioned: Flag = None
    is_recommended: Flag = None
    recommendation_rank: int | None = None
    """From 1; None where the text gives no order or the brand has no place."""
    has_citation: Flag = None
    cites_near: Flag = None
    """A sentence that names the brand has a source; None where it is not mentioned."""
    truncated: Flag = None
    tracked_mentions: int | None = None
    """How many tracked brands the answer mentions, this one included; None where that was not counted."""


_FLAGS = frozenset(name for name, kind in get_type_hints(Observation, include_extras=True).items() if kind == Flag)


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What the valid answers say, answer by answer; the names are those of `Observation`."""

    is_mentioned: Column
    is_recommended: Column
    recommendation_rank: Column
    has_citation: Column
    cites_near: Column
    truncated: Column
    tracked_mentions: Column

    @classmethod
    def of(cls, answers: Sequence[Observation]) -> Columns:
        """Return the columns of some answers.

        Raises UsageError that names an answer whose value would silently bend a figure: a flag of 2, a rank of 0.
        """
        columns = cls(**{one.name: _column(map(attrgetter(one.name), answers)) for one in fields(cls)})
        columns._check(answers)
        return columns

    def _check(self, answers: Sequence[Observation]) -> None:
        """Raise the error of the first impossible value."""
        flags = np.stack([getattr(self, one.name) for one in fields(self) if one.name in _FLAGS])
        impossible = {
            "a flag is not 0, 1 or NULL": (~np.isnan(flags) & (flags != 0) & (flags != 1)).any(axis=0),
            "its rank is below 1; ranks count from 1, and no rank is NULL": self.recommendation_rank < 1,
            "it mentions the brand, but fewer tracked brands than that": self.tracked_mentions
            < np.nan_to_num(self.is_mentioned),
        }
        for why, bad in impossible.items():
            if bad.any():
                raise _refused(answers[int(np.argmax(bad))], why)


def _column(values: Iterable[int | None]) -> Column:
    """Return numbers with NaN for None."""
    return np.array(list(values), dtype=np.float64)


def _refused(answer: Observation, why: str) -> UsageError:
    """Return the error that names an answer."""
    row = f"question {answer.question_id}, platform {answer.platform}, round {answer.round}"
    return UsageError("figures_input", f"The answer to {row} cannot be counted: {why}.", row=row, why=why)
