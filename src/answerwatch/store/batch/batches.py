"""Batches: creating, finding, counting. What becomes of their sub-tasks is in `usage.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, func, or_, select

from answerwatch.domain.batches import COLLECTED, IMPORTED, OPEN, BatchStatus
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.batch import task_batch


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
    before: Batch | None = None
    """Those that stand behind it in the list."""


def add(tx: Write, batch: Batch) -> None:
    """Store a batch."""
    row = asdict(batch) | {"scene_types": list(batch.scene_types), "platforms": list(batch.platforms)}
    tx.insert(task_batch, [row])


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
    if wanted.before is not None:
        last = wanted.before
        at_once = and_(task_batch.c.created_at == last.created_at, task_batch.c.batch_id < last.batch_id)
        query = query.where(or_(task_batch.c.created_at < last.created_at, at_once))
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


def count_open(read: Read) -> tuple[int, int]:
    """Return how many batches run (or wait to), and how many are paused."""
    paused = func.count(task_batch.c.paused_at)
    row = read.all(
        select(func.count().label("open"), paused.label("paused")).where(task_batch.c.batch_status.in_(OPEN))
    )[0]
    return int(row.open) - int(row.paused), int(row.paused)
