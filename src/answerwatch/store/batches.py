"""Batches and the rows of their sub-tasks: creating, finding, counting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, and_, case, func, or_, select

from answerwatch.domain.batches import COLLECTED, IMPORTED, OPEN, AttemptOutcome, BatchStatus, SubTask, UsageStatus
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.batch import call_attempt, task_batch
from answerwatch.store.schema.batch import question_usage_log as usage
from answerwatch.store.schema.sample import answer_sample
from answerwatch.store.upsert import chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """One batch as stored."""

    batch_id: str
    brand_name: str
    scene_types: tuple[str, ...]
    platforms: tuple[str, ...]
    total_questions: int
    total_sub_tasks: int
    completed_sub_tasks: int = 0
    failed_sub_tasks: int = 0
    batch_status: BatchStatus = BatchStatus.PENDING
    created_at: datetime
    started_at: datetime | None = None
    completed_at: datetime | None = None
    paused_at: datetime | None = None
    stood_s: float | None = None
    """Seconds for which its clock stood; None: not ended."""
    group_id: str
    parent_batch_id: str | None = None
    priority: int = 0
    rounds: int
    timeout_s: float
    starts_at: datetime | None = None
    """When its time window begins."""
    planned: list[dict[str, object]] | None = None
    """Calls, seconds and price by platform, as planned; None: an import, or made before plans were kept."""
    origin: str = COLLECTED
    idempotency_key: str | None = None
    """Held by the first batch of a group."""
    request: dict[str, object] | None = None
    """What was asked for with that key; None: no key was given, or an import."""
    file_sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which batches; what is None does not filter."""

    ids: Sequence[str] | None = None
    status: BatchStatus | None = None
    brand: str | None = None
    group_id: str | None = None
    origin: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    most: int | None = None


def add(tx: Write, batch: Batch) -> None:
    """Store a batch."""
    row = asdict(batch) | {"scene_types": list(batch.scene_types), "platforms": list(batch.platforms)}
    tx.insert(task_batch, [row])


def add_sub_tasks(tx: Write, batch_id: str, sub_tasks: Iterable[SubTask], now: datetime) -> Iterator[SubTask]:
    """Store the rows of sub-tasks while they are passed on: memory stays bounded, and each is read once."""
    for part in chunks(sub_tasks, 1000):
        tx.insert(usage, [_usage_row(batch_id, one, now) for one in part])
        yield from part


def _usage_row(batch_id: str, one: SubTask, now: datetime) -> dict[str, object]:
    return {
        "sub_task_id": one.sub_task_id, "question_id": one.question_id, "question_version": one.question_version,
        "batch_id": batch_id, "platform": one.platform, "scene_type": one.scene_type, "round": one.round,
        "status": UsageStatus.PENDING, "error_type": None, "error": None, "retry_count": 0, "created_at": now,
        "finished_at": None,
    }  # fmt: skip


def taken(read: Read, batch_ids: Sequence[str]) -> set[str]:
    """Return which of these ids batches have already."""
    query = select(task_batch.c.batch_id).where(task_batch.c.batch_id.in_(batch_ids))
    return {row.batch_id for row in read.all(query)}


def taken_groups(read: Read, group_ids: Sequence[str]) -> set[str]:
    """Return which of these ids groups have already."""
    query = select(task_batch.c.group_id).where(task_batch.c.group_id.in_(group_ids)).distinct()
    return {row.group_id for row in read.all(query)}


def of_group(read: Read, group_id: str) -> list[Batch]:
    """Return the batches that were created together, in the order in which they are served."""
    query = select(task_batch).where(task_batch.c.group_id == group_id).order_by(task_batch.c.created_at)
    return [_batch(row) for row in read.all(query)]


def platforms(read: Read) -> set[str]:
    """Return the platforms of all batches."""
    return {name for row in read.all(select(task_batch.c.platforms)) for name in row.platforms}


def scenes(read: Read) -> set[str]:
    """Return the scenes of all batches."""
    return {name for row in read.all(select(task_batch.c.scene_types)) for name in row.scene_types}


def own(read: Read, brand_name: str) -> list[str]:
    """Return the ids of batches whose focal brand it is, and of imports without a focal brand, in order."""
    imported = and_(task_batch.c.origin == IMPORTED, task_batch.c.brand_name == "")
    query = select(task_batch.c.batch_id).where(or_(task_batch.c.brand_name == brand_name, imported))
    return [row.batch_id for row in read.all(query.order_by(task_batch.c.batch_id))]


def every_id(read: Read) -> list[str]:
    """Return the ids of all batches, in order."""
    return [row.batch_id for row in read.all(select(task_batch.c.batch_id).order_by(task_batch.c.batch_id))]


def find(read: Read, wanted: Wanted) -> list[Batch]:
    """Return batches, the newest first."""
    query = select(task_batch).order_by(task_batch.c.created_at.desc(), task_batch.c.batch_id.desc())
    equal = {"batch_status": wanted.status, "brand_name": wanted.brand, "group_id": wanted.group_id}
    for name, value in {**equal, "origin": wanted.origin}.items():
        if value is not None:
            query = query.where(task_batch.c[name] == value)
    if wanted.ids is not None:
        query = query.where(task_batch.c.batch_id.in_(wanted.ids))
    if wanted.since is not None:
        query = query.where(task_batch.c.created_at >= wanted.since)
    if wanted.until is not None:
        query = query.where(task_batch.c.created_at < wanted.until)
    if wanted.most is not None:
        query = query.limit(wanted.most)
    return [_batch(row) for row in read.all(query)]


