"""Stored results as figures take them: one answer as one brand sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from answerwatch.domain.answers import ABSENT, UNKNOWN, Figures
from answerwatch.figures.observations import Observation
from answerwatch.workspace.filling import filled


def figures_seen(found: Figures | None, *, looked_for: bool) -> Figures:
    """Return the figures of a brand in an answer.

    `found` are those that are stored, None where the answer does not name the brand. `looked_for`: the answer is valid
    and was read with a lexicon that holds the brand; else nothing is known where nothing is stored.
    """
    if found is not None:
        return found
    return ABSENT if looked_for else UNKNOWN


def observed(
    answer: Mapping[str, Any], figures: Figures | None = None, *, tracked_mentions: int | None = None
) -> Observation:
    """Return an answer as figures take it; each value stands under the name of its column.

    The brand's figures are those of `answer` itself unless others are given. Raises KeyError where a value is missing.
    """
    values = answer if figures is None else {**answer, **figures._asdict()}
    return filled(Observation, values, tracked_mentions=tracked_mentions)
