"""Folding: texts that mean the same become the same, and every position finds its way back.

Two steps. `fold` maps each character to one character (case, width, script, apostrophes, hyphens, dots), so positions
stay. `squeeze` then leaves out what may stand inside a name without changing it (blanks, invisible characters, marks of
Markdown, soft line breaks) and remembers where, so that a span of the squeezed text has an exact span in the raw text.
"""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import numpy.typing as npt

from answerwatch.domain.traditional import SIMPLIFIED, TRADITIONAL

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


_CODE = np.dtype("<u4")
_CODE_POINTS = 0x110000
_GONE = _CODE_POINTS
"""No code point: stands in the table below for what is left out."""
_SQUEEZED = np.zeros(_CODE_POINTS, _CODE)
"""`_SQUEEZE` as an array, for whole answers: six times as fast. 0: not met yet; no character folds to NUL."""
_SIMPLER = np.zeros(_CODE_POINTS, _CODE)
"""Traditional code point to its simple one; 0 where there is none."""
_SIMPLER[[ord(char) for char in TRADITIONAL]] = [ord(char) for char in SIMPLIFIED]


def _codes(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), _CODE)


def _string(codes: npt.NDArray[np.uint32]) -> str:
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _squeeze_codes(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return what each code point becomes; those met for the first time are worked out and kept."""
    folded = _SQUEEZED.take(codes)
    if np.count_nonzero(folded) == len(folded):
        return folded
    for code in set(codes[folded == 0].tolist()):
        found = _SQUEEZE[code]
        _SQUEEZED[code] = _GONE if found is None else found
    return _SQUEEZED.take(codes)


def simplify(text: str) -> str:
    """Return `text` with traditional characters made simple, of the same length; nothing else is changed."""
    if text.isascii():
        return text
    codes = _codes(text)
    simple = _SIMPLER.take(codes)
    return _string(np.where(simple, simple, codes)) if np.count_nonzero(simple) else text


class Signs:
    """A set of characters whose places in whole answers are wanted; four times as fast as a pattern."""

    def __init__(self, chars: str) -> None:
        self._among = np.zeros(_CODE_POINTS, np.bool_)
        self._among[[ord(char) for char in chars]] = True

    def places(self, text: str) -> list[int]:
        """Return the positions of these characters in a text, ascending."""
        return self._among.take(_codes(text)).nonzero()[0].tolist()


def lower(text: str) -> str:
    """Return `text` in lower case, of the same length."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def is_chinese(text: str) -> bool:
    """Return whether `text` has a Chinese character."""
    return _CHINESE.search(text) is not None


class Squeezed:
    """A folded text without its removable characters, and the way back to the raw one."""

    __slots__ = ("_places", "text")

    def __init__(self, raw: str) -> None:
        folded = _squeeze_codes(_codes(_without_entities(raw)))
        self._places = (folded != _GONE).nonzero()[0]
        self.text: str = _string(folded.take(self._places))

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the raw span from the first to the last character of a squeezed span."""
        return self._places.item(start), self._places.item(end - 1) + 1

    def gaps(self) -> frozenset[int]:
        """Return the squeezed positions before which something inside the text was left out."""
        return frozenset((np.flatnonzero(np.diff(self._places) > 1) + 1).tolist())


def _without_entities(raw: str) -> str:
    """Return the text, of the same length, with `&amp;` made `&` and characters that are left out."""
    return raw.replace("&amp;", "&\x00\x00\x00\x00") if "&amp;" in raw else raw


def squeeze(text: str) -> Squeezed:
    """Fold `text`, leave out what may stand inside a name and remember the places."""
    return Squeezed(text)


def key(name: str) -> str:
    """Return the form in which names are compared: folded and squeezed."""
    return _without_entities(name).translate(_SQUEEZE)
