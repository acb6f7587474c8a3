"""Matching: every place where a name of a tracked brand may stand, and which of them count."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import ahocorasick_rs

from answerwatch.reading.fold import MARKS, REMOVABLE, Squeezed, is_chinese, key, simplify, squeeze
from answerwatch.reading.lexicon import Blocker, Entry, Lexicon, Name, Needed
from answerwatch.reading.patterns import any_of
from answerwatch.reading.records import STANDS_FOR, Match, Region
from answerwatch.reading.regions import Regions, find_regions
from answerwatch.reading.senses import DEVICES, Sense
from answerwatch.reading.words import latin_word, straddling_word

ACCEPTED = "accepted"

RULES: dict[str, str] = {
    ACCEPTED: "names the brand",
    STANDS_FOR: "is a pronoun that stands for the brand; it adds nothing to the count",
    "overlapped": "lies in a longer name of a tracked brand that starts earlier or at the same place",
    "excluded": "lies in an exclude phrase of the lexicon",
    "case": "is spelt with other capitals than the lexicon asks for",
    "common_word": "is the ordinary English word, without a capital",
    "inside_word": "is a part of a longer word of letters and digits",
    "straddled": "lies across, or in, another word of the language",
    "other_sense": "the sentence speaks of another sense of the word",
    "no_context": "none of the words that the lexicon requires stands nearby",
    "absent": "is named only to say that nothing is known of it",
}
"""What each reason of a match means; `region:NAME` says in which silent part of the answer it stands."""

_CLAUSE = re.compile(r"[，,、。！？!?\n；;]")
_SENTENCE = re.compile(r"[。！？!?\n；;]")
_REACH = 60
"""Characters on either side in which a sentence is looked for."""
_ABOUT_KNOWLEDGE = re.compile(r"资料|数据|记录|报道|介绍|内容|结果")
_NOTHING_BEFORE = re.compile(
    r"(?:没有|没能|没|未能|未|无法|暂无|找不到|查不到|搜不到|缺乏|缺少)[^，。；\n]{0,8}"
    r"(?:关于|有关|找到|查到|搜到|检索到|搜索到|查询到|获取|提供|了解|针对|对)[^，。；\n]{0,6}$"
)
_KNOWLEDGE_EN = ("information", "details", "data", "records", "results")
_NOT_KNOWN = any_of("没", "未", "无法", "暂无", "找不到", "查不到", "搜不到", "缺乏", "缺少", *_KNOWLEDGE_EN)
"""Finds something before every name of which the text says that nothing is known."""
_NOTHING_AFTER = re.compile(r"[^，。；\n]{0,14}?(?:信息|资料|数据|记录|报道|介绍|内容|结果)")
_NOTHING_EN = re.compile(
    r"(?:\b(?:no|not find|unable to find|not have|not aware of)|n't (?:find|have|locate))(?: any)?\b[^.;\n]{0,24}"
    r"\b(?:information|details|data|records|results)\b[^.;\n]{0,12}\b(?:about|on|regarding|for|of)\W{0,4}$",
    re.IGNORECASE,
)


class Text(NamedTuple):
    """A text that is being read: raw, in simple script, squeezed, its silent parts and the question."""

    raw: str
    plain: str
    """The raw text with traditional characters made simple; what phrases are looked for in."""
    squeezed: Squeezed
    regions: Regions
    question: str | None = None

    @classmethod
    def of(cls, raw: str, question: str | None) -> Text:
        """Fold a text and find its silent parts."""
        squeezed, plain = squeeze(raw), simplify(raw)
        regions = find_regions(raw, squeezed, question)
        return cls(raw, plain, squeezed, regions, question)


class _Candidate(NamedTuple):
    """A place where a name of the lexicon stands, whatever it means there."""

    name: Name
    start: int
    """Raw, as `end`."""
    end: int
    low: int
    """Squeezed, as `high`."""
    high: int


@dataclass(frozen=True, slots=True)
class _Fault:
    """Why a candidate does not count, and what covers it."""

    reason: str
    covered_by: str | None = None
    region: Region = Region.PROSE


class _Blocked:
    """The exclude phrases found for one brand, or for one of its names: which spans they cover."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int, str]] = []

    def add(self, low: int, high: int, phrase: str) -> None:
        """Add a found phrase; they come in order of their ends."""
        while self._spans and self._spans[-1][0] >= low:
            self._spans.pop()
        self._spans.append((low, high, phrase))

    def covering(self, low: int, high: int) -> str | None:
        """Return a phrase that covers the whole of a squeezed span; None where none does."""
        index = bisect_left(self._spans, high, key=lambda span: span[1])
        if index < len(self._spans) and self._spans[index][0] <= low:
            return self._spans[index][2]
        return None


