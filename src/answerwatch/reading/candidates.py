"""Names in an answer that may be a brand's: heads of items, bold words, members of enumerations, Latin names.

Nothing here decides how an answer is read; it finds what a person may want to add to the lexicon.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from answerwatch.reading.fold import is_chinese, key
from answerwatch.reading.lexicon import Lexicon, automaton_of
from answerwatch.reading.lines import BLANK, PROSE, ROW, read_lines
from answerwatch.reading.matching import Text, find_matches
from answerwatch.reading.namelike import (
    ASKING,
    MOST_WORDS,
    SHORTEST,
    TOKEN,
    is_label,
    is_phrase,
    is_plain,
    may_name_chinese,
    may_name_latin,
)

CANDIDATES_VERSION = 1
"""Version of these rules; raised whenever other names may be found, so that answers are looked at anew."""


class Way(StrEnum):
    """How a name stands in an answer, the most telling first."""

    HEAD = "head"
    """Head of a numbered, bulleted or headed item, or first cell of a table row."""
    LISTED = "listed"
    """In an enumeration beside a tracked brand or another name of the answer."""
    BOLD = "bold"
    """In bold, within a line."""
    LATIN = "latin"
    """A run of Latin words in capitals."""


WEIGHTS = {Way.HEAD: 3, Way.LISTED: 3, Way.BOLD: 2, Way.LATIN: 1}
"""How brand-like one answer makes a name, by its most telling way; one more where the name stands there again."""


class Candidate(NamedTuple):
    """A name in an answer; raw[start:start + length] is the name."""

    key: str
    """The name folded, as the reader compares names."""
    start: int
    """First code point in the raw answer."""
    length: int
    way: Way
    weight: int
    """How brand-like the answer makes it: 1 to 4."""


class _Place(NamedTuple):
    start: int
    end: int
    way: Way


_Span = tuple[int, int]

LONGEST = 40
"""Characters of a name at most."""
_OPENING = 400
"""Characters at the start of an answer that tell its language."""
_INITIALS = 2
"""Letters up to which capitals in running text are rather an abbreviation than a name (SC, AF)."""
_REPEATED = 3
"""A label that heads so many items of one answer is an aspect of each (特点, 适合人群), no name."""
_STOP = re.compile(r"(?P<comma>[，,])|[：:（(【\[。；;！!？?|<>“”\"「」《》=＝]|\s[-–—|]\s?|——|\.\s|\s{2,}|→|\\|～|~")
"""Where a head begins to say more than its name."""
_CUT = re.compile(r"[、/／＋]|\s(?:and|or)\s|和(?=[A-Za-z])|&(?=[\u3400-\u9fff])")
"""Between names that share a head."""
_EDGE = frozenset(" \t\u3000*_#`~|·•-–—.'’‘:：")
_VERSUS = re.compile(r"[ *_]*(?:vs|VS|Vs)\.?[ ]|[ *_]*(?:对比|相比)(?=\S)")
_BOLD = re.compile(r"\*\*(?=\S)([^*\n]{1,60})\*\*|__(?=\S)([^_\n]{1,60})__")
_CLAUSES = re.compile(r"[^。；;：:！!？?\n（）()“”\"「」|\[\]<>《》]+")
"""Stretches of text that an enumeration does not leave."""
_BETWEEN = "、"
_LEAD = re.compile(
    r".*(?:例如|比如|包括|诸如|以及|还有|主要有|推荐|选择|关注|考虑|看看|像|如|有|是|和|与|及|到|在|，|,)(?=\S)"
)
"""What stands before the first member of an enumeration."""
_TAIL = re.compile(r"(?:这|那|等|以及|都|均|也|则|在|是|为|的|和|与|，|,|及).*", re.DOTALL)
"""What stands behind the last one."""
_SENTENCE_END = frozenset(".!?:;。！？：；\n•·|，,、")
_MODEL = re.compile(r"(?=[A-Za-z+-]*\d)[A-Za-z0-9+-]+")
_SMALL_WORD = re.compile(r"(?<![A-Za-z0-9])[a-z]{2,}(?![A-Za-z0-9])")


def find_candidates(text: Text, lexicon: Lexicon) -> list[Candidate]:
    """Return the names of an answer that may be a brand's, one for each key, by position; any text is taken.

    `lexicon` only tells beside which names others are enumerated: names that it covers are returned as well, because
    what it covers changes. Silent parts of the answer (code, sources, thoughts, the repeated question) hold no names.
    """
    answer = _Answer(text, lexicon)
    best: dict[str, _Place] = {}
    for place in answer.places():
        folded = key(text.raw[place.start : place.end])
        old = best.get(folded)
        if old is None or WEIGHTS[place.way] > WEIGHTS[old.way]:
            best[folded] = place
    again = _again(text.squeezed.text, list(best))
    found = [
        Candidate(
            folded, place.start, place.end - place.start, place.way, _weight(folded, place.way, again=folded in again)
        )
        for folded, place in best.items()
    ]
    return sorted(found, key=lambda one: one.start)


def _again(squeezed: str, keys: list[str]) -> set[str]:
    """Return those keys that stand more than once in a text, seen in one pass: a long answer may have many names."""
    if not keys:
        return set()
    found = Counter(number for number, _, _ in automaton_of(keys).find_matches_as_indexes(squeezed, overlapping=True))
    return {keys[number] for number, count in found.items() if count > 1}


def _weight(folded: str, way: Way, *, again: bool) -> int:
    """Return how brand-like an answer makes a name; a phrase of ordinary words never is."""
    return 1 if is_phrase(folded) else WEIGHTS[way] + again


def covers(name: str, lexicon: Lexicon) -> bool:
    """Return whether a name holds one of the lexicon, whatever sense it has there, or a phrase that excludes one."""
    matches = find_matches(Text.of(name, None), lexicon)
    return any(match.reason not in {"inside_word", "straddled"} for match in matches)


class _Answer:
    """One answer while its names are looked for."""

    def __init__(self, text: Text, lexicon: Lexicon) -> None:
        self._text = text
        self._raw = text.raw
        matches = find_matches(text, lexicon)
        self._starts = [match.match_position for match in matches]
        self._ends = list(accumulate((match.match_position + match.match_length for match in matches), max))

    def places(self) -> Iterator[_Place]:
        """Yield every place of a name."""
        strong = [*self._alone(self._heads(), Way.HEAD), *self._alone(self._bold(), Way.BOLD)]
        yield from strong
        yield from self._listed({key(self._raw[place.start : place.end]) for place in strong})
        yield from self._latin()

    def _alone(self, spans: Iterator[_Span], way: Way) -> Iterator[_Place]:
        """Yield those that may be names and are not said of one thing after the other."""
        held = [(start, end, key(self._raw[start:end])) for start, end in spans]
        often = Counter(folded for _, _, folded in held)
        for start, end, folded in held:
            if often[folded] < _REPEATED and self._may_name(start, end):
                yield _Place(start, end, way)

    def _heads(self) -> Iterator[_Span]:
        row = 0
        for line in read_lines(self._raw):
            row = row + 1 if line.kind is ROW else 0
            if line.kind in {BLANK, PROSE} or row == 1:
                continue
            start = line.body + 1 if line.kind is ROW else line.body
            yield from self._parts(start, min(line.end, start + 2 * LONGEST))

    def _bold(self) -> Iterator[_Span]:
        for found in _BOLD.finditer(self._raw):
            yield from self._parts(*found.span(found.lastindex or 0))

    def _parts(self, start: int, end: int) -> Iterator[_Span]:
        """Yield the names that a head may consist of, without what it says of them."""
        start, end = self._stripped(start, end)
        stop = _STOP.search(self._raw, start, end)
        if stop:
            end = stop.start()
            if stop["comma"] and not is_chinese(self._raw[start:end]):
                return  # "Stylish, sporty design" lists qualities
        last = start
        for cut in _CUT.finditer(self._raw, start, end):
            yield self._stripped(last, cut.start())
            last = cut.end()
        yield self._stripped(last, end)

    def _stripped(self, start: int, end: int) -> _Span:
        """Return a span without marks, blanks and pictures at its edges; an empty one where nothing is left."""
        raw = self._raw
        if before := _VERSUS.match(raw, start, end):
            start = before.end()
        while start < end and (raw[start] in _EDGE or not (raw[start].isalnum() or raw[start] in "（(“「《")):
            start += 1
        while end > start and (raw[end - 1] in _EDGE or not (raw[end - 1].isalnum() or raw[end - 1] == "+")):
            end -= 1
        return start, end

    def _listed(self, names: set[str]) -> Iterator[_Place]:
        """Yield the members of enumerations of which one is a tracked brand or another name of the answer."""
        for found in _CLAUSES.finditer(self._raw) if _BETWEEN in self._raw else ():
            if _BETWEEN not in found[0]:
                continue
            members = list(self._members(*found.span()))
            if not any(self._is_known(*one) or key(self._raw[one[0] : one[1]]) in names for one in members):
                continue
            for start, end in members:
                if self._may_name(start, end, listed=True):
                    yield _Place(start, end, Way.LISTED)

    def _members(self, start: int, end: int) -> Iterator[_Span]:
        parts = list(self._split(start, end))
        parts[0] = max(start, parts[0][1] - 2 * LONGEST), parts[0][1]
        if lead := _LEAD.match(self._raw, *parts[0]):
            parts[0] = lead.end(), parts[0][1]
        if tail := _TAIL.search(self._raw, *parts[-1]):
            parts[-1] = parts[-1][0], tail.start()
        return (self._stripped(low, high) for low, high in parts)

    def _split(self, start: int, end: int) -> Iterator[_Span]:
        while (at := self._raw.find(_BETWEEN, start, end)) >= 0:
            yield start, at
            start = at + 1
        yield start, end

    def _is_known(self, start: int, end: int) -> bool:
        index = bisect_left(self._starts, end) - 1
        return index >= 0 and self._ends[index] > start

    def _latin(self) -> Iterator[_Place]:
        """Yield runs of Latin words in capitals, without the common word that opens a sentence."""
        run: list[_Span] = []
        for found in TOKEN.finditer(self._raw):
            start, word = found.start(), found[0]
            if run and not self._goes_on(run[-1][1], start, word):
                yield from self._run(run)
                run = []
            if run or _has_capital(word):
                run.append(found.span())
        yield from self._run(run)

    def _goes_on(self, before: int, start: int, word: str) -> bool:
        gap = self._raw[before:start]
        return gap in {" ", " & "} and (_has_capital(word) or _MODEL.fullmatch(word) is not None)

    def _run(self, run: Sequence[_Span]) -> Iterator[_Place]:
        """Yield the name that a run of words is, if any."""
        if not run or self._raw[slice(*run[0])].lower() in ASKING:
            return
        first, last = 0, len(run)
        if self._raw[run[0][0] - 1 : run[0][0]] != "[":  # the text of a link is a title as a whole
            while first < last and is_plain(self._raw[slice(*run[first])], self._small):
                first += 1
            while last - first > 1 and is_label(self._raw[slice(*run[last - 1])]):
                last -= 1
        if not 0 < last - first <= MOST_WORDS:
            return
        start, end = run[first][0], run[last - 1][1]
        if last - first == 1 and self._says_little(start, end):
            return
        if self._may_name(start, end):
            yield _Place(start, end, Way.LATIN)

    def _says_little(self, start: int, end: int) -> bool:
        """Return whether one Latin word is an abbreviation, or has its capital from the sentence alone."""
        if end - start <= _INITIALS:
            return True
        if any(char.isupper() or char.isdigit() for char in self._raw[start + 1 : end]):
            return False  # no word of a sentence is written so
        before = self._raw[max(0, start - 8) : start].rstrip(" \t*_#->")
        return not before or before[-1] in _SENTENCE_END

    @cached_property
    def _small(self) -> frozenset[str]:
        """The words that the answer itself writes in small letters; in Chinese answers names are written so too."""
        return frozenset() if is_chinese(self._raw[:_OPENING]) else frozenset(_SMALL_WORD.findall(self._raw))

    def _may_name(self, start: int, end: int, *, listed: bool = False) -> bool:
        """Return whether a span may be a name, by its words and by where it stands."""
        name = self._raw[start:end]
        if not SHORTEST <= len(name) <= LONGEST or "\n" in name or self._text.regions.at(start, end) is not None:
            return False
        return may_name_chinese(name, listed=listed) if is_chinese(name) else may_name_latin(name, self._small)


def _has_capital(word: str) -> bool:
    """Return whether a word may stand in a Latin name: a capital first, or one inside (iPhone)."""
    return word[0].isupper() or (word[0].isalpha() and not word.islower())
