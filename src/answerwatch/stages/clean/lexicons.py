"""Compiled lexicons by version: compiling takes longer than reading an answer, so each is made once a process."""

from __future__ import annotations

import threading
from collections import OrderedDict

from answerwatch.domain.brands import LexiconVersion
from answerwatch.domain.lexicons import read_version
from answerwatch.errors import WorkError
from answerwatch.reading import Lexicon
from answerwatch.store.generations import NO_LEXICON, LexiconContent

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
            return version == NO_LEXICON or version in self._compiled

    def get(self, version: int, content: LexiconContent | None) -> Lexicon:
        """Return a version, compiled from its content on first use; raises WorkError when that cannot be."""
        with self._lock:
            found = self._compiled.get(version)
            if found is None:
                found = self._compiled[version] = _compile(version, content)
                while len(self._compiled) > KEPT:
                    self._compiled.popitem(last=False)
            self._compiled.move_to_end(version)
            return found


def _compile(version: int, content: LexiconContent | None) -> Lexicon:
    if version == NO_LEXICON:
        return Lexicon.compile(LexiconVersion(version=NO_LEXICON, content_hash="", brands=()))
    if content is None:
        raise WorkError("lexicon_missing", f"Lexicon version {version} is not stored; clean again with the newest one.")
    try:
        return Lexicon.compile(read_version(version, content.content_hash, content.content))
    except (KeyError, TypeError, ValueError) as error:
        text = f"Lexicon version {version} cannot be read ({error!r}); clean again with the newest one."
        raise WorkError("lexicon_damaged", text) from error
