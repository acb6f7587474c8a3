"""Which answers name a tracked brand."""

from __future__ import annotations

from sqlalchemy import select

from answerwatch.store.database import Read
from answerwatch.store.schema.clean import brand_result


def named_in(read: Read, batch_id: str) -> frozenset[str]:
    """Return the samples of a batch whose current reading names a tracked brand."""
    query = select(brand_result.c.source_task_id).where(brand_result.c.batch_id == batch_id).distinct()
    return frozenset(row.source_task_id for row in read.all(query))