def get(read: Read, batch_id: str) -> Batch | None:
    """Return one batch, None when it is unknown."""
    row = read.first(select(task_batch).where(task_batch.c.batch_id == batch_id))
    return None if row is None else _batch(row)


def _batch(row: Row[Any]) -> Batch:
    values = row._asdict()
    return Batch(
        **{
            **values,
            "batch_status": BatchStatus(values["batch_status"]),
            "scene_types": tuple(values["scene_types"]),
            "platforms": tuple(values["platforms"]),
        }
    )


def of_key(read: Read, idempotency_key: str) -> list[Batch]:
    """Return the batches that were made with an idempotency key, in the order in which they were made."""
    group = read.scalar(select(task_batch.c.group_id).where(task_batch.c.idempotency_key == idempotency_key))
    return [] if group is None else of_group(read, group)


def ended_next(read: Read, after: datetime, until: datetime) -> tuple[datetime, list[str]] | None:
    """Return the first moment in a time at which collected batches ended, and these; None: none ended in it."""
    ended = task_batch.c.completed_at
    collected = task_batch.c.origin == COLLECTED
    first = read.scalar(select(func.min(ended)).where(collected, ended > after, ended <= until))
    if first is None:
        return None
    query = select(task_batch.c.batch_id).where(collected, ended == first).order_by(task_batch.c.batch_id)
    return first, [row.batch_id for row in read.all(query)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformCount:
    """How many sub-tasks of one platform stand where."""

    platform: str
    status: UsageStatus
    count: int
    lately: int
    """Of them, those that ended since the given moment."""


def count_by_platform(read: Read, batch_id: str, since: datetime) -> list[PlatformCount]:
    """Count a batch's sub-tasks by platform and status in one pass over its rows."""
    lately = case((usage.c.finished_at >= since, usage.c.finished_at), else_=None)
    query = (
        select(
            usage.c.platform,
            usage.c.status,
            func.count().label("rows"),
            func.count(lately).label("lately"),
        )
        .where(usage.c.batch_id == batch_id)
        .group_by(usage.c.platform, usage.c.status)
        .order_by(usage.c.platform)
    )
    return [
        PlatformCount(
            platform=row.platform,
            status=UsageStatus(row.status),
            count=int(row.rows),
            lately=int(row.lately),
        )
        for row in read.all(query)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureCount:
    """How many sub-tasks failed for one reason on one platform."""

    platform: str
    error_type: str
    count: int
    example: str
    """What was said to one of them."""


def count_errors(read: Read, batch_id: str) -> list[FailureCount]:
    """Count the failures of a batch by platform and reason, the most frequent first."""
    query = (
        select(
            usage.c.platform,
            usage.c.error_type,
            func.count().label("rows"),
            func.min(usage.c.error).label("example"),
        )
        .where(usage.c.batch_id == batch_id, usage.c.status == UsageStatus.FAILED)
        .group_by(usage.c.platform, usage.c.error_type)
        .order_by(func.count().desc(), usage.c.platform, usage.c.error_type)
    )
    return _error_counts(read, query)


def count_retried(read: Read, batch_id: str) -> list[FailureCount]:
    """Count the calls of a batch that failed and were tried again, by platform and reason."""
    query = (
        select(
            usage.c.platform,
            call_attempt.c.error_type,
            func.count().label("rows"),
            func.min(call_attempt.c.error).label("example"),
        )
        .join(call_attempt, call_attempt.c.sub_task_id == usage.c.sub_task_id)
        .where(
            usage.c.batch_id == batch_id,
            call_attempt.c.outcome == AttemptOutcome.FAILED,
            call_attempt.c.wait_s.is_not(None),
        )
        .group_by(usage.c.platform, call_attempt.c.error_type)
        .order_by(func.count().desc(), usage.c.platform, call_attempt.c.error_type)
    )
    return _error_counts(read, query)


def _error_counts(read: Read, query: Select[tuple[str, str | None, int, str | None]]) -> list[FailureCount]:
    return [
        FailureCount(
            platform=row.platform, error_type=row.error_type or "", count=int(row.rows), example=row.example or ""
        )
        for row in read.all(query)
    ]


def count_invalid(read: Read, batch_id: str) -> list[tuple[str, int]]:
    """Count the invalid samples of a batch by reason, the most frequent first."""
    query = (
        select(answer_sample.c.invalid_reason, func.count().label("rows"))
        .where(answer_sample.c.batch_id == batch_id, answer_sample.c.is_valid == 0)
        .group_by(answer_sample.c.invalid_reason)
        .order_by(func.count().desc(), answer_sample.c.invalid_reason)
    )
    return [(row.invalid_reason or "", int(row.rows)) for row in read.all(query)]


def count_open(read: Read) -> tuple[int, int]:
    """Return how many batches run (or wait to), and how many are paused."""
    paused = func.count(task_batch.c.paused_at)
    row = read.all(
        select(func.count().label("open"), paused.label("paused")).where(task_batch.c.batch_status.in_(OPEN))
    )[0]
    return int(row.open) - int(row.paused), int(row.paused)
