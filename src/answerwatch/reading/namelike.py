"""Whether words may be a name: judged by the words alone, for what is suggested to people."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from types import ModuleType

from answerwatch.reading.fold import is_chinese, key
from answerwatch.reading.generic import (
    CHINESE_ENDS,
    CHINESE_INSIDE,
    CHINESE_STARTS,
    ENGLISH,
    ENGLISH_ENDS,
    LATIN_TERMS,
    MAKER_ENDS,
)
from answerwatch.reading.senses import SENSES

TOKEN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ0-9](?:[A-Za-zÀ-ÖØ-öø-ÿ0-9]|['’+-](?=[A-Za-z0-9]))*\+?")
"""A Latin word, also with digits, hyphens and apostrophes inside."""
MOST_WORDS = 6
"""Words of a Latin name at most; what is longer is a sentence."""
SHORTEST = 2
"""Characters of a name at least."""
_CHINESE_LONGEST = 8
_LATIN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ]")
_AMOUNT = re.compile(
    r"[\d.,+%~-]+(?:[a-z]{1,3}|GB|TB|MB|W|K|M|MP|Hz|kHz|P|G|V|Ah|Wh|L|ML|Pa|MHz|GHz|KM|D|in|px)?", re.ASCII
)
_NAMES = frozenset({"nz", "nt", "nrt", "nr"})
"""Classes of the dictionary that hold names."""
_ORDINARY = frozenset({"n", "v", "vn", "a", "ad", "an", "d", "m", "q", "r", "i", "l", "b", "t", "ns", "f", "s"})
"""Classes of the dictionary that hold words of the language."""
ASKING = frozenset({"why", "how", "what", "where", "which", "who", "when"})
"""First words of English titles that ask."""
_TITLES = ASKING | {"best", "top", "for", "if", "a", "an"}
"""First words of English headings that name nothing."""


def may_name_chinese(name: str, *, listed: bool) -> bool:
    """Return whether a phrase with Chinese characters may be a name; `listed`: it stands among names.

    A word of the dictionary is one only where the dictionary has it for a name, or a thing that stands among names.
    """
    folded = key(name)
    if folded in SENSES:
        return True
    latin = _LATIN.search(name) is not None
    chinese = sum(map(is_chinese, name))
    broken = not latin and (chinese < SHORTEST or any(char.isspace() for char in name))
    if broken or chinese > _CHINESE_LONGEST or folded[0].isdigit():
        return False
    kind = _word_class(folded)
    if kind is not None:
        return kind in _NAMES or (listed and kind == "n")
    if folded.endswith(CHINESE_ENDS) or folded.startswith(CHINESE_STARTS):
        return False
    if len(folded) == SHORTEST:
        return folded not in CHINESE_INSIDE  # 美的 is a name
    return not any(word in folded for word in CHINESE_INSIDE)


def may_name_latin(name: str, written_small: AbstractSet[str]) -> bool:
    """Return whether Latin words may be a name: one of them is no term, amount or word of the language.

    `written_small` has the words that the answer itself writes in small letters: they are words there.
    """
    words = TOKEN.findall(name)
    if not 0 < len(words) <= MOST_WORDS or not _LATIN.search(name):
        return False
    if words[-1].lower() in ENGLISH_ENDS or (len(words) > 1 and words[0].lower() in _TITLES):
        return False
    return any(not is_plain(word, written_small) for word in words)


def is_plain(word: str, written_small: AbstractSet[str]) -> bool:
    """Return whether a Latin word is a term, an amount or a word of the language, also each part around a hyphen."""
    small = word.replace("’", "'").lower()
    if _says_nothing(small, written_small) or _AMOUNT.fullmatch(word):
        return True
    parts = small.split("-")
    return len(parts) > 1 and all(part.isdigit() or _says_nothing(part, written_small) for part in parts)


def is_label(word: str) -> bool:
    """Return whether a Latin word at the end of a title says what the title is over."""
    return word.lower() in ENGLISH_ENDS


def _says_nothing(small: str, written_small: AbstractSet[str]) -> bool:
    return small in ENGLISH or small in LATIN_TERMS or small in written_small


@lru_cache(maxsize=8192)
def is_phrase(folded: str) -> bool:
    """Return whether a Chinese name is put together from ordinary words alone (人像摄影), and not as makers' are."""
    if _LATIN.search(folded) or folded.endswith(MAKER_ENDS):
        return False
    words = _segmented(folded)
    return len(words) > 1 and all(
        len(word) > 1 and kind in _ORDINARY and _dictionary().has_word(word) for word, kind in words
    )


@lru_cache(maxsize=8192)
def _word_class(word: str) -> str | None:
    """Return the class that the dictionary gives a word; None where it has no such word."""
    return _segmented(word)[0][1] if _dictionary().has_word(word) else None


def _segmented(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = _dictionary().tag(text)
    return found


@cache
def _dictionary() -> ModuleType:
    import rjieba  # noqa: PLC0415 - loads its dictionary when imported

    return rjieba
