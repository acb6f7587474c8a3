"""What of a text a database can hold: one rule for all stores, so that positions never move."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from math import isfinite

LONGEST_LINE = 500
"""Characters of a line of text for people, such as a note on a change, that its column holds."""
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters, as a class of a pattern has them."""

_PLANE_ENDS = "".join(f"{chr(plane * 0x10000 + 0xFFFE)}-{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(17))
_UNSTORABLE = re.compile(f"[\x00\ud800-\udfff\ufdd0-\ufdef{_PLANE_ENDS}]")
"""NUL, lone surrogates and noncharacters; correct pairs are one character in Python and pass."""

_SUSPECT = re.compile("[\x00\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]|[\U00010000-\U0010ffff]")
"""What a short class of characters can tell: a text without any of these needs no closer look, five times as slow."""


@dataclass(frozen=True, slots=True)
class Storable:
    """A text that every store takes."""

    text: str
    altered: int
    """Characters that were replaced, one for one."""


def storable(text: str) -> Storable:
    """Return the text with every character that no store may hold replaced by U+FFFD; its length stays the same."""
    if _SUSPECT.search(text) is None:
        return Storable(text, 0)
    fixed, altered = _UNSTORABLE.subn(REPLACEMENT, text)
    return Storable(fixed, altered)


def is_blank(text: str) -> bool:
    """Tell whether there is nothing to see in a text: white space, control characters, marks without a width."""
    return not any(character.isprintable() and not character.isspace() for character in text)


_JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
"""Have no width, but shape what stands beside them: emoji and whole scripts need them."""


def unseen(text: str) -> int | None:
    r"""Return the place of the first character that nobody sees, None where there is none.

    These are control characters that are no white space, marks that turn the direction of writing, and marks without a
    width other than joiners: texts that look the same would differ, or look other than they are.

    >>> unseen("a\r\nb"), unseen("a\x01"), unseen("\u202eab")
    (None, 1, 0)
    """
    if text.isprintable():
        return None
    return next((place for place, letter in enumerate(text) if _is_unseen(letter)), None)


def _is_unseen(letter: str) -> bool:
    if letter.isprintable() or letter.isspace() or letter in _JOINERS:
        return False
    return unicodedata.category(letter) in ("Cc", "Cf")


def storable_json(value: object) -> object:
    """Return a JSON value whose texts every store takes, keys too; numbers that JSON does not have become texts."""
    if isinstance(value, str):
        return storable(value).text
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if isinstance(value, list | tuple):
        return [storable_json(one) for one in value]
    if isinstance(value, dict):
        return {storable(str(key)).text: storable_json(one) for key, one in value.items()}
    return value


def in_short(value: object, longest: int = 40) -> str:
    r"""Return the beginning of a value on one line, as a message on it shows it; an ellipsis stands for the rest.

    >>> in_short(20260701), in_short("two\nlines"), in_short("9" * 5_000, 5)
    ('20260701', 'two lines', '9999…')
    """
    text = str(value) if not isinstance(value, str) else value
    flat = " ".join(text[: longest * 4].split())
    return flat if len(flat) <= longest and len(text) <= longest * 4 else flat[: longest - 1] + "…"


def shortened(text: str | None, longest: int) -> str | None:
    """Return a platform's word for a column of `longest` characters; an ellipsis shows where it was cut.

    For facts about an answer only; identifiers and answers are never cut.
    """
    if text is None:
        return None
    fixed = storable(text).text
    return fixed if len(fixed) <= longest else fixed[: longest - 1] + "…"
