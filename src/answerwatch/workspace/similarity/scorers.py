"""The scorers of a workspace by name, each made once: a model takes a second to load, a server is asked first."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.similarity.lexical import Lexical
from answerwatch.similarity.scorer import Scorer, ScorerFacts

CORE = "lexical"


@contextmanager
def _held(lock: threading.Lock) -> Iterator[None]:
    with lock:
        yield


class ScorerDesk:
    """Makes scorers when they are first asked for; threads may share it."""

    def __init__(self) -> None:
        """Make nothing yet."""
        self._lock = threading.Lock()
        self._made: dict[str, Scorer] = {}
        self._alone: dict[str, threading.Lock] = {}

    def get(self, name: str) -> Scorer:
        """Return a scorer; raises UsageError for an unknown name, ConfigurationError where it cannot be made here."""
        with self._lock:
            if name not in self._made:
                self._made[name] = self._make(name)
            return self._made[name]

    def alone(self, name: str) -> AbstractContextManager[None]:
        """Keep other threads from a scorer as long as the context is open."""
        with self._lock:
            lock = self._alone.setdefault(name, threading.Lock())
        return _held(lock)

    def default(self) -> str:
        """Return the scorer that is taken where none is named."""
        return CORE

    def facts(self, name: str) -> ScorerFacts:
        """Return what is known of a scorer; raises as `get` does."""
        return self.get(name).facts

    def close(self) -> None:
        """Let go of all."""
        with self._lock:
            for scorer in self._made.values():
                scorer.close()
            self._made.clear()

    def _make(self, name: str) -> Scorer:
        if name == CORE:
            return Lexical()
        text = f"There is no scorer {in_short(name)!r}; there are: {CORE}."
        raise UsageError("scorer_unknown", text, scorer=in_short(name), known=CORE)
