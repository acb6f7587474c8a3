"""Batches: plan, create, run, follow, pause, resume, cancel."""

from __future__ import annotations

from answerwatch.domain.batches import BatchStatus
from answerwatch.workspace.batch_views import (
    BatchDetail,
    BatchPlan,
    BatchProgress,
    BatchRequest,
    BatchRun,
    BatchView,
    ShowProgress,
)
from answerwatch.workspace.stopping import Stop


class Batches:
    """Verbs on batches."""

    def plan(self, request: BatchRequest) -> BatchPlan:
        """Return what the request would do, without doing it; missing keys are told, not raised.

        Raises UsageError for unknown brands, platforms or questions, and for a batch of nothing (saying why).
        """
        raise NotImplementedError

    def create(self, request: BatchRequest) -> tuple[BatchView, ...]:
        """Create one batch for each brand, all or none; the same idempotency key gives the same batches again.

        Raises what `plan` raises, MissingKey before anything is stored, and UsageError for a time-out that is too
        short without `force`.
        """
        raise NotImplementedError

    def run(self, request: BatchRequest, *, progress: ShowProgress | None = None, stop: Stop | None = None) -> BatchRun:
        """Create and work until everything is collected and cleaned, all is parked, or `stop` is set.

        A stopped run pauses its batches, so that their clocks stop; `resume` goes on.
        """
        raise NotImplementedError

    def resume(
        self, batch_id: str, *, work: bool = True, progress: ShowProgress | None = None, stop: Stop | None = None
    ) -> BatchRun:
        """Let a paused or interrupted batch go on; with `work` until it is done, else only let workers have it.

        Raises UsageError when the batch is unknown or finished.
        """
        raise NotImplementedError

    def list(
        self, *, status: BatchStatus | None = None, brand: str | None = None, limit: int = 50
    ) -> tuple[BatchView, ...]:
        """Return the newest batches first."""
        raise NotImplementedError

    def show(self, batch_id: str) -> BatchDetail:
        """Return a batch with its progress, failures by reason and invalid answers by reason."""
        raise NotImplementedError

    def status(self, batch_id: str) -> BatchProgress:
        """Return where a batch stands; raises UsageError when it is unknown."""
        raise NotImplementedError

    def watch(
        self, batch_id: str, progress: ShowProgress, *, stop: Stop | None = None, every_s: float = 1.0
    ) -> BatchProgress:
        """Follow a batch that others work on until nothing is left or `stop` is set; return its last status."""
        raise NotImplementedError

    def pause(self, batch_id: str) -> BatchProgress:
        """Start no more calls of a batch; those in flight end. Its clock stops."""
        raise NotImplementedError

    def cancel(self, batch_id: str) -> BatchProgress:
        """End a batch; what was collected stays, answers still on their way become late samples."""
        raise NotImplementedError
