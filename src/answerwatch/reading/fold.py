"""Folding: texts that mean the same become the same, and every position finds its way back.

Two steps. `fold` maps each character to one character (case, width, script, apostrophes, hyphens, dots), so positions
stay. `squeeze` then leaves out what may stand inside a name without changing it (blanks, invisible characters, marks of
Markdown, soft line breaks) and remembers where, so that a span of the squeezed text has an exact span in the raw text.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

from answerwatch.reading.fold_table import SIMPLIFIED, TRADITIONAL

_SPECIAL = {
    "’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'", "＇": "'",
    "‐": "-", "‑": "-", "−": "-", "﹣": "-", "－": "-",
    "·": ".", "・": ".", "‧": ".", "∙": ".", "⋅": ".", "･": ".",
}  # fmt: skip

INVISIBLE = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"
"""Characters without width or shape, as the inside of a character class."""

REMOVABLE = re.compile(rf"[\s{INVISIBLE}*_~\\`\x00]+")
"""What may stand inside a name without changing it."""
MARKS = re.compile(r"[*_~\\`]")
"""The marks of Markdown among them."""
_CHINESE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")


class _FoldTable(dict[int, int]):
    """Code point to folded code point, filled as characters are met (the whole of Unicode is never computed)."""

    def __missing__(self, code: int) -> int:
        """Fold one code point that has not been met before."""
        folded = self[code] = ord(_fold_one(chr(code)))
        return folded


def _fold_one(char: str) -> str:
    """Return the one character that `char` folds to; itself where folding would change the length."""
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"  # half a character cannot be searched for
    wide = unicodedata.normalize("NFKC", char)
    wide = wide if len(wide) == 1 else char
    wide = _SPECIAL.get(wide, _SPECIAL.get(char, wide))
    wide = _SIMPLE.get(wide, wide)
    lower = wide.casefold()
    return lower if len(lower) == 1 else wide


_SIMPLE = dict(zip(TRADITIONAL, SIMPLIFIED, strict=True))
_TABLE = _FoldTable()


class _SqueezeTable(dict[int, int | None]):
    """The same, with None (leave out) for what may stand inside a name."""

    def __missing__(self, code: int) -> int | None:
        """Fold one code point that has not been met before."""
        char = chr(code)
        folded = self[code] = None if REMOVABLE.match(char) else ord(_fold_one(char))
        return folded


_SQUEEZE = _SqueezeTable()


def fold(text: str) -> str:
    """Return `text` folded, of the same length: `ＯＰＰＯ` and `Oppo` become `oppo`, `華為` becomes `华为`."""
    return text.translate(_TABLE)


_TRADITIONAL = frozenset(TRADITIONAL)
_SIMPLIFY = str.maketrans(TRADITIONAL, SIMPLIFIED)


def simplify(text: str) -> str:
    """Return `text` with traditional characters made simple, of the same length; nothing else is changed."""
    return text if text.isascii() or _TRADITIONAL.isdisjoint(set(text)) else text.translate(_SIMPLIFY)


def lower(text: str) -> str:
    """Return `text` in lower case, of the same length."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def is_chinese(text: str) -> bool:
    """Return whether `text` has a Chinese character."""
    return _CHINESE.search(text) is not None


class Squeezed:
    """A folded text without its removable characters, and the way back to the raw one (worked out when first asked)."""

    __slots__ = ("_raw", "_shifts", "_starts", "text")

    def __init__(self, raw: str) -> None:
        self._raw = raw.replace("&amp;", "&\x00\x00\x00\x00") if "&amp;" in raw else raw
        self.text: str = self._raw.translate(_SQUEEZE)
        self._starts: list[int] | None = None
        self._shifts: list[int] = []

    @property
    def starts(self) -> list[int]:
        """Return the squeezed position of each place where something was left out, ascending."""
        if self._starts is None:
            self._starts, gone = [], 0
            for gap in REMOVABLE.finditer(self._raw):
                begin, end = gap.span()
                self._starts.append(begin - gone)
                gone += end - begin
                self._shifts.append(gone)
        return self._starts

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the raw span from the first to the last character of a squeezed span."""
        return self.raw_position(start), self.raw_position(end - 1) + 1

    def raw_position(self, position: int) -> int:
        """Return the raw position of a squeezed one."""
        index = bisect_right(self.starts, position)
        return position + (self._shifts[index - 1] if index else 0)


def squeeze(text: str) -> Squeezed:
    """Fold `text`, leave out what may stand inside a name and remember the places."""
    return Squeezed(text)


def key(name: str) -> str:
    """Return the form in which names are compared: folded and squeezed."""
    return squeeze(name).text
