"""Clauses: what the words around each mention say for or against its brand."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from enum import Enum
from typing import NamedTuple

from answerwatch.reading.cues import (
    ALSO,
    ANSWERS_NO,
    BARE_VERDICT,
    BETWEEN_BREAKS,
    CONDITION,
    DEPENDS,
    DOUBLE_NEGATION,
    EITHER_OR,
    ENOUGH_AFTER,
    ENOUGH_BEFORE,
    FIRST,
    FORMER,
    LATTER,
    MODEL_AFTER,
    NEGATION_BEFORE,
    NEGATIVE,
    NONE_AFTER,
    NONE_BEFORE,
    NOTHING_BEFORE,
    OPEN_QUESTION,
    OR_ELSE,
    PAST_BEFORE,
    PLACES,
    POSITIVE,
    PRONOUN_OBJECT,
    PRONOUN_SUBJECT,
    SPEAKS,
    SPEAKS_AHEAD,
    WEAK,
    YARDSTICK_AFTER,
    YARDSTICK_BEFORE,
)
from answerwatch.reading.fold import INVISIBLE, Signs
from answerwatch.reading.records import Match

_CLAUSE_END = re.compile(r"[，。！？；,;!?\n|.]")
_CLAUSE_SIGNS = Signs("，。！？；,;!?\n|.")
_SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s|$)")
_JOINED = re.compile(
    rf"[\w\s.+*\-\"”“’'（）()【】{INVISIBLE}]{{0,32}}?(?:系列|手机|品牌|家居|汽车|装饰)?[*\s\"”{INVISIBLE}]{{0,4}}"
    rf"(?:、|和|与|及|以及|还有|或|或者|/|,| and | or |&|\+)[*\s\"“{INVISIBLE}]{{0,4}}",
)
_REACH_BEFORE = 16
_REACH_BEFORE_LATIN = 48
_REACH_AFTER = 48
_YARDSTICK = 24
"""More characters than the longest yardstick has."""
_LONG = 160
"""Characters after which a clause is cut: nothing that far away speaks of the name."""


class Leaning(Enum):
    """What one clause says of one brand."""

    FOR = "for"
    WEAK = "weak"
    AGAINST = "against"


FOR, SO_SO, AGAINST = Leaning
"""The members by themselves: Python 3.11 takes long to find one in its class."""


_SIDES = frozenset({FOR, AGAINST})


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


class _Clause(NamedTuple):
    start: int
    end: int


def clause_ends(text: str) -> list[int]:
    """Return where the clauses of a text end; a full stop ends one before a blank or a capital (glued sentences)."""
    ends = [place + 1 for place in _CLAUSE_SIGNS.places(text)]
    return [end for end in ends if text[end - 1] != "." or _ends_clause(text[end : end + 1])]


def _ends_clause(following: str) -> bool:
    return not following or following.isspace() or following.isupper()


def gather(text: str, mentions: tuple[Match, ...], ends: list[int]) -> list[Evidence]:
    """Return what the clauses of `text` (simple script, lower case) say of the brands mentioned in it, in order."""
    groups = _groups(text, mentions)
    found: list[Evidence] = []
    for number, group in enumerate(groups):
        clause = _clause_of(ends, group[0].match_position, group[-1].end, len(text))
        found += _from_clause(text, clause, group, number) or _from_joining(text, clause, group, found)
        following = groups[number + 1][0].match_position if number + 1 < len(groups) else len(text)
        found += _from_next_clause(text, ends, clause, group, number, free=following)
    found += _from_order_words(text, mentions)
    return sorted(found, key=lambda evidence: evidence.position)


def _groups(text: str, mentions: tuple[Match, ...]) -> list[list[Match]]:
    """Return the mentions in runs that are joined by nothing but connectors and model names."""
    groups: list[list[Match]] = []
    for match in mentions:
        last = groups[-1][-1] if groups else None
        if last is not None and match.match_position - last.end <= 44:
            between = text[last.end : match.match_position]
            if "\n" not in between and (
                _JOINED.fullmatch(between) or (match.standard_name == last.standard_name and not between.strip())
            ):
                groups[-1].append(match)
                continue
        groups.append([match])
    return groups


def _clause_of(ends: list[int], first: int, last: int, length: int) -> _Clause:
    before = bisect_right(ends, first)
    after = bisect_left(ends, last + 1)
    start = ends[before - 1] if before else 0
    end = ends[after] if after < len(ends) else length
    return _Clause(max(start, first - _LONG), min(end, last + _LONG))


def _from_clause(text: str, clause: _Clause, group: list[Match], number: int) -> list[Evidence]:
    if not SPEAKS.search(text, clause.start, clause.end):
        return _from_need(text, clause, group, number)
    before = text[clause.start : group[0].match_position]
    after = text[group[-1].end : clause.end]
    unrivalled = _is_unrivalled(before, after)
    if not unrivalled and (_is_yardstick(before) or YARDSTICK_AFTER.match(after)):
        return []
    if _leaves_open(text, clause, before, after):
        return []
    leaning, first, ahead = _lean(before, after, text[clause.end : clause.end + 30])
    if leaning is None:
        return []
    conditional = _is_conditional(text, clause)
    place = _stated_place(before, after) if leaning is FOR and not first else None
    return [
        Evidence(
            brand=match.standard_name,
            position=match.match_position,
            leaning=leaning,
            conditional=conditional,
            first=first,
            group=number,
            cue_before=ahead,
            place=place,
        )
        for match in group
    ]


def _from_need(text: str, clause: _Clause, group: list[Match], number: int) -> list[Evidence]:
    """Read a clause that only names what meets the need stated before it: 想拍照，A；预算有限，B."""
    label = max(text.rfind(sign, clause.start, group[0].match_position) for sign in "：:")
    start = label + 1 if label >= 0 else clause.start
    if label < 0 and text[clause.start - 1 : clause.start] not in {"，", ","}:
        return []
    if not NOTHING_BEFORE.fullmatch(text, start, group[0].match_position):
        return []
    if not MODEL_AFTER.fullmatch(text, group[-1].end, clause.end) or not _is_conditional(text, clause):
        return []
    return [
        Evidence(brand=match.standard_name, position=match.match_position, leaning=FOR, conditional=True, group=number)
        for match in group
    ]


def _leaves_open(text: str, clause: _Clause, before: str, after: str) -> bool:
    """Return whether the clause asks, or names the two sides of a choice: 买A还是B."""
    asks = text[clause.end - 1 : clause.end] in {"?", "？"} and not OPEN_QUESTION.search(before)
    other_side = OR_ELSE.search(before) is not None and DEPENDS.match(after) is not None
    return asks or other_side or EITHER_OR.match(after) is not None


def _is_unrivalled(before: str, after: str) -> bool:
    """Return whether the clause says that nothing is better than the name: 没有比A更值得买的."""
    return NONE_BEFORE.search(before) is not None and NONE_AFTER.match(after) is not None


def _is_yardstick(before: str) -> bool:
    """Return whether the words before a name make it the yardstick or the exception."""
    bare = before.rstrip(" *_“\"'")
    return YARDSTICK_BEFORE.search(bare, max(0, len(bare) - _YARDSTICK)) is not None


def _from_joining(text: str, clause: _Clause, group: list[Match], found: list[Evidence]) -> list[Evidence]:
    """Read clauses that only join a brand to the recommendation before: 其次B, B也不错."""
    last = found[-1] if found else None
    if last is None or last.leaning is not FOR:
        return []
    before, after = text[clause.start : group[0].match_position], text[group[-1].end : clause.end]
    place = _stated_place(before, "")
    if not (place or ALSO.match(after)):
        return []
    ended = len(_SENTENCE_END.findall(text, last.position, clause.start))
    if ended > (1 if place else 0):
        return []
    return [
        Evidence(brand=match.standard_name, position=match.match_position, leaning=FOR, group=-1, place=place)
        for match in group
    ]


def _stated_place(before: str, after: str) -> int | None:
    """Return the place behind the first that words directly around a name state; None where they state none."""
    near, behind = before[-14:], after[:32] if after.isascii() else ""
    return next((n for n, words in PLACES if n > 1 and (words.search(near) or words.search(behind))), None)


def _lean(before: str, after: str, following: str) -> tuple[Leaning | None, bool, bool]:
    """Return the leaning of a clause around a name, whether it names the first choice, and whether the cue is ahead."""
    if (ENOUGH_BEFORE.search(before) and ENOUGH_AFTER.match(after)) or _is_unrivalled(before, after):
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
    if cue is not None and not _other_subject(tail[: cue.start()]) and not _speaks_ahead(tail, cue):
        return _turned(tail[: cue.start()]), bool(FIRST.search(tail[: cue.end() + 2])), False
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


def _other_subject(between: str) -> bool:
    """Return whether the cue after a name speaks of something else (华为的竞品更推荐)."""
    return bool(re.search(r"而是|竞品|其他|别的|(?:^|[^不])如(?!果)|上述|以下|建议您?|参考", between))


def _is_conditional(text: str, clause: _Clause) -> bool:
    low = max(0, clause.start - 80)
    edges = [found.end() for found in _SENTENCE_END.finditer(text, low, clause.start)]
    return bool(CONDITION.search(text, edges[-1] if edges else low, clause.end))


def _from_next_clause(
    text: str, ends: list[int], clause: _Clause, group: list[Match], number: int, *, free: int
) -> list[Evidence]:
    """Read the clauses of the same sentence whose subject is a pronoun for the one name before it, or left out.

    A clause without a subject judges that name only where it ends before `free`, the next name.
    """
    if len({match.standard_name for match in group}) > 1:
        return []
    start = clause.end
    for _ in range(2):
        if start >= len(text) or text[start - 1] not in "，,；;":
            return []
        index = bisect_right(ends, start)
        end = min(ends[index] if index < len(ends) else len(text), start + _LONG)
        subject = PRONOUN_SUBJECT.match(text, start, end)
        bare = BARE_VERDICT.match(text, start, end) if end <= free else None
        object_ = PRONOUN_OBJECT.search(text, start, end) if end <= free else None
        if object_ is not None:
            said = AGAINST if NEGATION_BEFORE.search(text[start : object_.start()]) else FOR
            return [Evidence(brand=group[-1].standard_name, position=start, leaning=said, group=number)]
        if (subject or bare) and SPEAKS.search(text, start, end):
            leaning, first, _ = _lean("", text[subject.end() if subject else start : end], "")
            if leaning in _SIDES:
                return [
                    Evidence(brand=group[-1].standard_name, position=start, leaning=leaning, first=first, group=number)
                ]
        start = end
    return []


def _from_order_words(text: str, mentions: tuple[Match, ...]) -> list[Evidence]:
    """Read 前者 and 后者 in a clause that puts one of the last two brands forward."""
    found: list[Evidence] = []
    if not ("前者" in text or "后者" in text or "the former" in text or "the latter" in text):
        return []
    for pattern, index in ((FORMER, 0), (LATTER, 1)):
        for word in pattern.finditer(text):
            pair = last_two(mentions, word.start())
            start = max(0, word.start() - 12)
            leaning, first, _ = _lean(
                _CLAUSE_END.split(text[start : word.start()])[-1],
                _CLAUSE_END.split(text[word.end() : word.end() + 30])[0],
                "",
            )
            if pair is not None and leaning in _SIDES:
                found.append(Evidence(brand=pair[index], position=word.start(), leaning=leaning, first=first, group=-1))
    return found


def last_two(mentions: tuple[Match, ...], before: int) -> tuple[str, str] | None:
    """Return the last two different brands named before a position, in their order; None where there are fewer."""
    names: list[str] = []
    index = bisect_left(mentions, before, key=lambda match: match.match_position)
    for match in reversed(mentions[max(0, index - 20) : index]):
        if match.standard_name not in names:
            names.append(match.standard_name)
        if len(names) == 2:
            return names[1], names[0]
    return None
