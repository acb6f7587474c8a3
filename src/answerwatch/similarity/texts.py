"""Texts as scorers get them: normalised, and each of them once however many lines hold it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]
"""Numbers of texts, from 0; NO_TEXT where a line has none."""

NO_TEXT = -1
"""The number of a line that was refused: empty, too long."""

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff]"
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def normalised(text: str) -> str:
    """Return a text as it is compared: NFKC, nothing invisible, white space in single blanks, none at the ends.

    Control characters go, because models end a text at some of them; halves of a surrogate pair cannot be encoded.
    """
    seen = _CONTROL.sub(" ", _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)))
    return " ".join(seen.split())


def text_hash(text: str) -> bytes:
    """Return the BLAKE2b-128 of a normalised text."""
    return blake2b(text.encode(), digest_size=16).digest()


@dataclass(slots=True)
class Distinct:
    """Distinct texts of one or two lists, numbered as they come.

    A text that stands in both lists has one number, so that it is encoded once; after `begin_apart` what came before
    is not known any more, as where a model encodes questions and passages differently.
    """

    texts: list[str] = field(default_factory=list)
    first_lines: list[int] = field(default_factory=list)
    """Line of its list where each stood first, from 1."""
    _numbers: dict[bytes, int] = field(default_factory=dict)

    def add(self, text: str, line: int) -> int:
        """Return the number of a normalised text that stands in a line."""
        number = self._numbers.setdefault(text_hash(text), len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
            self.first_lines.append(line)
        return number

    def begin_apart(self) -> None:
        """Give every text that follows a number of its own, even one that was there before."""
        self._numbers.clear()

    def __len__(self) -> int:
        """Return how many distinct texts there are."""
        return len(self.texts)


def numbered(texts: Iterable[str], into: Distinct) -> Numbers:
    """Return the text number of every line, NO_TEXT for an empty one."""
    numbers = []
    for line, text in enumerate(texts, start=1):
        clean = normalised(text)
        numbers.append(into.add(clean, line) if clean else NO_TEXT)
    return np.array(numbers, dtype=np.int32)
