"""Quick looks: whether any of some words stands in a text.

For a clause one pattern is quickest, for a whole answer one search for each word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


def any_of(*words: str) -> re.Pattern[str]:
    """Return a pattern that finds any of the words.

    Every alternative begins with a plain character: only then does Python's engine skip to where one may begin.
    """
    return re.compile("|".join(map(re.escape, words)))


def has_any(text: str, words: Iterable[str]) -> bool:
    """Return whether any of the words stands in a text."""
    return any(map(text.__contains__, words))
