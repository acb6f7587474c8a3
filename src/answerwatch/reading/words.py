"""Word edges: whether a name lies across the words of a sentence."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from types import ModuleType

from answerwatch.reading.fold import INVISIBLE, fold

_SKIP = re.compile(rf"[{INVISIBLE}]")
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af]")
_REACH = 10
"""Characters on either side that the word segmenter is shown."""
_FUNCTION = frozenset("对与和以被给让把从向比选买用看是的了有及或跟在将而但就也都若人何")
"""Words of one character that go with anything: what they form with the first character of a name proves nothing."""
_BUSINESS = frozenset(
    {"公司", "集团", "股份", "电器", "电脑", "电子", "电视", "汽车", "手机", "科技", "家居", "家电", "家具", "空调"}
    | {"品牌", "商城", "机", "车", "牌", "云"}
)
"""What may follow a name within one dictionary word without making it another thing (海尔集团, 大众汽车)."""
_APART = frozenset(" \n\t,.;:!?()[]|/*\"'，。；：！？（）、“”《》【】")
"""Signs that are no part of a word of letters and digits; the list only saves time."""
_CUTS = _APART - {"."} | {""}
"""Signs, and the end of the text, across which the segmenter makes no word."""


def latin_word(text: str, start: int, end: int) -> str | None:
    """Return the longer Latin word that a name is only a part of; None where its edges are right.

    Right edges: nothing, Chinese, a digit after a letter, a plural `s` after capitals, and lower case meeting a capital
    (names glued together by copying).
    """
    left = _is_apart(text[start - 1 : start]) or _is_apart(text[start]) or _left_is_right(text, start)
    if left and (_is_apart(text[end : end + 1]) or _is_apart(text[end - 1]) or _right_is_right(text, start, end)):
        return None
    first, last = start, end
    while first > 0 and _touches(text[first - 1]) and start - first < 40:
        first -= 1
    while last < len(text) and _touches(text[last]) and last - end < 40:
        last += 1
    return text[first:last]


def _is_apart(char: str) -> bool:
    """Return whether a character certainly touches nothing: a sign, an ordinary Chinese character or the end."""
    return "\u3400" <= char <= "\u9fff" or char in _APART or not char


def _left_is_right(text: str, start: int) -> bool:
    before, first = _before(text, start), _plain(text[start])
    return not (_touches(before) and _touches(first)) or (before.islower() and first.isupper())


def _right_is_right(text: str, start: int, end: int) -> bool:
    last, after = _plain(text[end - 1]), _after(text, end)
    if not (_touches(last) and _touches(after)):
        return True
    if after.isdigit():
        return not last.isdigit()
    if after == "s" and text[start:end].isupper():
        return not _touches(_after(text, end + 1))
    return last.islower() and after.isupper()


def _before(text: str, start: int) -> str:
    while start > 0 and _SKIP.match(text[start - 1]):
        start -= 1
    if start > 1 and text[start - 1] == "_" and _touches(text[start - 2]):
        return text[start - 2]
    return _plain(text[start - 1 : start])


def _after(text: str, end: int) -> str:
    while end < len(text) and _SKIP.match(text[end]):
        end += 1
    if text[end : end + 1] == "_" and _touches(text[end + 1 : end + 2]):
        return text[end + 1]
    return _plain(text[end : end + 1])


def _plain(char: str) -> str:
    """Return a full-width character as its ordinary form, case kept."""
    return char if char.isascii() else unicodedata.normalize("NFKC", char)[:1]


def _touches(char: str) -> bool:
    """Return whether a letter or digit that needs an edge: not Chinese, not a sign."""
    return char.isalnum() and (char.isascii() or (unicodedata.category(char)[0] in "LN" and not _CJK.match(char)))


def straddling_word(text: str, start: int, end: int) -> str | None:
    """Return the dictionary word that lies across an edge of `[start, end)`, or that makes it another word.

    The segmenter alone loses genuine names (it invents words), so only words of its dictionary count.
    """
    if text[start - 1 : start] in _CUTS and text[end : end + 1] in _CUTS:
        return None
    low = max(0, start - _REACH)
    window = fold(text[low : end + _REACH])
    for word, first, last in _segment(window):
        begin, stop = first + low, last + low
        if stop <= start or begin >= end:
            continue
        outside = window[begin - low : start - low] if begin < start else window[end - low : stop - low]
        if outside in _FUNCTION and (begin < start) != (end < stop):
            continue
        crosses = (begin < start < stop < end) or (start < begin < end < stop)
        covers = begin <= start and end < stop and window[end - low : stop - low] not in _BUSINESS
        if (crosses or covers) and _dictionary().has_word(word):
            return word
    return None


@cache
def _dictionary() -> ModuleType:
    import rjieba  # noqa: PLC0415 -- loads its dictionary when imported: a third of the start of a command that reads nothing

    return rjieba


@lru_cache(maxsize=4096)
def _segment(window: str) -> tuple[tuple[str, int, int], ...]:
    return tuple(_dictionary().tokenize(window))
