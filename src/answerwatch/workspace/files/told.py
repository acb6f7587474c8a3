"""What an import tells of its rows one by one: the first errors and notes, with the count of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from answerwatch.workspace.files.row_notes import RowError, RowNote

MOST_TOLD = 1_000
"""Errors of a file that are told one by one, and notes. After so many errors a file of which nothing can be stored
any more is read no further."""

T = TypeVar("T", RowError, RowNote)


@dataclass(slots=True)
class Told(Generic[T]):
    """The first errors or notes on rows; the others are counted, for a file may have millions of them."""

    _first: list[T] = field(default_factory=list, init=False)
    count: int = field(default=0, init=False)
    """How many there are, those too that are not kept."""

    def add(self, one: T) -> None:
        """Count an error or note, and keep it while there are few."""
        self.count += 1
        if len(self._first) < MOST_TOLD:
            self._first.append(one)

    def extend(self, more: Iterable[T]) -> None:
        """Add several."""
        for one in more:
            self.add(one)

    @property
    def is_full(self) -> bool:
        """Tell whether there are so many that no more are kept."""
        return self.count >= MOST_TOLD

    def __iter__(self) -> Iterator[T]:
        """Go through those that are kept, as they were added."""
        return iter(self._first)


def by_line(*told: Told[T]) -> tuple[T, ...]:
    """Return those of several that are told, by their lines."""
    every = [one for part in told for one in part]
    return tuple(sorted(every, key=lambda one: one.line)[:MOST_TOLD])
