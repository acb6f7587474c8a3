"""Dead letters: what was given up, replay and drop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from answerwatch.workspace.parts import Parts
from answerwatch.workspace.plain import Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """One task that was given up."""

    dead_id: int
    queue: str
    task_id: str
    group_id: str
    lane: str
    error_type: str
    error: str
    attempts: int
    failed_at: datetime
    replayed_at: datetime | None
    replayed_by: str | None
    payload: Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What came of a replay."""

    replayed: tuple[int, ...]
    skipped: tuple[tuple[int, str], ...]
    """Dead letters that could not be replayed, and why."""


class DeadLetters:
    """Verbs on dead letters of every queue."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def list(
        self, *, queue: str | None = None, replayed: bool = False, limit: int = 200, after: int = 0
    ) -> tuple[DeadLetter, ...]:
        """Return open dead letters by id, with `replayed` the replayed ones too."""
        raise NotImplementedError

    def show(self, dead_id: int) -> DeadLetter:
        """Return one dead letter; raises UsageError when it is unknown."""
        raise NotImplementedError

    def replay(self, dead_ids: Sequence[int] = (), *, everything: bool = False, queue: str | None = None) -> Replay:
        """Put tasks back to work: the given ones, or all open ones (of a queue). Leaves an audit entry.

        Workers take them up; `batch resume` and `clean run` work on them here.
        """
        raise NotImplementedError

    def drop(self, dead_ids: Sequence[int]) -> int:
        """Forget dead letters for good and return how many; their tasks stay failed. Leaves an audit entry."""
        raise NotImplementedError
