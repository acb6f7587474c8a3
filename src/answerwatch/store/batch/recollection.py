"""Sub-tasks that failed and are asked again by a child batch, and those that nobody asks again yet.

A child asks for the same question, platform and round: a failed sub-task whose cell a child holds is the child's now,
unless the child's was cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select, tuple_

from answerwatch.domain.batches import Cell, UsageStatus
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.again import ASKED_AGAIN
from answerwatch.store.schema.batch import question_usage_log as usage
from answerwatch.store.schema.batch import task_batch
from answerwatch.store.upsert import chunks

PAGE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """What of a batch failed and nobody asks again yet."""

    by_platform: dict[str, int]
    questions: int

    @property
    def count(self) -> int:
        """Return how many sub-tasks they are."""
        return sum(self.by_platform.values())


def lock(tx: Write, batch_id: str) -> None:
    """Keep others from asking again, or replaying, what failed in a batch until this transaction ends."""
    tx.first(select(task_batch.c.batch_id).where(task_batch.c.batch_id == batch_id).with_for_update())


def _open(batch_id: str) -> ColumnElement[bool]:
    return (usage.c.batch_id == batch_id) & (usage.c.status == UsageStatus.FAILED) & ~ASKED_AGAIN


def failed(read: Read, batch_id: str) -> Failed:
    """Count the failed sub-tasks of a batch that nobody asks again yet."""
    by_platform = (
        select(usage.c.platform, func.count().label("rows"))
        .where(_open(batch_id))
        .group_by(usage.c.platform)
        .order_by(usage.c.platform)
    )
    questions = select(func.count(usage.c.question_id.distinct())).where(_open(batch_id))
    return Failed(
        by_platform={row.platform: int(row.rows) for row in read.all(by_platform)},
        questions=int(read.scalar(questions)),
    )


def cells(read: Read, batch_id: str) -> Iterator[Cell]:
    """Yield what failed in a batch, round by round, a page at a time; the caller may store the child meanwhile.

    The batch has no child that holds these, and the one in the making must not be stored before the last page is read.
    """
    columns = (usage.c.question_id, usage.c.question_version, usage.c.scene_type, usage.c.platform, usage.c.round)
    key = tuple_(usage.c.round, usage.c.question_id, usage.c.platform)
    query = select(*columns).where(_open(batch_id)).order_by(usage.c.round, usage.c.question_id, usage.c.platform)
    page = read.all(query.limit(PAGE))
    while page:
        yield from (Cell(**row._asdict()) for row in page)
        last = page[-1]
        page = read.all(query.where(key > (last.round, last.question_id, last.platform)).limit(PAGE))


def children(read: Read, batch_ids: Sequence[str]) -> list[str]:
    """Return the ids of the child batches of these, in order of creation."""
    query = select(task_batch.c.batch_id).where(task_batch.c.parent_batch_id.in_(batch_ids))
    return [row.batch_id for row in read.all(query.order_by(task_batch.c.created_at, task_batch.c.batch_id))]


def family(read: Read, batch_ids: Sequence[str]) -> list[str]:
    """Return these batches and everything that asks their failures again, over all generations."""
    found = list(batch_ids)
    level = list(batch_ids)
    while level := [id_ for part in chunks(level) for id_ in children(read, part) if id_ not in found]:
        found += level
    return found
