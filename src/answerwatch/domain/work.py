"""Work as the ledger sees it: claims, outcomes, piles and retry policies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from answerwatch.domain.failures import LONGEST_WAIT_S, Failure, Severity

T = TypeVar("T")

COLLECT = "collect"
CLEAN = "clean"
SIMILARITY = "similarity"
QUEUES = (COLLECT, CLEAN, SIMILARITY)

DEFAULT_SLOTS: Mapping[str, int] = {COLLECT: 64, CLEAN: 160, SIMILARITY: 1}
"""Tasks of a queue that one process has in hand at most, unless it is told otherwise.

One of similarity: a slot is free again before its outcome is stored, so that nothing waits, and a high job never waits
for work that was claimed ahead.
"""
LEASE_S = 30.0
"""How long a claim holds without a sign of life; long enough for a pause of a busy machine."""
POLL_S = 0.25
"""Longest time between two looks at the ledger; a person does not notice it."""
SWEEP_S = 2.0
"""Time between two looks for expired leases, time-outs and stuck tasks."""

_COLLECT_LANE = f"{COLLECT}/"


def collect_lane(name: str) -> str:
    """Return the lane on which the calls to a platform run; `name` is that of its limits."""
    return _COLLECT_LANE + name


def name_of_lane(lane: str) -> str:
    """Return the name that `collect_lane` was given; other lanes are their own name."""
    return lane.removeprefix(_COLLECT_LANE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTask:
    """A piece of work to be put on the ledger."""

    task_id: str
    lane: str
    seq: int = 0
    """Order within its pile."""
    attempts_before: int = 0
    """Attempts made earlier, when a dead task is tried again: attempt numbers are never used twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile:
    """All ready work of one queue, group and lane."""

    pile_id: int
    queue: str
    group: str
    lane: str
    brand_name: str
    """Batches of different brands take turns on a lane; '' where there is no brand."""
    priority: int
    order: int
    """Place of the group: a smaller one goes first."""
    oldest_us: int
    """Ledger time when its first ready task is or was due."""


class Claim(NamedTuple):
    """The right to work on one task until the lease runs out; the token is the fence.

    A named tuple, because it is made for every task: a frozen data class takes three times as long.
    """

    task_id: str
    queue: str
    group: str
    lane: str
    step: int
    """Which step of the stage comes next, from 0."""
    token: str
    """New for every claim; a worker's name is not a fence."""
    failures: int
    """Classified failures so far: what the retry policy reads."""
    interruptions: int
    """Stops, lost leases and crashes so far: never a reason to give up, except crashes."""
    deadline_us: int | None
    """Ledger time after which the outcome is late (end of the batch); None: no end."""

    @property
    def attempt(self) -> int:
        """Return the number of this attempt, from 1."""
        return self.failures + self.interruptions + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Generic[T]):
    """A step came to its end with a value."""

    claim: Claim
    value: T
    more: bool = False
    """The task goes on to its next step instead of leaving the ledger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed(Generic[T]):
    """An attempt failed; the engine applies the retry policy.

    `value` is what is known of the attempt (times, status), for the attempt's own row.
    """

    claim: Claim
    failure: Failure
    value: T | None = None


class Why(StrEnum):
    """Why a claim was handed back without an outcome; spends no retry."""

    STOPPED = "stopped"
    """The process was asked to stop."""
    LATE_START = "late_start"
    """The reserved moment was missed; a new one is needed."""
    PARKED = "parked"
    """The lane was closed by trouble with key, account or connection."""
    SLOWED = "slowed"
    """The platform asked to wait; a new moment is needed."""
    HELD = "held"
    """The group was paused or the call would end after its deadline."""
    LOST = "lost"
    """The lease is lost: somebody else may have the task, so the fence will refuse this too."""
    UNUSED = "unused"
    """Claimed but not needed after all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedBack(Generic[T]):
    """The claim is given back; nothing of the retry budget is spent.

    `value` describes a call that had been sent already, if there was one: it gets its attempt row.
    """

    claim: Claim
    why: Why
    value: T | None = None


Outcome = Done[T] | Failed[T] | HandedBack[T]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """When a failed task is tried again: data, one per queue.

    The n-th retry waits `delays_s[n-1]` (the last entry is used again when there are more retries),
    spread upward by at most `jitter`; a server's hint (`Failure.retry_after_s`) replaces the schedule's wait.
    """

    delays_s: tuple[float, ...]
    max_retries: int
    jitter: float = 0.2
    longest_wait_s: float = LONGEST_WAIT_S
    """A server's hint counts up to here; the schedule's own waits are as they are written."""
    max_crashes: int = 5
    """Crashes without an outcome after which the task goes to dead letters as `worker_died`."""
    by_error_type: Mapping[str, int] = field(default_factory=dict)
    """Tighter numbers of retries for single error types."""

    def retries_for(self, failure: Failure) -> int:
        """Return how many retries this failure may have in all."""
        if failure.severity is Severity.PERMANENT:
            return 0
        most = self.by_error_type.get(failure.error_type, self.max_retries)
        return most if failure.max_retries is None else min(most, failure.max_retries)

    def wait_s(self, failure: Failure, failures_before: int, chance: float) -> float | None:
        """Return seconds to wait before the next try, or None when there is none.

        `failures_before` counts earlier classified failures, `chance` in [0, 1) spreads the wait.
        """
        if failures_before >= self.retries_for(failure):
            return None
        if failure.retry_after_s is None:
            wait = self.delays_s[min(failures_before, len(self.delays_s) - 1)]
        else:
            wait = min(failure.retry_after_s, self.longest_wait_s)
        return wait * (1 + self.jitter * chance)

    def wait_origin(self, failure: Failure) -> str | None:
        """Return where the wait before the next try comes from: `cap` when the server asked for more than is waited."""
        if failure.retry_after_s is None:
            return "schedule"
        return failure.wait_origin if failure.retry_after_s <= self.longest_wait_s else "cap"


COLLECT_POLICY = RetryPolicy(delays_s=(60.0, 120.0, 240.0), max_retries=3)
"""Three retries after 60, 120 and 240 s, or what the server asks."""

CLEAN_POLICY = RetryPolicy(delays_s=(0.0, 30.0, 30.0), max_retries=3, jitter=0.0)
"""One retry at once, then up to two more after 30 s."""

SIMILARITY_POLICY = RetryPolicy(delays_s=(60.0, 120.0, 240.0), max_retries=3)
"""Three retries after 60, 120 and 240 s; what a server asks to wait within a call is its client's affair."""


class Ending(StrEnum):
    """How a task left the ledger or stays on it, as the stage must record it."""

    DONE = "done"
    RETRY = "retry"
    """Failed, will be tried again."""
    DEAD = "dead"
    """Failed for good: a dead letter is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Generic[T]):
    """A failed outcome after the policy has spoken, handed to the stage inside the finishing transaction."""

    outcome: Failed[T]
    ending: Ending
    wait_s: float | None = None
    """Seconds until the next try; None when it is dead."""
    wait_origin: str | None = None
    """`schedule`, the header's name, `body`, `rule` or `cap`."""
