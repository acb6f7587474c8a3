"""Batches that were created together, looked after as one."""

from __future__ import annotations

from collections.abc import Sequence

from answerwatch.domain.batches import OPEN, BatchStatus
from answerwatch.store.batch import batches
from answerwatch.store.database import Read
from answerwatch.workspace.batches.progress import progress_of
from answerwatch.workspace.batches.views import BatchProgress, GroupProgress
from answerwatch.workspace.filters import unknown_batch


def members(read: Read, id_: str) -> list[batches.Batch]:
    """Return the batch with an id, or the batches of the group with it in order; raises UsageError for neither."""
    batch = batches.get(read, id_)
    found = [batch] if batch is not None else batches.of_group(read, id_)
    if not found:
        raise unknown_batch(id_)
    return found


def group_progress(read: Read, group_id: str) -> GroupProgress:
    """Return where the batches of a group stand, one by one and together."""
    parts = tuple(progress_of(read, batch) for batch in members(read, group_id))
    total = sum(one.total for one in parts)
    ended = sum(one.completed + one.failed + one.cancelled for one in parts)
    return GroupProgress(
        group_id=group_id,
        status=_status(parts),
        total=total,
        completed=sum(one.completed for one in parts),
        failed=sum(one.failed for one in parts),
        cancelled=sum(one.cancelled for one in parts),
        running=sum(one.running for one in parts),
        pending=sum(one.pending for one in parts),
        percent=100.0 * ended / total if total else 100.0,
        batches=parts,
    )


def _status(parts: Sequence[BatchProgress]) -> BatchStatus:
    """Return the status of the whole: it runs until all have ended, and is as good as its worst part."""
    statuses = {one.status for one in parts}
    if statuses == {BatchStatus.PENDING}:
        return BatchStatus.PENDING
    if statuses & OPEN:
        return BatchStatus.RUNNING
    worst = (BatchStatus.PARTIAL, BatchStatus.CANCELLED)
    return next((status for status in worst if status in statuses), BatchStatus.COMPLETED)
