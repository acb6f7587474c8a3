"""Batches: their statuses and how questions are expanded into sub-tasks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import NamedTuple, Protocol

from answerwatch.domain.ids import sub_task_id
from answerwatch.domain.questions import Question
from answerwatch.errors import UsageError


class BatchStatus(StrEnum):
    """Where a batch stands."""

    PENDING = "pending"
    """Created, no call made yet."""
    RUNNING = "running"
    """Calls are being made, or it is paused (`paused_at` is set)."""
    COMPLETED = "completed"
    """All sub-tasks done, none failed."""
    PARTIAL = "partial"
    """All sub-tasks have an outcome and some failed."""
    CANCELLED = "cancelled"
    """Stopped by a person; what was collected stays."""


FINISHED = frozenset({BatchStatus.COMPLETED, BatchStatus.PARTIAL, BatchStatus.CANCELLED})
OPEN = frozenset(BatchStatus) - FINISHED
"""Statuses of batches that can still be worked on."""


class UsageStatus(StrEnum):
    """Outcome of a sub-task; that one is *running* is read from the ledger's lease."""

    PENDING = "pending"
    """Has no outcome yet: waits, runs, or will be tried again."""
    SUCCESS = "success"
    """Has a sample."""
    FAILED = "failed"
    """Failed for good, or the time of its batch was over."""
    CANCELLED = "cancelled"
    """Its batch was cancelled before it had an outcome."""


class AttemptOutcome(StrEnum):
    """How a request ended."""

    ANSWERED = "answered"
    """Its answer is the sample."""
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """We stopped it ourselves or lost the right to it."""
    LATE = "late"
    """Its answer came after the sub-task had its outcome."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many sub-tasks of one batch came to an end, and how."""

    completed: int = 0
    failed: int = 0


COLLECTED = "collected"
IMPORTED = "imported"
"""Origins of a batch: asked by us, or answers collected elsewhere."""

DEFAULT_ROUNDS = 3
SHORTEST_TIMEOUT_S = 1_800


@dataclass(frozen=True, slots=True, kw_only=True)
class SubTask:
    """One call to make: batch x question x platform x round."""

    sub_task_id: str
    question_id: str
    question_version: int
    scene_type: str
    platform: str
    round: int
    seq: int
    """Order of work within the batch: round by round, so that an interrupted batch holds whole rounds."""


class Cell(NamedTuple):
    """One answer that is wanted, before it is known which batch asks for it."""

    question_id: str
    question_version: int
    scene_type: str
    platform: str
    round: int


class Asked(Protocol):
    """Questions that can be gone through once for every round; a list is one."""

    def __len__(self) -> int:
        """Return how many they are."""

    def __iter__(self) -> Iterator[Question]:
        """Go through them, always in the same order."""


def cells(questions: Asked, platforms: Sequence[str], rounds: int) -> Iterator[Cell]:
    """Yield the cells of questions, platforms and rounds in order of work; never holds them all.

    Raises UsageError for no questions, no platforms or fewer than one round.
    """
    if not len(questions) or not platforms or rounds < 1:
        raise UsageError(
            "batch_empty",
            "The batch would be empty: it needs at least one active question, one platform and one round.",
            questions=len(questions),
            platforms=len(platforms),
            rounds=rounds,
        )
    for round_ in range(1, rounds + 1):
        for question in questions:
            for platform in platforms:
                yield Cell(question.question_id, question.version, question.scene_type, platform, round_)


def sub_tasks(batch: str, wanted: Iterable[Cell]) -> Iterator[SubTask]:
    """Yield the sub-tasks of a batch for these cells; raises UsageError for an id that is too long."""
    for seq, cell in enumerate(wanted, start=1):
        id_ = sub_task_id(batch, cell.question_id, cell.platform, cell.round)
        yield SubTask(sub_task_id=id_, seq=seq, **cell._asdict())


def expand(batch: str, questions: Asked, platforms: Sequence[str], rounds: int) -> Iterator[SubTask]:
    """Yield all sub-tasks of a batch that is not split; raises what `cells` and `sub_tasks` raise."""
    return sub_tasks(batch, cells(questions, platforms, rounds))


class Window(NamedTuple):
    """A split by time: so many sub-tasks, then the next so many when so many seconds have passed."""

    tasks: int
    every_s: float


class Slice(NamedTuple):
    """One batch of a split: which cells of which part of the request, and when it may begin."""

    part: int
    """Which brand and scene, from 0."""
    first: int
    """Cells of the part before it."""
    calls: int
    after_s: float
    """Seconds after the creation before which nothing of it starts."""


def slices(calls: Sequence[int], window: Window | None) -> list[Slice]:
    """Return the batches of parts with so many calls each, in the order in which they are served.

    Without a window each part is one batch. With one, the first windows of all parts come first, then the second ones:
    brands stay close together in time, and no more than one window's calls become due at a time.
    """
    if window is None:
        return [Slice(part, 0, count, 0.0) for part, count in enumerate(calls)]
    by_part = (
        [(start, part, min(window.tasks, count - start)) for start in range(0, count, window.tasks)]
        for part, count in enumerate(calls)
    )
    ordered = sorted(chain.from_iterable(by_part))
    return [Slice(part, start, size, number * window.every_s) for number, (start, part, size) in enumerate(ordered)]


def calls_by_platform(first: int, calls: int, platforms: Sequence[str]) -> dict[str, int]:
    """Return how many of so many cells in a row go to each platform; those that get none are left out."""
    whole, rest = divmod(calls, len(platforms))
    extra = {(first + number) % len(platforms) for number in range(rest)}
    counts = {name: whole + (place in extra) for place, name in enumerate(platforms)}
    return {name: count for name, count in counts.items() if count}


def questions_in(first: int, calls: int, platforms: int, questions: int) -> int:
    """Return how many different questions so many cells in a row ask."""
    return min(questions, (first + calls - 1) // platforms - first // platforms + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneSpeed:
    """What limits the calls to one platform."""

    rate: float
    """Calls a second that the bucket refills."""
    capacity: int
    """Calls that may start at once."""
    answer_s: float
    """Seconds that an answer takes, as far as known."""
    in_flight: int | None = None
    """Calls at a time at most; None: no cap."""


def planned_duration_s(calls: int, speed: LaneSpeed) -> float:
    """Return the seconds that `calls` calls need at least under the limits of one platform."""
    if calls <= 0:
        return 0.0
    by_bucket = max(0, calls - speed.capacity) / speed.rate
    by_slots = 0.0 if speed.in_flight is None else max(0, calls - speed.in_flight) * speed.answer_s / speed.in_flight
    return max(by_bucket, by_slots) + speed.answer_s


def window_for(timeout_s: float, calls: int, speeds: Sequence[LaneSpeed]) -> tuple[Window, int] | None:
    """Return the largest time window whose calls fit into a time-out, and how many windows `calls` need.

    None: not even one call fits.
    """

    def fits(tasks: int) -> bool:
        each = -(-tasks // len(speeds))
        return max(planned_duration_s(each, speed) for speed in speeds) <= timeout_s

    if not fits(1):
        return None
    low, high = 1, max(1, calls)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    minutes = max(1, math.ceil(timeout_s / 60))
    return Window(low, minutes * 60.0), -(-calls // low)


def default_timeout_s(planned_s: float) -> float:
    """Return the batch timeout: 30 minutes or twice the planned duration, whichever is longer."""
    return max(float(SHORTEST_TIMEOUT_S), 2 * planned_s)
