"""Compiled lexicons by version: compiling takes longer than reading an answer, so each is made once a process."""

from __future__ import annotations

import threading
from collections import OrderedDict

from answerwatch.domain.lexicons import NO_BRANDS, read_version
from answerwatch.errors import WorkError
from answerwatch.reading import Lexicon
from answerwatch.store.lexicons import StoredLexicon

KEPT = 8
"""Versions that are kept compiled; re-cleaning works with two at a time."""


class LexiconShelf:
    """Lexicons by version; threads may share it."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.Lock()
        self._compiled: OrderedDict[int, Lexicon] = OrderedDict()

    def holds(self, version: int) -> bool:
        """Tell whether a version needs no content."""
        with self._lock:
            return version == NO_BRANDS.version or version in self._compiled

    def get(self, version: int, stored: StoredLexicon | None) -> Lexicon:
        """Return a version, compiled from what is stored on first use; raises WorkError when that cannot be."""
        with self._lock:
            found = self._compiled.get(version)
            if found is None:
                found = self._compiled[version] = _compile(version, stored)
                while len(self._compiled) > KEPT:
                    self._compiled.popitem(last=False)
            self._compiled.move_to_end(version)
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
