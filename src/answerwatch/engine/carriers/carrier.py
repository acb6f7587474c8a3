"""The contract of carriers: hints that there may be work. A hint may be lost or doubled; the ledger decides."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol


class Inbox(Protocol):
    """Where a carrier leaves its hints; every method may be called from any thread."""

    def look(self) -> None:
        """Say that there may be work; returns at once."""

    def offer(self, queue: str, task_ids: Sequence[str]) -> None:
        """Say that these tasks are due; waits for a free slot, but not for ever, and for the claim.

        What it claims is for the ledger to decide: the first piles in order, not necessarily these tasks.
        """


class Carrier(Protocol):
    """Brings hints to this process and tells others of new work."""

    def check(self) -> None:
        """Raise ConfigurationError or ServiceError, with cause and fix, when nothing could be carried now."""

    def tell(self, queues: Collection[str]) -> None:
        """Say that these queues may have work that is due: all workers hear it soon, or at their next sweep.

        Returns at once and never raises; served or not, from any thread.
        """

    def start(self, queues: Sequence[str], inbox: Inbox) -> None:
        """Begin to bring hints for these queues; may block for seconds.

        Raises like `check`, but a server that is away is waited for while the work goes on.
        """

    def stop(self, within_s: float) -> None:
        """Bring no more hints; returns when nothing brings any, or after about `within_s`."""

    def close(self, within_s: float) -> None:
        """Pass on what was told and let go of everything, at most within `within_s`."""
