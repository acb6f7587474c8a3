"""Regions: the parts of an answer in which a name is not a mention, and why."""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from answerwatch.reading.fold import Squeezed, key, lower
from answerwatch.reading.lines import ITEM_LINE
from answerwatch.reading.markdown import NOTHING_PARSED, Parsed, parse
from answerwatch.reading.patterns import has_any
from answerwatch.reading.records import Region
from answerwatch.reading.thinking import NO_THINKING, Thinking, find_thinking, without_thinking

Span = tuple[int, int]

ADDRESS = re.compile(
    r"[hHwW](?:(?<=[hH])[tT][tT][pP][sS]?://|(?<=[wW])[wW][wW]\.)[^\s<>\"'`|，。；、！？“”‘’（）【】《》\u3400-\u9fff]+"
)
"""An address that stands in the text by itself."""
_HOST = re.compile(
    r"(?<![\w.@-])(?:[\w.+-]{1,64}@)?(?:[a-z0-9-]{1,63}\.){1,4}"
    r"(?:com|cn|net|org|io|co|ai|gov|edu|info|shop|store|app|dev|tv|uk|de|jp|hk|tw)(?![\w-])(?:/[\w./%?=&#~+-]*)?",
    re.ASCII | re.IGNORECASE,
)
_ENDING = re.compile(
    r"\.(?:com|cn|net|org|io|co|ai|gov|edu|info|shop|store|app|dev|tv|uk|de|jp|hk|tw|COM|CN|Com)(?![A-Za-z0-9_-])"
)
"""Stands in a text with bare hosts; in capitals the other endings mostly are no hosts (.NET)."""
_ANY_ENDING = re.compile(
    r"\.(?:com|cn|net|org|io|co|ai|gov|edu|info|shop|store|app|dev|tv|uk|de|jp|hk|tw)(?![\w-])",
    re.ASCII | re.IGNORECASE,
)
_HOST_SIGNS = string.ascii_letters + string.digits + "_.@+-"
_LONGEST_HOST = 340
_PATH_SIGNS = re.compile(r"[\w.@+/%?=&#~-]*", re.ASCII)
_SOURCES = re.compile(
    r"^[ \t>#*_•-]{0,40}(?:\d{1,2}[.、][ \t]{0,9})?[*_]{0,4}(?:主要|本文|信息|数据|资料|引用)?"
    r"(?:参考(?:资料|来源|文献|链接|网址|文章|信息)?|来源|引用(?:链接)?|相关链接"
    r"|sources?(?: cited)?|references?|citations?|works cited|further reading)"
    r"(?:列表|清单|如下)?[ \t*_]{0,40}[:：]?[ \t*_]*$",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]|\*\*[^*\n]{1,60}\*\*[ \t]*$"
    r"|\*\*[^*\n]{0,12}(?:结论|总结|小结|推荐|建议|conclusion|summary|verdict)[^*\n]{0,8}(?:\*\*[:：]|[:：]\*\*))",
    re.MULTILINE | re.IGNORECASE,
)
_AFTER_BLANK = re.compile(r"\n[ \t]*\n([^\n]+)")
_SHORTEST_SENTENCE, _FEWEST_BLANKS = 20, 12
"""Characters of a Chinese sentence, blanks of an English one, from which it is no title of a source."""
_LONGEST_TITLE = 200
_FURNITURE = (
    *("ai responses may include mistakes", "ai overviews may include mistakes", "your feedback helps google improve"),
    *("see our privacy policy", "share more feedback", "report a problem"),
    *("内容由ai生成", "内容由 ai 生成", "内容由ai大模型生成", "内容由 ai 大模型生成"),
)
"""Texts of the page around an answer, in lower case."""
_FURNITURE_WORDS = ("includemistakes", "yourfeedback", "morefeedback", "privacypolicy", "reportaproblem", "内容由")
_SOURCE_WORDS = ("参考", "来源", "引用", "链接", "source", "reference", "citation", "workscited", "furtherreading")
"""Squeezed words of which one stands in every text with such a part; they are asked for first."""
_QUOTED = re.compile(r"“([^“”\n]{2,300})”|「([^「」\n]{2,300})」|『([^『』\n]{2,300})』|\"([^\"\n]{2,300})\"")
_SENTENCE_EDGE = frozenset('\n。！？!?；;：:，,“”"「」『』‘’（）()《》*#>—|')
_SHARE = 0.6
"""Share of the question that a quoted passage must have to repeat it."""
_SHORTEST_QUESTION = 4
"""Squeezed characters below which a text is too short to be a repetition of the question."""


class Regions(NamedTuple):
    """The parts that carry no mentions, ascending and apart, and what else was seen on the way."""

    silent: tuple[tuple[int, int, Region], ...] = ()
    thinking: Thinking = NO_THINKING
    parsed: Parsed = NOTHING_PARSED
    sources: tuple[Span, ...] = ()
    """Headed lists of sources."""
    starts: tuple[int, ...] = ()
    """The starts of `silent`, for searching."""

    def at(self, start: int, end: int) -> tuple[int, int, Region] | None:
        """Return the silent part that `[start, end)` touches; None where it may carry mentions."""
        index = bisect_right(self.starts, end - 1) - 1
        if index >= 0 and self.silent[index][1] > start:
            return self.silent[index]
        return None


