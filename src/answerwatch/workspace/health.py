"""Health: what is going on, and what is wrong with the fix."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from answerwatch.workspace.alerts import AlertView
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.platforms import LaneView


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueView:
    """How much work of one queue is outstanding."""

    queue: str
    ready: int
    """Due now."""
    waiting: int
    """Due later: retries."""
    running: int
    held: int
    """Of paused groups."""
    oldest_s: float | None
    """Age of the oldest due task; None where there is none."""
    dead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceStatus:
    """What is going on in the workspace."""

    home: str
    database: str
    """Address without its password."""
    questions: int
    """Active ones."""
    brands: int
    lexicon_version: int
    batches_running: int
    """Running ones that are not paused."""
    batches_paused: int
    samples: int
    queues: tuple[QueueView, ...]
    lanes: tuple[LaneView, ...]
    workers: int
    """Processes that showed a sign of life lately."""
    stuck: int
    alerts: tuple[AlertView, ...]


class Grade(StrEnum):
    """How good a check's result is."""

    OK = "ok"
    WARN = "warn"
    """Works, but somebody should look."""
    FAIL = "fail"
    """Does not work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check of `doctor`, with the fix."""

    name: str
    """Stable word: `folder`, `database`, `revision`, `objects`, `disk`, `clock`, `platforms`, `lanes`, ..."""
    grade: Grade
    message: str
    fix: str | None
    """What to do; None where nothing is wrong."""


class Health:
    """Looks at everything."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def status(self) -> WorkspaceStatus:
        """Return what is going on."""
        raise NotImplementedError

    def doctor(self) -> tuple[Check, ...]:
        """Check every configured service; never raises for what it finds."""
        raise NotImplementedError