class _Hits(NamedTuple):
    """What the automaton found."""

    candidates: list[_Candidate]
    """Leftmost, then longest first."""
    blocked: dict[tuple[str, str | None], _Blocked]
    """Exclude phrases by brand and key of the one name they are for."""
    needed: dict[str, list[tuple[int, int]]]
    """Squeezed spans, in order, of each phrase that some name needs nearby."""


def find_matches(text: Text, lexicon: Lexicon) -> tuple[Match, ...]:
    """Return every candidate, accepted or rejected, by position; at most one for a brand at a position."""
    if lexicon.automaton is None or not text.squeezed.text:
        return ()
    hits = _hits(text, lexicon.automaton, lexicon.entries)
    judged = [(candidate, _own_fault(text, candidate, hits)) for candidate in hits.candidates]
    best: dict[tuple[str, int], tuple[_Candidate, _Fault | None]] = {}
    for candidate, fault in _without_overlaps(text.raw, judged):
        place = (candidate.name.brand, candidate.start)
        if place not in best or (fault is None and best[place][1] is not None):
            best[place] = candidate, fault
    return tuple(_match(candidate, fault) for candidate, fault in best.values())


def _hits(text: Text, automaton: ahocorasick_rs.AhoCorasick, entries: tuple[tuple[Entry, ...], ...]) -> _Hits:
    """Return the candidates, and the phrases that speak for or against them."""
    hits = _Hits([], {}, {})
    for pattern, low, high in automaton.find_matches_as_indexes(text.squeezed.text, overlapping=True):
        for entry in entries[pattern]:
            if not isinstance(entry, Name):
                _note_phrase(hits, text, entry, (low, high))
                continue
            start, end = text.squeezed.raw_span(low, high)
            if end - start == high - low or _gaps_are_right(text.raw[start:end], entry):
                hits.candidates.append(_Candidate(entry, start, end, low, high))
    hits.candidates.sort(key=lambda c: (c.start, -c.end))
    return hits


def _note_phrase(hits: _Hits, text: Text, phrase: Blocker | Needed, span: tuple[int, int]) -> None:
    if isinstance(phrase, Blocker):
        hits.blocked.setdefault((phrase.brand, phrase.alias_key), _Blocked()).add(*span, phrase.phrase)
    elif latin_word(text.raw, *text.squeezed.raw_span(*span)) is None:
        hits.needed.setdefault(phrase.key, []).append(span)


def _gaps_are_right(raw: str, name: Name) -> bool:
    """Return whether everything left out inside a span may stand inside this name."""
    kept = last = 0
    for gap in REMOVABLE.finditer(raw):
        kept += gap.start() - last
        last = gap.end()
        if not _gap_is_right(raw, gap, alias_has_one=kept in name.gaps):
            return False
    return True


def _gap_is_right(raw: str, gap: re.Match[str], *, alias_has_one: bool) -> bool:
    blank = [char for char in gap[0] if char.isspace()]
    if not blank:
        return True
    lines = gap[0].count("\n")
    if lines > 1 or (lines and MARKS.search(gap[0])):
        return False  # a blank line or the next list item
    left, right = is_chinese(raw[gap.start() - 1]), is_chinese(raw[gap.end()])
    if left and right:
        return lines == 1 or alias_has_one
    digits = raw[gap.start() - 1].isdigit() != raw[gap.end()].isdigit()
    return alias_has_one or left != right or digits


def _own_fault(text: Text, candidate: _Candidate, hits: _Hits) -> _Fault | None:
    """Return what is wrong with one candidate by itself; None where nothing is."""
    name, start, end, low, high = candidate
    silent = text.regions.at(start, end)
    if silent is not None and (start, end) != silent[:2]:
        return _Fault(f"region:{silent[2]}", region=silent[2])
    if word := latin_word(text.raw, start, end):
        return _Fault("inside_word", word)
    for alias_key in (None, name.key) if hits.blocked else ():
        cover = hits.blocked.get((name.brand, alias_key))
        if cover is not None and (phrase := cover.covering(low, high)):
            return _Fault("excluded", phrase)
    if (name.cased or name.common_word) and (fault := _capitals(text.raw[start:end], name)):
        return fault
    if name.short and (word := straddling_word(text.raw, start, end)):
        return _Fault("straddled", word)
    return _context(text, candidate, hits)


