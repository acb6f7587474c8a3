"""Corrections: what a person says is right of an answer, beside what the reader said, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from answerwatch.domain.answers import ABSENT, UNKNOWN, Figures
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError

Spot = tuple[int, int]
"""First code point of a match in the raw answer, and its length."""


class Field(StrEnum):
    """What can be corrected."""

    IS_VALID = "is_valid"
    """Of the answer: whether it is one at all, else why not."""
    HAS_CITATION = "has_citation"
    """Of the answer."""
    MENTION = "mention"
    """Whether the words at a place name the brand; counts follow from it."""
    IS_RECOMMENDED = "is_recommended"
    RECOMMENDATION_RANK = "recommendation_rank"
    IS_TOP_PICK = "is_top_pick"

    @property
    def of_answer(self) -> bool:
        """Tell whether it belongs to the answer as a whole and to no brand."""
        return self in (Field.IS_VALID, Field.HAS_CITATION)


REASONS = ("empty", "refused", "filtered", "no_answer", "error", "garbled", "irrelevant")
"""Why a text is no answer, as a person may say it."""
YES, NO, NONE, VALID = "yes", "no", "none", "valid"
MOST_RANK = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One value that a person set right."""

    correction_id: int
    sub_task_id: str
    brand_name: str
    """'' where it is about the answer as a whole."""
    field: Field
    value: str
    """`yes`, `no`, a number, `none`; of validity `valid` or the reason."""
    spot: Spot | None
    """Of a mention."""
    read_value: str | None
    """What the reader had said when it was corrected; None: nothing."""
    note: str
    created_at: datetime
    created_by: str


class Seen(NamedTuple):
    """One answer as one brand sees it, as far as corrections may change it."""

    is_valid: int | None
    invalid_reason: str | None
    has_citation: int | None
    figures: Figures
    spots: frozenset[Spot]
    """Where the brand is mentioned, as it counts."""


def checked_value(field: Field, text: str) -> str:
    """Return a value as it is kept; raises UsageError for one that the field cannot have."""
    value = text.strip().lower()
    value = {"true": YES, "1": YES, "是": YES, "false": NO, "0": NO, "否": NO, "无": NONE}.get(value, value)
    if field is Field.RECOMMENDATION_RANK:
        digits = text.strip()
        if value == NONE or (digits.isascii() and digits.isdigit() and 1 <= int(digits[:9]) <= MOST_RANK):
            return NONE if value == NONE else str(int(digits))
        known = f"1 ... {MOST_RANK}, {NONE}"
    elif field is Field.IS_VALID:
        value = VALID if value == YES else value
        if value in (VALID, *REASONS):
            return value
        known = ", ".join((VALID, *REASONS))
    elif value in (YES, NO):
        return value
    else:
        known = f"{YES}, {NO}"
    shown = in_short(text)
    told = f"{field} cannot be {shown!r}; it can be: {known}."
    raise UsageError("correction_value", told, field=str(field), value=shown, known=known)


def corrected(seen: Seen, corrections: Sequence[Correction]) -> Seen:
    """Return an answer as people set it right; `corrections` are those of the answer and of the brand, oldest first.

    Counts follow from mentions; a brand that is not mentioned is not recommended, and one that is not recommended has
    no place.
    """
    for one in corrections:
        if one.field is Field.IS_VALID:
            seen = _judged(seen, one.value)
        elif one.field is Field.HAS_CITATION:
            seen = seen._replace(has_citation=int(one.value == YES))
    if seen.is_valid != 1:
        return seen
    return _figured(seen, [one for one in corrections if not one.field.of_answer])


def _judged(seen: Seen, value: str) -> Seen:
    if value == VALID:
        return seen if seen.is_valid == 1 else seen._replace(is_valid=1, invalid_reason=None)
    return Seen(is_valid=0, invalid_reason=value, has_citation=None, figures=UNKNOWN, spots=frozenset())


def _figured(seen: Seen, corrections: Sequence[Correction]) -> Seen:
    """Return what is said of the brand; where nobody looked for it, only what a person said is known."""
    spots = spots_after(seen.spots, corrections)
    figures = seen.figures
    if any(one.field is Field.MENTION for one in corrections):
        figures = _mentioned(figures, len(spots))
    for one in corrections:
        if one.field is Field.IS_RECOMMENDED:
            figures = figures._replace(is_recommended=int(one.value == YES), polarity=None)
        elif one.field is Field.IS_TOP_PICK:
            figures = figures._replace(is_top_pick=int(one.value == YES))
        elif one.field is Field.RECOMMENDATION_RANK:
            rank = None if one.value == NONE else int(one.value)
            figures = figures._replace(recommendation_rank=rank, rank_basis=None)
    if figures.is_recommended == 0:
        figures = figures._replace(recommendation_rank=None, rank_basis=None)
    return seen._replace(figures=figures, spots=spots)


def _mentioned(figures: Figures, count: int) -> Figures:
    if not count:
        return ABSENT
    known = figures if figures.is_mentioned == 1 else ABSENT
    return known._replace(is_mentioned=1, mention_count=count)


def spots_after(spots: Iterable[Spot], corrections: Iterable[Correction]) -> frozenset[Spot]:
    """Return where a brand is mentioned after corrections."""
    found = set(spots)
    for one in corrections:
        if one.field is Field.MENTION and one.spot is not None:
            (found.add if one.value == YES else found.discard)(one.spot)
    return frozenset(found)


def by_sample(corrections: Iterable[Correction]) -> dict[str, list[Correction]]:
    """Return corrections by the sample that they are about, in their order."""
    found: dict[str, list[Correction]] = {}
    for one in corrections:
        found.setdefault(one.sub_task_id, []).append(one)
    return found
