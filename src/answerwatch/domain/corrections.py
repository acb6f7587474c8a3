"""Corrections: what a person says is right of an answer, beside what the reader said, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from answerwatch.domain.answers import ABSENT, UNKNOWN, Figures
from answerwatch.domain.clean_states import InvalidReason
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
    POLARITY = "polarity"
    """How it is spoken of; whether it is recommended follows from it."""
    RECOMMENDATION_RANK = "recommendation_rank"
    IS_TOP_PICK = "is_top_pick"

    @property
    def of_answer(self) -> bool:
        """Tell whether it belongs to the answer as a whole and to no brand."""
        return self in (Field.IS_VALID, Field.HAS_CITATION)


REASONS = tuple(str(reason) for reason in InvalidReason if reason is not InvalidReason.TIMEOUT)
"""Why a text is no answer, as a person may say it; that the deadline cut it, only the collector knows."""
FOR = ("recommended", "conditional")
AGAINST = ("neutral", "warned", "discouraged")
"""Polarities of a brand that is recommended, and of one that is not."""
YES, NO, NONE, VALID = "yes", "no", "none", "valid"
MOST_RANK = 1_000

_CHOICES: Mapping[Field, tuple[str, ...]] = MappingProxyType(
    {
        Field.IS_VALID: (VALID, *REASONS),
        Field.IS_RECOMMENDED: (YES, NO, NONE),
        Field.POLARITY: (*FOR, *AGAINST),
    }
)
"""Values of fields that are more than yes and no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One value that a person set right."""

    correction_id: int
    sub_task_id: str
    brand_name: str
    """'' where it is about the answer as a whole."""
    field: Field
    value: str
    """`yes`, `no`, a number, `none`, a polarity; of validity `valid` or the reason."""
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
        raise _impossible(field, text, f"1 ... {MOST_RANK}, {NONE}")
    if field is Field.IS_VALID and value == YES:
        value = VALID
    choices = _CHOICES.get(field, (YES, NO))
    if value not in choices:
        raise _impossible(field, text, ", ".join(choices))
    return value


def _impossible(field: Field, text: str, known: str) -> UsageError:
    shown = in_short(text)
    told = f"{field} cannot be {shown!r}; it can be: {known}."
    return UsageError("correction_value", told, field=str(field), value=shown, known=known)


def corrected(seen: Seen, corrections: Sequence[Correction]) -> Seen:
    """Return an answer as people set it right; `corrections` are those of the answer and of the brand, oldest first.

    What follows from a value is set right with it, so that no combination comes about that an answer cannot have:
    counts follow from mentions, a brand that is not mentioned is not recommended, and one that is not recommended has
    no place. What nobody said is not known then, never 0.
    """
    for one in corrections:
        if one.field is Field.IS_VALID:
            seen = _judged(seen, one.value)
    if seen.is_valid != 1:
        return seen
    for one in corrections:
        if one.field is Field.HAS_CITATION:
            seen = seen._replace(has_citation=int(one.value == YES))
    spots = spots_after(seen.spots, corrections)
    figures = seen.figures if spots == seen.spots else _mentioned(seen, spots)
    said = [one for one in corrections if one.field in _ADVICE]
    if said and figures.is_mentioned == 1:
        figures = _advised(figures, said)
    return seen._replace(figures=figures, spots=spots)


_ADVICE = (Field.IS_RECOMMENDED, Field.POLARITY, Field.RECOMMENDATION_RANK, Field.IS_TOP_PICK)


def _judged(seen: Seen, value: str) -> Seen:
    if value == VALID:
        return seen if seen.is_valid == 1 else seen._replace(is_valid=1, invalid_reason=None)
    return Seen(is_valid=0, invalid_reason=value, has_citation=None, figures=UNKNOWN, spots=frozenset())


def _mentioned(seen: Seen, spots: frozenset[Spot]) -> Figures:
    """Return the figures of a brand that is mentioned at other places than was read."""
    read = seen.figures
    if not spots:
        return ABSENT._replace(own_site_cited=read.own_site_cited)
    if read.is_mentioned != 1:
        return Figures(is_mentioned=1, mention_count=len(spots), own_site_cited=read.own_site_cited)
    order = read.mention_order if min(spots) == min(seen.spots, default=None) else None
    return read._replace(mention_count=len(spots), mention_order=order)


def _advised(figures: Figures, said: Sequence[Correction]) -> Figures:
    """Return the figures of a brand that is mentioned with what people said of the advice about it."""
    for one in said:
        if one.field is Field.POLARITY:
            figures = _leaning(figures, int(one.value in FOR), one.value)
        elif one.field is Field.IS_RECOMMENDED:
            leaning = None if one.value == NONE else int(one.value == YES)
            fits = (figures.polarity in FOR) == (leaning == 1) and leaning is not None
            figures = _leaning(figures, leaning, figures.polarity if fits else None)
    if figures.is_recommended != 1:
        return figures._replace(recommendation_rank=None, rank_basis=None, is_top_pick=figures.is_recommended)
    for one in said:
        if one.field is Field.IS_TOP_PICK:
            figures = figures._replace(is_top_pick=int(one.value == YES))
        elif one.field is Field.RECOMMENDATION_RANK:
            rank = None if one.value == NONE else int(one.value)
            basis = figures.rank_basis if rank == figures.recommendation_rank else None
            figures = figures._replace(recommendation_rank=rank, rank_basis=basis)
    return figures


def _leaning(figures: Figures, recommended: int | None, polarity: str | None) -> Figures:
    """Return the figures with another advice; of one that was not recommended nobody looked for the first choice."""
    top = figures.is_top_pick if figures.is_recommended == recommended else None
    return figures._replace(is_recommended=recommended, polarity=polarity, is_top_pick=top)


def spots_after(spots: Iterable[Spot], corrections: Iterable[Correction]) -> frozenset[Spot]:
    """Return where a brand is mentioned after corrections; mentions do not overlap, and what a person said stays."""
    found = set(spots)
    for one in corrections:
        if one.field is not Field.MENTION or one.spot is None:
            continue
        found.discard(one.spot)
        if one.value == YES:
            found = {spot for spot in found if not overlap(spot, one.spot)} | {one.spot}
    return frozenset(found)


def overlap(one: Spot, other: Spot) -> bool:
    """Tell whether two places share a character."""
    return one[0] < sum(other) and other[0] < sum(one)


def more_named(read: Mapping[str, Iterable[Spot]], corrections: Iterable[Correction]) -> int:
    """Return how many brands more an answer names than was read; fewer are below 0.

    `read` are the places of each brand as they were read, `corrections` all those of the answer.
    """
    by_brand: dict[str, list[Correction]] = {}
    for one in corrections:
        if one.field is Field.MENTION:
            by_brand.setdefault(one.brand_name, []).append(one)
    return sum(
        bool(spots_after(read.get(brand, ()), said)) - bool(set(read.get(brand, ())))
        for brand, said in by_brand.items()
    )


def about(corrections: Iterable[Correction], brand: str) -> list[Correction]:
    """Return those of a brand, '' for none, and of the answer as a whole."""
    return [one for one in corrections if one.brand_name in ("", brand)]


def by_sample(corrections: Iterable[Correction]) -> dict[str, list[Correction]]:
    """Return corrections by the sample that they are about, in their order."""
    found: dict[str, list[Correction]] = {}
    for one in corrections:
        found.setdefault(one.sub_task_id, []).append(one)
    return found
