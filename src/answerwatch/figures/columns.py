"""Rows of answers as columns of numbers, so that a hundred thousand of them are counted at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from answerwatch.errors import UsageError
from answerwatch.figures.records import Observation

Column = npt.NDArray[np.float64]
"""One value per answer; NaN is unknown. It never leaves the arithmetic: figures hold None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What the valid answers say, answer by answer; the names are those of `Observation`."""

    is_mentioned: Column
    is_recommended: Column
    recommendation_rank: Column
    has_citation: Column
    is_truncated: Column
    tracked_mentions: Column

    @classmethod
    def of(cls, answers: Sequence[Observation]) -> Columns:
        """Return the columns of some answers.

        Raises UsageError that names an answer whose value would silently bend a figure: a flag of 2, a rank of 0.
        """
        columns = cls(
            is_mentioned=_column(answer.is_mentioned for answer in answers),
            is_recommended=_column(answer.is_recommended for answer in answers),
            recommendation_rank=_column(answer.recommendation_rank for answer in answers),
            has_citation=_column(answer.has_citation for answer in answers),
            is_truncated=_column(answer.is_truncated for answer in answers),
            tracked_mentions=_column(answer.tracked_mentions for answer in answers),
        )
        columns._check(answers)
        return columns

    def _check(self, answers: Sequence[Observation]) -> None:
        """Raise the error of the first impossible value."""
        flags = np.stack([self.is_mentioned, self.is_recommended, self.has_citation, self.is_truncated])
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
