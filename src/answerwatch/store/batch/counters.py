"""The counters of batches, which move with the outcomes, beside a recount of the rows: always equal."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from answerwatch.domain.batches import Outcomes, UsageStatus
from answerwatch.store.database import Read
from answerwatch.store.schema.batch import question_usage_log, task_batch


@dataclass(frozen=True, slots=True, kw_only=True)
class Recount:
    """The stored counters of a batch beside those counted from its rows."""

    batch_id: str
    stored: Outcomes
    counted: Outcomes

    @property
    def exact(self) -> bool:
        """Tell whether the counters are right."""
        return self.stored == self.counted


def recount(read: Read, batch_id: str) -> Recount | None:
    """Return the counters of a batch as stored and as counted from its rows; None for an unknown batch."""
    row = read.first(select(task_batch).where(task_batch.c.batch_id == batch_id))
    if row is None:
        return None
    usage = question_usage_log.c
    query = select(usage.status, func.count().label("rows")).where(usage.batch_id == batch_id).group_by(usage.status)
    counts = {str(row.status): int(row.rows) for row in read.all(query)}
    return Recount(
        batch_id=batch_id,
        stored=Outcomes(row.completed_sub_tasks, row.failed_sub_tasks),
        counted=Outcomes(counts.get(UsageStatus.SUCCESS, 0), counts.get(UsageStatus.FAILED, 0)),
    )
