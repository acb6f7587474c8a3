"""Leaning: what the words around a name, or behind the subject of a clause, say for or against it."""

from __future__ import annotations

import re
from enum import Enum

from answerwatch.reading.cues import (
    ANSWERS_NO,
    BETWEEN_BREAKS,
    DENIED_BEFORE,
    DOUBLE_NEGATION,
    ENOUGH_AFTER,
    ENOUGH_BEFORE,
    FIRST,
    NEGATION_BEFORE,
    NEGATIVE,
    NEITHER,
    NONE_AFTER,
    NONE_BEFORE,
    OPEN_QUESTION,
    PAST_BEFORE,
    POSITIVE,
    SPEAKS_AHEAD,
    STILL_AFTER,
    WEAK,
)
from answerwatch.reading.quick_looks import SPEAKS

_AROUND = (
    (
        re.compile(r"(?:换成?|改[买用选]成?|来|上|试试|拿下?)[ *_“\"「《]{0,3}$"),
        re.compile(r"[^，。]{0,16}吧(?=[。！!]|$)"),
    ),
    (
        re.compile(r"(?:留|说|选|给)(?:一个|个)(?:名字|牌子|品牌)(?:的话)?，?那?就?(?:是|只有)[ *_“\"「《]{0,3}$"),
        re.compile(""),
    ),
)
"""Before and after a name: the two together put it forward (换成A吧)."""
_REACH_BEFORE = 20
_REACH_BEFORE_LATIN = 48
_REACH_AFTER = 48


class Leaning(Enum):
    """What one clause says of one brand."""

    FOR = "for"
    WEAK = "weak"
    AGAINST = "against"


FOR, SO_SO, AGAINST = Leaning
"""The members by themselves: Python 3.11 takes long to find one in its class."""


SIDES = frozenset({FOR, AGAINST})
"""Those that are no weak words."""


def is_unrivalled(before: str, after: str) -> bool:
    """Return whether the clause says that nothing is better than the name: 没有比A更值得买的."""
    return NONE_BEFORE.search(before) is not None and NONE_AFTER.match(after) is not None


def lean(before: str, after: str, following: str) -> tuple[Leaning | None, bool, bool]:
    """Return the leaning of a clause around a name, whether it names the first choice, and whether the cue is ahead."""
    still = before.endswith("还是") and STILL_AFTER.match(after)
    around = any(one.search(before) and other.match(after) for one, other in _AROUND)
    if still or around or (ENOUGH_BEFORE.search(before) and ENOUGH_AFTER.match(after)) or is_unrivalled(before, after):
        return FOR, False, True
    plain_before, plain_after = DOUBLE_NEGATION.sub("", before), DOUBLE_NEGATION.sub("", after)
    reach = _REACH_BEFORE if not plain_before[-30:].isascii() or not plain_before else _REACH_BEFORE_LATIN
    near = _if_it_speaks(plain_before[-reach:])
    tail = _if_it_speaks(plain_after[:_REACH_AFTER])
    if OPEN_QUESTION.search(plain_before[-24:]):
        return (AGAINST if ANSWERS_NO.search(after + following) else None), False, False
    if _speaks_of_it(NEGATIVE, near) or NEGATIVE.search(tail):
        return AGAINST, False, False
    cue = _last(POSITIVE, near)
    if cue is not None and not BETWEEN_BREAKS.search(near, cue.end()):
        first = _last(FIRST, near)
        leads = first is not None and first.end() > cue.start() - 4
        return _turned(plain_before[: len(plain_before) - len(near) + cue.start()]), leads, True
    cue = POSITIVE.search(tail)
    if cue is not None and not speaks_of_another(tail[: cue.start()]) and not _speaks_ahead(tail, cue):
        said = AGAINST if NEITHER.search(before) or DENIED_BEFORE.search(before) else _turned(tail[: cue.start()])
        return said, bool(FIRST.search(tail[: cue.end() + 2])), False
    return (SO_SO if WEAK.search(near) or WEAK.search(tail) else None), False, False


def _speaks_ahead(tail: str, cue: re.Match[str]) -> bool:
    """Return whether a cue after a name announces what follows; not in: A is the one I'd recommend: ..."""
    return SPEAKS_AHEAD.match(tail, cue.end()) is not None and " the one " not in tail[: cue.start()]


def _turned(ahead: str) -> Leaning | None:
    """Return what a positive cue says behind these words: the contrary after a negation, nothing after 曾是."""
    if PAST_BEFORE.search(ahead):
        return None
    return AGAINST if NEGATION_BEFORE.search(ahead) else FOR


def _if_it_speaks(text: str) -> str:
    """Return a text in which a cue may be found; nothing where none will."""
    return text if SPEAKS.search(text) else ""


def _speaks_of_it(pattern: re.Pattern[str], near: str) -> bool:
    cue = _last(pattern, near)
    return cue is not None and not BETWEEN_BREAKS.search(near, cue.end())


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(text):  # noqa: B007 - the last one is what is wanted
        pass
    return found


def speaks_of_another(between: str) -> bool:
    """Return whether the cue after a name speaks of something else (华为的竞品更推荐)."""
    return bool(re.search(r"而是|竞品|其他|别的|(?:^|[^不])如(?!果)|上述|以下|建议您?|参考", between))
