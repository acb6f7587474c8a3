"""Run-in lists: candidates of an answer that lost its line breaks, each with its name before a colon.

`Best overall: Theragun Elite: Strong and quiet.Hyperice Hypervolt 2: A close second.` has two candidates and one title.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from answerwatch.reading.records import Match
from answerwatch.reading.titles import ASPECT_TITLE, NEGATIVE_TITLE, NOT_AN_ITEM

_WORD = r"(?:[A-Za-z0-9&+'’\"()/-]{1,40}|\([A-Za-z0-9'’ -]{1,24}(?:, ?[A-Za-z0-9'’ -]{1,24}){1,3}\))"
_EDGE = re.compile(r"[.!?:)][ \xa0]?(?=[A-Z0-9]|[a-z][A-Z])")
"""Before every head but the first of a text."""
_REST = rf"[A-Za-z0-9&+'’\"()/-]{{0,40}}(?: {_WORD}){{0,7}}):[ \xa0]?(?=[A-Z0-9])"
_HEAD = re.compile(rf"((?:[A-Z0-9]|[a-z](?=[A-Z])){_REST}")
_NAME_HEAD = re.compile(rf"([a-z]{_REST}")
"""A head that begins with a tracked name in small letters (adidas Adizero:)."""
_EDGE_SIGNS = frozenset(".!?:)")
_FEWEST = 3
_OPENING = 40
"""Signs at most between the start of a line and the name that leads it."""
_LABEL_END = re.compile(
    r"[A-Za-z0-9 +.-]{0,24}(?:系列|手机)?[ *_”\"》]{0,4}(?:[：:](?!//)|[ \t]*(?=\n|$)"
    r"|[ \t]*[（(]?(?:推荐(?:指数|度)|评分|星级)?[：: ]{0,2}(?:[★⭐🌟]|\d(?:\.\d)?(?:分|星|/(?:5|10)\b)))"
)
"""From the end of a name that leads a line to the colon or the stars that make it a label."""
_LABEL = re.compile(r"[ \t*_“\"《]{0,4}[^\s，。：:；！？|*]{1,12}[^，。：:；！？|\n]{0,12}[：:][ *]{0,3}(?![\s/])")
"""The label of a line without a tracked brand."""
_LONGEST_TITLE = 24
"""Characters of a line that stands over others."""
_LONGEST_NAMING = 120
"""Characters of a text that only names brands."""
_NAMING_LABEL = re.compile(r"[^，。；！？\n：:]{0,16}[：:]")
_MARKS = r"[ *_“”\"'「」《》\n]{0,4}"
_JOINS = rf"{_MARKS}(?:、|，|,|/|和|与|及|以及|还有|或|或者|and |or |&|\+)?{_MARKS}"
_MODEL = "[A-Za-z0-9+ -]{0,24}"
_BETWEEN_NAMES = re.compile(rf"{_MODEL}{_JOINS}(?:[^\W\d_]{{1,6}}(?:、|，|和|与|及))?")
"""Between two names: a model, a sign that joins, one more name that is not tracked."""
_AFTER_NAMES = re.compile(rf"{_MODEL}(?:(?:、|，|和|与|及)[^\W\d_]{{1,6}}){{0,2}}等?(?:品牌|牌子)?[ *_。.！!\n]*")


@dataclass(frozen=True, slots=True)
class RunIn:
    """One candidate of a run-in list."""

    start: int
    brands: tuple[str, ...]


def read_run_in(text: str, mentions: tuple[Match, ...]) -> list[RunIn]:
    """Return the candidates of a run-in list in order; empty where the text has lines or too few of them."""
    if text.count("\n") > 2 or not mentions:
        return []
    heads = list(_heads(text, mentions))
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


def bare_names(text: str, mentions: tuple[Match, ...]) -> list[RunIn]:
    """Return the brands of a text that does nothing but name them, in order (华为、小米。, 品牌：华为); else nothing.

    Whoever is asked which one and answers with names alone puts them forward.
    """
    if len(text) > _LONGEST_NAMING:
        return []
    label = _NAMING_LABEL.match(text)
    if label and NEGATIVE_TITLE.search(label[0]):
        return []
    last = label.end() if label else 0
    for match in mentions:
        if not _BETWEEN_NAMES.fullmatch(text, last, match.match_position):
            return []
        last = match.end
    named = {match.standard_name: match.match_position for match in reversed(mentions)}
    found = [RunIn(start, (name,)) for name, start in sorted(named.items(), key=lambda pair: pair[1])]
    return found if _AFTER_NAMES.fullmatch(text, last) else []


def label_lines(text: str, mentions: tuple[Match, ...]) -> list[RunIn]:
    """Return the brands that lead lines of their own before a colon or stars (华为P70：影像), where at least two do.

    Such lines are a list that has lost its marks.
    """
    named: dict[int, Match] = {}
    for match in mentions:
        low = max(0, match.match_position - _OPENING)
        start = low + len(text[low : match.match_position].rstrip(' \t*_“"《'))
        if text[start - 1 : start] in {"", "\n"} and start not in named and _LABEL_END.match(text, match.end):
            named[start] = match
    warned = _warned_of(text, named)
    named = {start: match for start, match in named.items() if start not in warned}
    if len({match.standard_name for match in named.values()}) < 2:
        return []
    found: list[RunIn] = []
    for start in _label_starts(text, sorted(named)):
        name = named.get(start)
        if name is None:
            found.append(RunIn(start, ()))
        elif all(name.standard_name not in one.brands for one in found):
            found.append(RunIn(name.match_position, (name.standard_name,)))
    return found


def _warned_of(text: str, named: dict[int, Match]) -> set[int]:
    """Return the starts of the lines right below a title of warnings; lines with names between do not part them."""
    warned: set[int] = set()
    for start in sorted(named):
        above = text.rfind("\n", 0, max(start - 1, 0)) + 1
        title = text[above : max(start - 1, 0)]
        if above in warned or (
            above not in named and len(title) < _LONGEST_TITLE and NEGATIVE_TITLE.search(title.lower())
        ):
            warned.add(start)
    return warned


def _label_starts(text: str, starts: list[int]) -> Iterator[int]:
    """Yield where the lines with labels start that stand together with one of `starts`, these among them."""
    known = set(starts)
    block: list[int] = []
    at = text.rfind("\n\n", 0, starts[0]) + 1
    while at <= starts[-1]:
        if at in known or _LABEL.match(text, at):
            block.append(at)
        else:
            yield from block if known.intersection(block) else ()
            block = []
        at = text.find("\n", at) + 1 or starts[-1] + 1
    yield from block


def _heads(text: str, mentions: tuple[Match, ...]) -> Iterator[re.Match[str]]:
    """Yield the heads, none of which lies in another."""
    end = 0
    names = {
        match.match_position
        for match in mentions
        if text[match.match_position - 1 : match.match_position] in _EDGE_SIGNS
    }
    for start in sorted({0, *names, *(edge.end() for edge in _EDGE.finditer(text))}):
        if start < end:
            continue
        head = _HEAD.match(text, start) or (_NAME_HEAD.match(text, start) if start in names else None)
        if head:
            end = head.end()
            yield head
