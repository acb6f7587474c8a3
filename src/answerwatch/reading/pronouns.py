"""Pronouns: which brand a pronoun stands for. They are kept apart and never counted."""

from __future__ import annotations

import re
from bisect import bisect_left

from answerwatch.reading.clauses import last_two
from answerwatch.reading.patterns import has_any
from answerwatch.reading.records import Match, PronounRef
from answerwatch.reading.regions import Regions
from answerwatch.reading.yardsticks import SURPASSED

_PRONOUN = re.compile(
    r"[它该本这前后其](?:(?<=它)(?!们)|(?<=[该本这])\s?(?:个|家|款)?(?:品牌|公司|企业|厂商|机型|系列|手机|产品|车型)"
    r"|(?<=[该这])款|(?<=[前后])者|(?<=其)(?<![尤极与莫何]其)(?![他它她实中次余间一二三]))"
)
_ORDER_EN = re.compile(r"\bthe (former|latter)\b", re.IGNORECASE)
_FIRST_OF_TWO = frozenset({"前者", "former"})
_ORDER_WORDS = frozenset({"前者", "后者", "former", "latter"})
_REACH = 80
"""Characters after which a name is too far away."""
_BLOCKING = frozenset({"other_sense", "excluded"})
"""A nearer thing of these kinds is what the pronoun means."""
_CLAUSE = re.compile(r"[，。；,;\n]")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


def resolve_pronouns(text: str, matches: tuple[Match, ...], regions: Regions) -> tuple[PronounRef, ...]:
    """Return every pronoun of `text` in a region that carries mentions, with its brand; None where nobody can tell."""
    mentions = tuple(match for match in matches if match.is_valid_match)
    things = tuple(match for match in matches if match.is_valid_match or match.reason in _BLOCKING)
    starts = [thing.match_position for thing in things]
    found = []
    for pronoun in _all_pronouns(text):
        start, end = pronoun.span()
        if regions.at(start, end) is not None:
            continue
        word = pronoun[0].lower().removeprefix("the ")
        if word in _ORDER_WORDS:
            pair = last_two(mentions, start)
            name = None if pair is None else pair[0 if word in _FIRST_OF_TWO else 1]
        else:
            name = _antecedent(text, things, bisect_left(starts, start) - 1, start)
        found.append(PronounRef(start=start, end=end, text=pronoun[0], standard_name=name))
    return tuple(found)


def _all_pronouns(text: str) -> list[re.Match[str]]:
    found = list(_PRONOUN.finditer(text))
    if has_any(text, ("former", "latter")):
        found = sorted([*found, *_ORDER_EN.finditer(text)], key=lambda one: one.start())
    return found


def _antecedent(text: str, things: tuple[Match, ...], index: int, start: int) -> str | None:
    """Return the nearest name before a pronoun, at most one paragraph back; None behind another sense of a name."""
    if index < 0:
        return None
    nearest = things[index]
    if index and _is_surpassed(text, things[index - 1], nearest):
        nearest = things[index - 1]
    if start - nearest.end > _REACH or len(_PARAGRAPH.findall(text, nearest.end, start)) > 1:
        return None
    return nearest.standard_name if nearest.is_valid_match else None


def _is_surpassed(text: str, before: Match, name: Match) -> bool:
    """Return whether a name is only what the one before it in the same clause is set above: 华为比小米强，它…."""
    between = text[before.end : min(name.match_position, before.end + _REACH)]
    return len(between) < _REACH and not _CLAUSE.search(between) and SURPASSED.search(between.lower()) is not None
