"""Scores of pairs that this process made a moment ago, for blocks that were loaded before these were stored."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

MOST = 50_000
"""Scores that are kept: those of more blocks than a process has in hand."""


class Recent:
    """The newest scores; one thread at a time may use it."""

    def __init__(self) -> None:
        """Begin empty."""
        self._scores: OrderedDict[tuple[str, str], float] = OrderedDict()

    def known(self, memory: str, hashes: Sequence[str]) -> dict[str, float]:
        """Return those that are there, by the hash of their pair."""
        return {one: self._scores[memory, one] for one in hashes if (memory, one) in self._scores}

    def keep(self, memory: str, made: Mapping[str, float]) -> None:
        """Keep some more; the oldest make room."""
        self._scores.update({(memory, one): score for one, score in made.items()})
        while len(self._scores) > MOST:
            self._scores.popitem(last=False)