def find_regions(text: str, squeezed: Squeezed, question: str | None) -> Regions:
    """Find the silent parts of an answer; where two overlap, the one that starts first wins."""
    thinking = find_thinking(text)
    parsed = parse(without_thinking(text, thinking))  # marks in a thought open nothing in the answer
    found = [(start, end, Region.THINKING) for start, end in thinking.spans]
    found += parsed.silent
    found += [(start, end, Region.ADDRESS) for start, end in addresses(text)]
    sources = list(_source_lists(text)) if has_any(squeezed.text, _SOURCE_WORDS) else []
    found += [(start, end, Region.SOURCES) for start, end in sources]
    if has_any(squeezed.text, _FURNITURE_WORDS):
        found += [(start, end, Region.FURNITURE) for start, end in _furniture(text)]
    found += [(start, end, Region.QUESTION) for start, end in _repetitions(text, squeezed, question)]
    silent = tuple(_apart(found))
    return Regions(silent, thinking, parsed, tuple(sources), tuple(start for start, _, _ in silent))


def addresses(text: str) -> Iterator[Span]:
    """Yield the spans of addresses that stand in the text by themselves, with or without a scheme."""
    if "://" in text or "www." in text or "WWW." in text:
        for found in ADDRESS.finditer(text):
            yield found.start(), found.start() + len(found[0].rstrip(").,;:!?]*_"))
    if _ENDING.search(text):
        yield from _hosts(text)


def _hosts(text: str) -> Iterator[Span]:
    """Yield the addresses without a scheme; they are looked for only around the ends of host names."""
    last = 0
    for ending in _ANY_ENDING.finditer(text):
        if ending.start() < last:
            continue
        before = text[max(last, ending.start() - _LONGEST_HOST) : ending.start()]
        start = ending.start() - len(before) + len(before.rstrip(_HOST_SIGNS))
        run = _PATH_SIGNS.match(text, ending.end())
        last = run.end() if run else ending.end()
        for found in _HOST.finditer(text, start, last):
            yield found.span()


def _furniture(text: str) -> Iterator[Span]:
    """Yield the texts of the page around the answer."""
    small = lower(text)
    for phrase in _FURNITURE:
        at = small.find(phrase)
        while at >= 0:
            yield at, at + len(phrase)
            at = small.find(phrase, at + len(phrase))


def _source_lists(text: str) -> Iterator[Span]:
    """Yield each headed list of sources, from the line after its heading to the next one, a sentence, or the end."""
    end = heading = 0
    for title in _SOURCES.finditer(text):
        if title.start() < end:
            continue
        if heading <= title.end():
            after = _HEADING.search(text, title.end() + 1)
            heading = after.start() if after else len(text)
        said = (one.start(1) for one in _AFTER_BLANK.finditer(text, title.end(), heading) if _is_prose(one[1]))
        end = next(said, heading)
        if text[title.end() : end].strip():
            yield title.end(), end


def _is_prose(line: str) -> bool:
    """Return whether a line after a list of sources is a sentence of the answer and no entry of the list."""
    bare = line.strip(" \t>*_")
    if "://" in bare or "www." in bare or ITEM_LINE.match(line) or bare.startswith(("[", "【", "《")):
        return False
    if len(bare) > _LONGEST_TITLE:
        return True
    if bare.endswith(("。", "！", "？", "：")):
        return len(bare) >= _SHORTEST_SENTENCE
    return bare.endswith((".", "!", "?", ":")) and bare.count(" ") >= _FEWEST_BLANKS


def _repetitions(text: str, squeezed: Squeezed, question: str | None) -> Iterator[Span]:
    """Yield where the question is repeated: word for word as a sentence of its own, or nearly so in quotes."""
    asked = _asked(question or "")
    if len(asked) < _SHORTEST_QUESTION:
        return
    at = squeezed.text.find(asked)
    while at >= 0:
        start, end = squeezed.raw_span(at, at + len(asked))
        if _stands_alone(text, start, end):
            yield start, end
        at = squeezed.text.find(asked, at + len(asked))
    for quoted in _QUOTED.finditer(text):
        if len(quoted[0]) < len(asked) * _SHARE:
            continue
        said = key(quoted[quoted.lastindex or 0]).rstrip("?。.!")
        if said and (asked in said or (said in asked and len(said) >= max(_SHORTEST_QUESTION, len(asked) * _SHARE))):
            yield quoted.span()


@lru_cache(maxsize=1024)
def _asked(question: str) -> str:
    """Return what of a question its repetition would have; many answers have the same question."""
    return key(question).rstrip("?。.!")


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = text[:start].rstrip(" \t")[-1:] if start < 80 else text[start - 80 : start].rstrip(" \t")[-1:]
    after = text[end : end + 80].lstrip(" \t")[:1]
    return (not before or before in _SENTENCE_EDGE) and (not after or after in _SENTENCE_EDGE)


def _apart(found: list[tuple[int, int, Region]]) -> Iterator[tuple[int, int, Region]]:
    last = 0
    for start, end, region in sorted(found, key=lambda part: (part[0], -part[1])):
        if end > last:
            yield max(start, last), end, region
            last = end
