"""Needs: names that no cue stands beside, because a need, a question or an announcement before them speaks for them."""

from __future__ import annotations

import re
from typing import NamedTuple

from answerwatch.reading.cues import CONDITION, NEGATION_BEFORE, NEGATIVE, POSITIVE
from answerwatch.reading.leaning import AGAINST, FOR, Leaning
from answerwatch.reading.records import Match
from answerwatch.reading.sequels import (
    ANSWERED_NO,
    ANSWERED_YES,
    CHOSEN_IS,
    CONCLUDING_LABEL,
    COUNTED_OUT,
    ELSE,
    FOR_OPENS,
    FOR_SOMETHING,
    KEYED_LABEL,
    LABELLED,
    MODEL_AFTER,
    NEED_LABEL,
    NOTHING_BEFORE,
    WISH_BEFORE,
)

CLAUSE_END = re.compile(r"[，。！？；,;!?\n|.]")
SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s|$)")
LONGEST = 160
"""Characters after which a clause is cut: nothing that far away speaks of the name."""
_ANNOUNCED = 24
"""Characters of a clause that announces names."""


class Evidence(NamedTuple):
    """One clause that leans for or against a brand."""

    brand: str
    position: int
    """Of the mention, or of the pronoun's clause."""
    leaning: Leaning
    conditional: bool = False
    first: bool = False
    """The cue names the first choice."""
    group: int = 0
    """Mentions joined by 和, 、 or `and` share a number."""
    cue_before: bool = False
    """The cue stands before the name: 推荐A, not A值得推荐."""
    place: int | None = None
    """Place after the first that a word directly before the name states (其次)."""


class Clause(NamedTuple):
    """Where a clause lies."""

    start: int
    end: int


def from_answer(text: str, clause: Clause, group: list[Match], number: int) -> list[Evidence]:
    """Read the short answer to a question about brands: 要不要买A？要."""
    if text[clause.end - 1 : clause.end] not in {"?", "？"}:
        return []
    said = AGAINST if ANSWERED_NO.match(text, clause.end) else FOR if ANSWERED_YES.match(text, clause.end) else None
    if said is None or len({match.standard_name for match in group}) > 1:
        return []
    return [Evidence(brand=group[0].standard_name, position=clause.end, leaning=said, group=number)]


def from_announced(text: str, clause: Clause, group: list[Match], number: int) -> list[Evidence]:
    """Read names that the clause before them announced: 推荐三款，依次是A、B; 更值得买的，其实是A."""
    if text[clause.start - 1 : clause.start] not in {"，", ","}:
        return []
    chosen = text[clause.start - 2 : clause.start - 1] == "的" and CHOSEN_IS.fullmatch(
        text, clause.start, group[0].match_position
    )
    if not (chosen or COUNTED_OUT.fullmatch(text, clause.start, group[0].match_position)):
        return []
    low = max(0, clause.start - _ANNOUNCED)
    announcing = CLAUSE_END.split(text[low : clause.start - 1])[-1]
    cue = POSITIVE.search(announcing)
    if cue is None or NEGATION_BEFORE.search(announcing[: cue.start()]) or not (chosen or len(group) > 1):
        return []
    return [
        Evidence(brand=match.standard_name, position=match.match_position, leaning=FOR, group=number, cue_before=True)
        for match in group
    ]


def from_need(text: str, clause: Clause, group: list[Match], number: int) -> list[Evidence]:
    """Read a clause that only names what meets the need stated before it: 想拍照，A；预算有限，B.

    So does one behind a label: quick recommendation: A for value, B for comfort.
    """
    if WISH_BEFORE.fullmatch(text, clause.start, group[0].match_position):
        met = MODEL_AFTER.fullmatch(text, group[-1].end, clause.end) is not None
        return _conditionally(group, number) if met else []
    label = max(text.rfind(sign, clause.start, group[0].match_position) for sign in "：:")
    start = label + 1 if label >= 0 else clause.start
    if label < 0 and text[clause.start - 1 : clause.start] not in {"，", ","}:
        return []
    if not NOTHING_BEFORE.fullmatch(text, start, group[0].match_position):
        return []
    bare = MODEL_AFTER.fullmatch(text, group[-1].end, clause.end)
    keyed = (
        label >= 0 and KEYED_LABEL.search(text, clause.start, start) and not NEGATIVE.search(text, clause.start, start)
    )
    other = ELSE.search(text, start, group[0].match_position)
    named = (bare and (keyed or other or is_conditional(text, clause))) or (
        FOR_SOMETHING.match(text, group[-1].end, clause.end) and _is_labelled(text, start)
    )
    return _conditionally(group, number) if named else []


def _conditionally(group: list[Match], number: int) -> list[Evidence]:
    """Return that the names of a group are put forward under a condition."""
    return [
        Evidence(brand=match.standard_name, position=match.match_position, leaning=FOR, conditional=True, group=number)
        for match in group
    ]


def _is_labelled(text: str, before: int) -> bool:
    """Return whether the sentence begins with a label that puts forward what follows."""
    low = max(0, before - LONGEST)
    edges = [found.end() for found in SENTENCE_END.finditer(text, low, before)]
    return LABELLED.search(text, edges[-1] if edges else low, before) is not None


def is_conditional(text: str, clause: Clause) -> bool:
    """Return whether the sentence up to the end of a clause makes what it says depend on a need."""
    low = max(0, clause.start - 80)
    edges = [found.end() for found in SENTENCE_END.finditer(text, low, clause.start)]
    start = edges[-1] if edges else low
    return CONDITION.search(text, start, clause.end) is not None or FOR_OPENS.match(text, start, clause.end) is not None


def names_a_need(text: str, clause: Clause) -> bool:
    """Return whether the clause begins its line with a label that may name a need: 拍照：首选A."""
    if text[clause.start - 1 : clause.start] not in {"\n", ""}:
        return False
    label = NEED_LABEL.match(text, clause.start, clause.end)
    return label is not None and not CONCLUDING_LABEL.search(label[0])
