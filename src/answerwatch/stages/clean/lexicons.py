"""Compiled lexicons by version: compiling takes longer than reading an answer, so each is made once a process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from answerwatch.domain.lexicons import NO_BRANDS, read_version
from answerwatch.errors import WorkError
from answerwatch.reading import Difference, Lexicon
from answerwatch.store.bank.lexicons import StoredLexicon

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

KEPT = 8
"""Versions that are kept compiled; re-cleaning works with two at a time."""


class LexiconShelf:
    """Lexicons by version; threads may share it."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.Lock()
        self._compiled: OrderedDict[int, Lexicon] = OrderedDict()
        self._differences: OrderedDict[tuple[int, int], Difference] = OrderedDict()

    def holds(self, version: int) -> bool:
        """Tell whether a version needs no content."""
        with self._lock:
            return version == NO_BRANDS.version or version in self._compiled

    def get(self, version: int, stored: Mapping[int, StoredLexicon]) -> Lexicon:
        """Return a version, compiled from what is stored on first use; raises WorkError when that cannot be."""
        with self._lock:
            return _kept(self._compiled, version, lambda: _compile(version, stored.get(version)))

    def difference(self, old: int, new: int, stored: Mapping[int, StoredLexicon]) -> Difference:
        """Return what changed between two versions; raises WorkError as `get` does."""
        before, after = self.get(old, stored), self.get(new, stored)
        with self._lock:
            return _kept(self._differences, (old, new), lambda: Difference.between(before, after))


def _kept(shelf: OrderedDict[K, V], key: K, make: Callable[[], V]) -> V:
    """Return what stands on a shelf, made on first use; what nobody asked for longest makes room."""
    found = shelf.get(key)
    if found is None:
        found = shelf[key] = make()
        while len(shelf) > KEPT:
            shelf.popitem(last=False)
    shelf.move_to_end(key)
    return found


def _compile(version: int, stored: StoredLexicon | None) -> Lexicon:
    if version == NO_BRANDS.version:
        return Lexicon.compile(NO_BRANDS)
    if stored is None:
        raise WorkError("lexicon_missing", f"Lexicon version {version} is not stored; clean again with the newest one.")
    try:
        return Lexicon.compile(read_version(version, stored.content_hash, stored.content))
    except (KeyError, TypeError, ValueError) as error:
        text = f"Lexicon version {version} cannot be read ({error!r}); clean again with the newest one."
        raise WorkError("lexicon_damaged", text) from error