def _has_needed(candidate: _Candidate, needed: Mapping[str, Sequence[tuple[int, int]]]) -> bool:
    """Return whether one of the phrases that a name needs stands within its window, and not in the name alone."""
    low, high = candidate.low, candidate.high
    for phrase, window in candidate.name.requires:
        spans = needed.get(phrase, ())
        for number in range(bisect_left(spans, (low - window, 0)), len(spans)):
            start, end = spans[number]
            if end > high + window:
                break
            if start < low or end > high:
                return True
    return False


def _capitals(raw: str, name: Name) -> _Fault | None:
    if name.cased and REMOVABLE.sub("", raw) != REMOVABLE.sub("", name.alias):
        return _Fault("case")
    if name.common_word and raw[0].islower() and not name.alias[0].islower():
        return _Fault("common_word")
    return None


def _context(text: Text, candidate: _Candidate, hits: _Hits) -> _Fault | None:
    """Judge by the words around: needed phrases, other senses, statements that nothing is known."""
    name, start, end = candidate[:3]
    if name.requires and not _has_needed(candidate, hits.needed):
        return _Fault("no_context")
    if name.sense is not None or name.ambiguous:
        fault = _sense(text, candidate)
        if fault is not None:
            return fault
    if not _NOT_KNOWN.search(text.plain, max(0, start - _REACH), start):
        return None
    before, after = text.plain[max(0, start - _REACH) : start], text.plain[end : end + _REACH]
    return _Fault("absent") if _is_absence(before, after) else None


def _sense(text: Text, candidate: _Candidate) -> _Fault | None:
    """Weigh the words around: the clause first, then the sentence, then the question."""
    name, sense = candidate.name, candidate.name.sense or Sense()
    other = brand = 0
    for edges in (_CLAUSE, _SENTENCE):
        before, after = _around(text.raw, candidate, edges)
        if after.startswith(sense.after):
            return _Fault("other_sense", name.key + next(w for w in sense.after if after.startswith(w)))
        if compound := next((word for word in sense.before if len(word) > 1 and before.endswith(word)), None):
            return _Fault("other_sense", compound + name.key)
        if after[:1].isascii() and after[:1].isalnum() and not name.key.isascii():
            return None  # 小米14 is a model
        other = sum(word in before or word in after for word in sense.near) + before.endswith(sense.before)
        brand = sum(word in before or word in after for word in sense.against or DEVICES)
        if other != brand:
            return _Fault("other_sense") if other > brand else None
    if text.question and (other or name.ambiguous):
        asked = key(text.question)
        brand += any(word in asked for word in (*DEVICES, *sense.against, name.key))
        other += any(word in asked for word in sense.near)
    if other > brand:
        return _Fault("other_sense")
    return _Fault("no_context") if name.ambiguous and brand == 0 and not name.requires else None


def _around(raw: str, candidate: _Candidate, edges: re.Pattern[str]) -> tuple[str, str]:
    """Return the folded text before and after a candidate, up to the nearest edge on either side."""
    start, end = candidate.start, candidate.end
    before = edges.split(raw[max(0, start - _REACH) : start])[-1]
    return key(before), key(edges.split(raw[end : end + _REACH], maxsplit=1)[0])


def _is_absence(before: str, after: str) -> bool:
    """Return whether the text says only that nothing is known of the name between `before` and `after`."""
    if "信息" in after or "资料" in after or _ABOUT_KNOWLEDGE.search(after):
        left = before.rstrip(" 　“”\"「『《*'")
        right = after.lstrip(" 　“”\"」』》*'")
        if _NOTHING_BEFORE.search(left) and _NOTHING_AFTER.match(right):
            return True
    return any(word in before for word in _KNOWLEDGE_EN) and bool(_NOTHING_EN.search(before))


def _without_overlaps(
    raw: str, judged: Iterable[tuple[_Candidate, _Fault | None]]
) -> Iterator[tuple[_Candidate, _Fault | None]]:
    """Yield all, with a fault for those that a longer or earlier one covers; they are leftmost, then longest first."""
    begin = end = 0
    for candidate, fault in judged:
        if fault is None and candidate.start < end:
            yield candidate, _Fault("overlapped", raw[begin:end])
            continue
        if fault is None:
            begin, end = candidate.start, candidate.end
        yield candidate, fault


def _match(candidate: _Candidate, fault: _Fault | None) -> Match:
    name, start, end = candidate[:3]
    if fault is None:
        return Match(name.brand, name.alias, start, end - start, True, ACCEPTED)  # noqa: FBT003 - by name it takes twice as long
    return Match(
        standard_name=name.brand,
        matched_alias=name.alias,
        match_position=start,
        match_length=end - start,
        is_valid_match=False,
        reason=fault.reason,
        covered_by=fault.covered_by,
        region=fault.region,
    )
