"""Run-in lists: candidates of an answer that lost its line breaks, each with its name before a colon.

`Best overall: Theragun Elite: Strong and quiet.Hyperice Hypervolt 2: A close second.` has two candidates and one title.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from answerwatch.reading.cues import ASPECT_TITLE, NOT_AN_ITEM
from answerwatch.reading.records import Match

_WORD = r"[A-Za-z0-9&+'’\"()/-]+"
_EDGE = re.compile(r"[.!?:)][ \xa0]?(?=[A-Z0-9])")
"""Before every head but the first of a text."""
_HEAD = re.compile(rf"([A-Z0-9][A-Za-z0-9&+'’\"()/-]*(?: {_WORD}){{0,7}}):[ \xa0]?(?=[A-Z0-9])")
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class RunIn:
    """One candidate of a run-in list."""

    start: int
    brands: tuple[str, ...]


def read_run_in(text: str, mentions: tuple[Match, ...]) -> list[RunIn]:
    """Return the candidates of a run-in list in order; empty where the text has lines or too few of them."""
    if text.count("\n") > 2 or not mentions:
        return []
    heads = list(_heads(text))
    starts = {head.start(1) for head in heads}
    found = []
    for head in heads:
        if head.end() in starts:
            continue  # a title: another head follows at once
        if ASPECT_TITLE.search(head[1].lower()) or NOT_AN_ITEM.match(head[1].lower()):
            continue
        low = bisect_left(mentions, head.start(1), key=lambda match: match.match_position)
        high = bisect_left(mentions, head.end(1), key=lambda match: match.match_position)
        found.append(RunIn(head.start(1), tuple(dict.fromkeys(match.standard_name for match in mentions[low:high]))))
    return found if len(found) >= _FEWEST and any(one.brands for one in found) else []


def _heads(text: str) -> Iterator[re.Match[str]]:
    """Yield the heads, none of which lies in another."""
    end = 0
    for start in (0, *(edge.end() for edge in _EDGE.finditer(text))):
        if start >= end and (head := _HEAD.match(text, start)):
            end = head.end()
            yield head
