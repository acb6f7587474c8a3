"""The plainest cleaner that does the job at all: substring search, cue words nearby, the number of the line.

It stands for what people write first. It is compared for speed, and is wrong about exactly the things that the reader
is careful about: names inside other words, folded spellings, regions, negations, verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

REFUSALS = ("无法回答", "不能回答", "作为一个人工智能", "I can't help", "I cannot", "As an AI")
CUES = ("推荐", "首选", "值得", "优先", "recommend", "best", "top pick")
NEARBY = 30
SHORTEST = 20
_NUMBERED = re.compile(r"\s*(?:[*#]+\s*)?(\d{1,2})[.、)]")
_MARKER = re.compile(r"\[\d{1,2}\]")


@dataclass(frozen=True, slots=True)
class NaiveReading:
    """What substring search says about one brand."""

    brand: str
    mentions: int
    recommended: bool
    rank: int | None


@dataclass(frozen=True, slots=True)
class NaiveResult:
    """What it says about one answer."""

    valid: bool
    has_citation: bool | None
    brands: tuple[NaiveReading, ...]


def clean(text: str, brands: Mapping[str, Sequence[str]]) -> NaiveResult:
    """Return the reading of one answer for all brands, given their names."""
    if len(text.strip()) < SHORTEST or any(phrase in text for phrase in REFUSALS):
        return NaiveResult(valid=False, has_citation=None, brands=())
    cited = "http" in text or _MARKER.search(text) is not None
    found = tuple(reading for brand, names in brands.items() if (reading := _read(text, brand, names)))
    return NaiveResult(valid=True, has_citation=cited, brands=found)


def _read(text: str, brand: str, names: Sequence[str]) -> NaiveReading | None:
    """Return what is said about one brand, or None where it is not named."""
    places = sorted(place for name in names for place in places_of(text, name))
    if not places:
        return None
    around = [text[max(0, place - NEARBY) : place + NEARBY] for place in places]
    ranks = [rank for place in places if (rank := _number_of_line(text, place)) is not None]
    recommended = any(cue in window for window in around for cue in CUES)
    return NaiveReading(brand, len(places), recommended, min(ranks, default=None))


def places_of(text: str, name: str) -> list[int]:
    """Return every place at which a name starts."""
    places = []
    place = text.find(name)
    while place >= 0:
        places.append(place)
        place = text.find(name, place + len(name))
    return places


def _number_of_line(text: str, place: int) -> int | None:
    """Return the number at the start of the line of a place."""
    start = text.rfind("\n", 0, place) + 1
    match = _NUMBERED.match(text, start, place)
    return int(match.group(1)) if match else None
