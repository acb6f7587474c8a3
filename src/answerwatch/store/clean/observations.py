"""Planned samples with what became of them, as one brand sees them: the rows that figures are computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, func, select

from answerwatch.domain.answers import Figures
from answerwatch.store.database import Read
from answerwatch.store.schema.again import PLANNED_ELSEWHERE
from answerwatch.store.schema.batch import question_usage_log as usage
from answerwatch.store.schema.clean import brand_result, clean_result
from answerwatch.store.schema.sample import OF_SAMPLE, answer_sample
from answerwatch.store.upsert import chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which planned samples; what is None does not filter."""

    batch_ids: Sequence[str]
    platforms: Sequence[str] | None = None
    scenes: Sequence[str] | None = None
    since: datetime | None = None
    """Collected at or after (where nothing was collected: planned)."""
    until: datetime | None = None
    """Collected before."""


class Row(NamedTuple):
    """One planned sample with its answer and what the brand is in it."""

    sub_task_id: str
    question_id: str
    question_version: int
    platform: str
    scene_type: str
    round: int
    status: str
    error_type: str | None
    collected_at: datetime | None
    """None where there is no sample."""
    is_valid: int | None
    invalid_reason: str | None
    truncated: int | None
    has_citation: int | None
    lexicon_version: int | None
    cleaner_version: str | None
    tracked_mentions: int
    """Tracked brands that the answer mentions."""
    sample: Mapping[str, Any]
    """`OF_SAMPLE` by name; None where there is no sample."""
    figures: Figures | None
    """None where the answer does not name the brand."""


_OWN = len(Row._fields) - 2
"""Columns of the query that are the row's own; those of the sample and of the figures follow."""


def rows(read: Read, brand_name: str, scope: Scope) -> Iterator[Row]:
    """Yield every planned sample of the scope, a batch after another.

    One that failed and is asked again by a child batch is the child's: it was planned once.
    """
    for part in chunks(sorted(set(scope.batch_ids))):
        query = _filtered(_query(brand_name), scope).where(usage.c.batch_id.in_(part))
        query = query.where(~PLANNED_ELSEWHERE)
        for row in read.stream(query):
            *planned, tracked = row[:_OWN]
            sample = dict(zip(OF_SAMPLE, row[_OWN:], strict=False))
            figures = None if row.is_mentioned is None else Figures(*row[_OWN + len(OF_SAMPLE) :])
            yield Row._make((*planned, int(tracked), sample, figures))


def _query(brand_name: str) -> Select[tuple[object, ...]]:
    mine = (brand_result.c.source_task_id == usage.c.sub_task_id) & (brand_result.c.brand_name == brand_name)
    others = brand_result.alias("others")
    tracked = (
        select(func.coalesce(func.sum(others.c.is_mentioned), 0))
        .where(others.c.source_task_id == usage.c.sub_task_id)
        .scalar_subquery()
    )
    return (
        select(
            usage.c.sub_task_id, usage.c.question_id, usage.c.question_version, usage.c.platform, usage.c.scene_type,
            usage.c.round, usage.c.status, usage.c.error_type, answer_sample.c.collected_at, clean_result.c.is_valid,
            clean_result.c.invalid_reason, clean_result.c.truncated, clean_result.c.has_citation,
            clean_result.c.lexicon_version, clean_result.c.cleaner_version, tracked.label("tracked_mentions"),
            *(answer_sample.c[name] for name in OF_SAMPLE),
            *(brand_result.c[name] for name in Figures._fields),
        )
        .outerjoin(answer_sample, answer_sample.c.sub_task_id == usage.c.sub_task_id)
        .outerjoin(clean_result, clean_result.c.source_task_id == usage.c.sub_task_id)
        .outerjoin(brand_result, mine)
    )  # fmt: skip


def _filtered(query: Select[tuple[object, ...]], scope: Scope) -> Select[tuple[object, ...]]:
    moment: ColumnElement[datetime] = func.coalesce(
        answer_sample.c.collected_at, usage.c.created_at, type_=usage.c.created_at.type
    )
    if scope.platforms is not None:
        query = query.where(usage.c.platform.in_(scope.platforms))
    if scope.scenes is not None:
        query = query.where(usage.c.scene_type.in_(scope.scenes))
    if scope.since is not None:
        query = query.where(moment >= scope.since)
    if scope.until is not None:
        query = query.where(moment < scope.until)
    return query
