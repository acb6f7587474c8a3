"""Batches: their statuses and how questions are expanded into sub-tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

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


def expand(batch: str, questions: Sequence[Question], platforms: Sequence[str], rounds: int) -> Iterator[SubTask]:
    """Yield the sub-tasks of a batch in order of work; never holds them all.

    Raises UsageError for no questions, no platforms, fewer than one round, or an id that is too long.
    """
    if not questions or not platforms or rounds < 1:
        raise UsageError(
            "batch_empty",
            "The batch would be empty: it needs at least one active question, one platform and one round.",
            questions=len(questions),
            platforms=len(platforms),
            rounds=rounds,
        )
    seq = 0
    for round_ in range(1, rounds + 1):
        for question in questions:
            for platform in platforms:
                seq += 1
                yield SubTask(
                    sub_task_id=sub_task_id(batch, question.question_id, platform, round_),
                    question_id=question.question_id,
                    question_version=question.version,
                    scene_type=question.scene_type,
                    platform=platform,
                    round=round_,
                    seq=seq,
                )


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


def default_timeout_s(planned_s: float) -> float:
    """Return the batch timeout: 30 minutes or twice the planned duration, whichever is longer."""
    return max(float(SHORTEST_TIMEOUT_S), 2 * planned_s)
