"""Clauses: what the words around each mention say for or against its brand."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import islice

from answerwatch.reading.cues import (
    DEPENDS,
    EITHER_OR,
    NEGATION_BEFORE,
    OPEN_QUESTION,
    OR_ELSE,
    PLACES,
    REST_AFTER,
)
from answerwatch.reading.fold import INVISIBLE, Signs
from answerwatch.reading.leaning import AGAINST, FOR, SIDES, Leaning, is_unrivalled, lean, speaks_of_another
from answerwatch.reading.needs import (
    CLAUSE_END,
    LONGEST,
    SENTENCE_END,
    Clause,
    Evidence,
    from_announced,
    from_answer,
    from_need,
    is_conditional,
    names_a_need,
)
from answerwatch.reading.quick_looks import SPEAKS
from answerwatch.reading.records import Match
from answerwatch.reading.sequels import (
    ALSO,
    BARE_AGAINST,
    BARE_VERDICT,
    FORMER,
    LATTER,
    OWN_TURN,
    PRONOUN_OBJECT,
    PRONOUN_OPENS,
    PRONOUN_SUBJECT,
    REPORTED,
    RETORT,
    SECOND_AFTER,
    TRAILING_AGAINST,
    TRAILING_FOR,
)
from answerwatch.reading.yardsticks import LIKENED, SURPASSED, YARDSTICK_AFTER, YARDSTICK_BEFORE

_CLAUSE_SIGNS = Signs("，。！？；,;!?\n|.")
_JOINED = re.compile(
    rf"[\w\s.+*\-\"”“’'（）()【】{INVISIBLE}]{{0,32}}?(?:系列|手机|品牌|家居|汽车|装饰)?[*\s\"”{INVISIBLE}]{{0,4}}"
    rf"(?:、|和|与|及|以及|还有|或|或者|/|,(?: and| n?or)?(?= )|,| and | n?or |&|\+)[*\s\"“{INVISIBLE}]{{0,4}}",
)
_CLAUSES_AFTER = 4
"""Clauses of a sentence behind the one that names a brand in which it may still be meant."""
_PRONOUNS_AFTER = 2
"""Those among them in which a pronoun still means it."""
_YARDSTICK = 24
"""More characters than the longest yardstick has."""


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
        subject, free = _subject_of(text, clause, groups, number)
        if subject:
            found += _from_next_clause(text, ends, clause, group, number, free=free)
    found += _from_order_words(text, mentions)
    return sorted(found, key=lambda evidence: evidence.position)


def _subject_of(text: str, clause: Clause, groups: list[list[Match]], number: int) -> tuple[bool, int]:
    """Return whether what follows a clause speaks of these names, and where the next name stands that it may mean.

    A name that another one in the clause is better than is passed over: 华为比小米强，它更值得买.
    """
    start = groups[number][0].match_position
    if LIKENED.search(text[max(clause.start, start - _YARDSTICK) : start]):
        return False, start
    if SURPASSED.search(text[max(clause.start, start - _YARDSTICK) : start]):
        earlier = groups[number - 1] if number else None
        if earlier is not None and earlier[0].match_position >= clause.start:
            return False, start
    following = number + 1
    while following < len(groups):
        at = groups[following][0].match_position
        if at >= clause.end or not SURPASSED.search(text[max(clause.start, at - _YARDSTICK) : at]):
            break
        following += 1
    free = groups[following][0].match_position if following < len(groups) else len(text)
    return True, free


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


def _clause_of(ends: list[int], first: int, last: int, length: int) -> Clause:
    before = bisect_right(ends, first)
    after = bisect_left(ends, last + 1)
    start = ends[before - 1] if before else 0
    end = ends[after] if after < len(ends) else length
    return Clause(max(start, first - LONGEST), min(end, last + LONGEST))


def _from_clause(text: str, clause: Clause, group: list[Match], number: int) -> list[Evidence]:
    if not SPEAKS.search(text, clause.start, clause.end):
        return from_need(text, clause, group, number) or from_announced(text, clause, group, number)
    before = text[clause.start : group[0].match_position]
    after = text[group[-1].end : clause.end]
    spared = _is_yardstick(before) and REST_AFTER.match(text, group[-1].end) is not None
    passed_over = _is_yardstick(before) or YARDSTICK_AFTER.match(after)
    if passed_over and not (spared or is_unrivalled(before, after)):
        return []
    if _leaves_open(text, clause, before, after):
        return from_answer(text, clause, group, number)
    leaning, first, ahead = (FOR, False, True) if spared else lean(before, after, text[clause.end : clause.end + 30])
    if leaning is None:
        return (
            from_answer(text, clause, group, number)
            or from_need(text, clause, group, number)
            or from_announced(text, clause, group, number)
        )
    if leaning is FOR and REPORTED.search(before) and OWN_TURN.match(text, clause.end):
        return []
    conditional = is_conditional(text, clause) or names_a_need(text, clause)
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


def _leaves_open(text: str, clause: Clause, before: str, after: str) -> bool:
    """Return whether the clause asks, or names the two sides of a choice: 买A还是B."""
    asks = text[clause.end - 1 : clause.end] in {"?", "？"} and not OPEN_QUESTION.search(before)
    other_side = OR_ELSE.search(before) is not None and DEPENDS.match(after) is not None
    return asks or other_side or EITHER_OR.match(after) is not None


def _is_yardstick(before: str) -> bool:
    """Return whether the words before a name make it the yardstick or the exception."""
    bare = before.rstrip(" *_“\"'")
    return YARDSTICK_BEFORE.search(bare, max(0, len(bare) - _YARDSTICK)) is not None


def _from_joining(text: str, clause: Clause, group: list[Match], found: list[Evidence]) -> list[Evidence]:
    """Read clauses that only join a brand to the recommendation before: 其次B, B也不错."""
    last = found[-1] if found else None
    if last is None or last.leaning is not FOR:
        return []
    before, after = text[clause.start : group[0].match_position], text[group[-1].end : clause.end]
    place = _stated_place(before, "") or (2 if SECOND_AFTER.match(after) else None)
    if not (place or ALSO.match(after)):
        return []
    most = 1 if place else 0
    if len(list(islice(SENTENCE_END.finditer(text, last.position, clause.start), most + 1))) > most:
        return []
    return [
        Evidence(brand=match.standard_name, position=match.match_position, leaning=FOR, group=-1, place=place)
        for match in group
    ]


def _stated_place(before: str, after: str) -> int | None:
    """Return the place behind the first that words directly around a name state; None where they state none."""
    near, behind = before[-14:], after[:32] if after.isascii() else ""
    return next((n for n, words in PLACES if n > 1 and (words.search(near) or words.search(behind))), None)


def _from_next_clause(
    text: str, ends: list[int], clause: Clause, group: list[Match], number: int, *, free: int
) -> list[Evidence]:
    """Read the clauses of the same sentence whose subject is a pronoun for the one name before it, or left out.

    The next sentence is one of them where it begins with such a pronoun. A clause without a subject judges that name
    only where it ends before `free`, the next name.
    """
    if len({match.standard_name for match in group}) > 1:
        return _said_of_all(text, ends, clause, group, free=free)
    brand, start = group[-1].standard_name, clause.end
    for step in range(_CLAUSES_AFTER):
        if start >= len(text):
            return []
        opens = text[start - 1] not in "，,；;"
        if opens and not (PRONOUN_OPENS.match(text, start) or (step < _PRONOUNS_AFTER and RETORT.match(text, start))):
            return []
        index = bisect_right(ends, start)
        end = min(ends[index] if index < len(ends) else len(text), start + LONGEST)
        if (end <= free or step < _PRONOUNS_AFTER) and SPEAKS.search(text, start, end):
            leaning, first = _said_of_it(text, start, end, near=step < _PRONOUNS_AFTER, alone=end <= free)
            if leaning is not None:
                return [Evidence(brand=brand, position=start, leaning=leaning, first=first, group=number)]
        start = end
    return []


def _said_of_all(text: str, ends: list[int], clause: Clause, group: list[Match], *, free: int) -> list[Evidence]:
    """Read the clauses of the same sentence that put all joined names forward: A和B都耐用，可以放心入手."""
    start = clause.end
    for _ in range(_PRONOUNS_AFTER):
        index = bisect_right(ends, start)
        end = min(ends[index] if index < len(ends) else len(text), start + LONGEST)
        if start >= len(text) or text[start - 1] not in "，,；;" or end > free:
            return []
        if SPEAKS.search(text, start, end) and _said_of_it(text, start, end, near=False, alone=True)[0] is FOR:
            return [
                Evidence(brand=match.standard_name, position=start, leaning=FOR, conditional=False, group=-1)
                for match in group
            ]
        start = end
    return []


def _said_of_it(text: str, start: int, end: int, *, near: bool, alone: bool) -> tuple[Leaning | None, bool]:
    """Return what a clause says of the name before it, and whether as the first choice.

    `near`: a pronoun may still mean that name; `alone`: no other name stands in the clause, or before it.
    """
    if alone:
        object_ = PRONOUN_OBJECT.search(text, start, end)
        if object_ is not None:
            return (AGAINST if NEGATION_BEFORE.search(text[start : object_.start()]) else FOR), False
        if TRAILING_AGAINST.search(text, start, end) or BARE_AGAINST.match(text, start, end):
            return AGAINST, False
    subject = PRONOUN_SUBJECT.match(text, start, end) if near else None
    if subject or (alone and near and BARE_VERDICT.match(text, start, end)):
        leaning, first, _ = lean("", text[subject.end() if subject else start : end], "")
        if leaning in SIDES:
            return leaning, first
    if alone:
        judged = TRAILING_FOR.search(text[start:end])
        ahead = text[start : start + judged.start()] if judged else ""
        if judged and not (NEGATION_BEFORE.search(ahead) or speaks_of_another(ahead) or OPEN_QUESTION.search(ahead)):
            return FOR, "首选" in judged[0] or "首推" in judged[0]
    return None, False


def _from_order_words(text: str, mentions: tuple[Match, ...]) -> list[Evidence]:
    """Read 前者 and 后者 in a clause that puts one of the last two brands forward."""
    found: list[Evidence] = []
    if not ("前者" in text or "后者" in text or "the former" in text or "the latter" in text):
        return []
    for pattern, index in ((FORMER, 0), (LATTER, 1)):
        for word in pattern.finditer(text):
            pair = last_two(mentions, word.start())
            start = max(0, word.start() - 12)
            leaning, first, _ = lean(
                CLAUSE_END.split(text[start : word.start()])[-1],
                CLAUSE_END.split(text[word.end() : word.end() + 30])[0],
                "",
            )
            if pair is not None and leaning in SIDES:
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
