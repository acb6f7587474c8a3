"""The contract of carriers: hints that there may be work. A hint may be lost or doubled; the ledger decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Inbox(Protocol):
    """Where a carrier leaves its hints; every method may be called from any thread."""

    def look(self) -> None:
        """Say that there may be work; returns at once."""

    def offer(self, queue: str, task_ids: Sequence[str]) -> None:
        """Say that these tasks are due; blocks for a free slot and returns once this process has claimed.

        What it claims is for the ledger to decide: the first piles in order, not necessarily these tasks.
        """


class Carrier(Protocol):
    """Brings hints to this process and tells others of new work."""

    def publish(self, queue: str, task_ids: Sequence[str]) -> None:
        """Tell all workers that these tasks are due; never blocks for long and may be lost."""

    def start(self, queues: Sequence[str], inbox: Inbox) -> None:
        """Begin to bring hints for these queues."""

    def stop(self, within_s: float) -> None:
        """Bring no more hints; returns when nothing of the carrier runs any more, or after `within_s`."""
