"""Questions about outstanding work that progress displays ask: is there any, and of what kind."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Select, exists, func, select

from answerwatch.store.database import Read
from answerwatch.store.schema.clean import clean_state
from answerwatch.store.schema.work import LEASED, work_group, work_pile, work_task


def has_work(read: Read, queue: str, group_ids: Sequence[str] | None = None) -> bool:
    """Tell whether a queue, or some of its groups, has any outstanding task that is not held."""
    query = (
        select(work_pile.c.pile_id)
        .join(work_group, (work_group.c.queue == work_pile.c.queue) & (work_group.c.group_id == work_pile.c.group_id))
        .where(work_pile.c.queue == queue, work_group.c.held == 0)
        .where(exists().where(work_task.c.pile_id == work_pile.c.pile_id))
        .limit(1)
    )
    if group_ids is not None:
        query = query.where(work_pile.c.group_id.in_(group_ids))
    return read.first(query) is not None


def leased(read: Read, queue: str, group_ids: Sequence[str] | None = None) -> int:
    """Return how many tasks of a queue, or of some of its groups, are in hand."""
    return int(read.scalar(_count(queue, group_ids).where(work_task.c.state == LEASED)))


def outstanding(read: Read, queue: str, group_ids: Sequence[str] | None = None) -> int:
    """Return how many tasks of a queue, or of some of its groups, have no outcome yet."""
    return int(read.scalar(_count(queue, group_ids)))


def _count(queue: str, group_ids: Sequence[str] | None) -> Select[int]:
    piles = select(work_pile.c.pile_id).where(work_pile.c.queue == queue)
    if group_ids is not None:
        piles = piles.where(work_pile.c.group_id.in_(group_ids))
    return select(func.count()).select_from(work_task).where(work_task.c.pile_id.in_(piles))


def cleaning_of(read: Read, batch_id: str) -> dict[str, int]:
    """Return how many clean tasks of a batch stand in which state, over all generations."""
    query = (
        select(clean_state.c.current_state, func.count().label("rows"))
        .where(clean_state.c.batch_id == batch_id)
        .group_by(clean_state.c.current_state)
    )
    return {row.current_state: int(row.rows) for row in read.all(query)}
