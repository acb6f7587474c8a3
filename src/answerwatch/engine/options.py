"""What can be set about an engine; every number has a reason beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from answerwatch.domain.limits import LimitPolicy
from answerwatch.domain.work import DEFAULT_SLOTS, LEASE_S, POLL_S, SWEEP_S


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """The settings of one engine; the defaults suit one process on one machine."""

    lock_folder: Path
    """Where the worker's lock file lies; all workers of a host must share it to see each other die."""
    queues: tuple[str, ...] | None = None
    """Queues to serve; None: those of all stages."""
    slots: Mapping[str, int] = field(default_factory=dict)
    """Tasks in hand at most by queue, over DEFAULT_SLOTS (other queues: 20)."""
    limits: LimitPolicy = field(default_factory=LimitPolicy)
    """The numbers of adaptive control."""
    brands_together: int = 1
    """Brands whose batches share a lane at the same time; 1: one after another (docs/decisions/0006)."""
    lease_s: float = LEASE_S
    """How long a claim holds without being renewed; a third of it passes between renewals."""
    poll_s: float = POLL_S
    """Longest time between two looks at the ledger."""
    gather_s: float = 0.02
    """Pause in which single events are collected into one transaction, when little is waiting."""
    sweep_s: float = SWEEP_S
    """Time between two sweeps."""
    horizon_s: float = 2.0
    """How far ahead starts are reserved on a lane; more would tie up work that another worker could start."""
    backlog: int = 2_000
    """Outcomes waiting to be stored above which nothing new is claimed."""
    patience_s: float = 60.0
    """How long a database that is busy or gone is tried again before the engine gives up."""

    def slots_of(self, queue: str) -> int:
        """Return how many tasks of a queue may be in hand."""
        return self.slots.get(queue, DEFAULT_SLOTS.get(queue, 20))
