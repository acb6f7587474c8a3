"""Sub-tasks (`question_usage_log`): what each one asks and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, Update, bindparam, case, func, select, update

from answerwatch.domain.batches import AttemptOutcome, BatchStatus, SubTask, UsageStatus
from answerwatch.errors import WorkError
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.again import ASKED_AGAIN
from answerwatch.store.schema.bank import question_version
from answerwatch.store.schema.batch import call_attempt, task_batch
from answerwatch.store.schema.batch import question_usage_log as usage
from answerwatch.store.upsert import chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class SubTaskRow:
    """A sub-task with everything that asking it needs."""

    sub_task_id: str
    batch_id: str
    question_id: str
    question_version: int
    platform: str
    scene_type: str
    round: int
    status: UsageStatus
    brand_name: str
    query_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A sub-task that failed for good, and why."""

    sub_task_id: str
    error_type: str
    error: str
    retry_count: int | None = None
    """None: leave what is stored."""


def load(read: Read, ids: Sequence[str]) -> dict[str, SubTaskRow]:
    """Return the sub-tasks by id, with the question's text in the frozen version; unknown ids are left out."""
    query = (
        select(
            usage.c.sub_task_id, usage.c.batch_id, usage.c.question_id, usage.c.question_version, usage.c.platform,
            usage.c.scene_type, usage.c.round, usage.c.status, task_batch.c.brand_name, question_version.c.query_text,
        )
        .join(task_batch, task_batch.c.batch_id == usage.c.batch_id)
        .join(
            question_version,
            (question_version.c.question_id == usage.c.question_id)
            & (question_version.c.version == usage.c.question_version),
        )
    )  # fmt: skip
    rows: dict[str, SubTaskRow] = {}
    for part in chunks(ids):
        for row in read.all(query.where(usage.c.sub_task_id.in_(part))):
            values = {**row._asdict(), "status": UsageStatus(row.status)}
            rows[row.sub_task_id] = SubTaskRow(**values)
    return rows


def of_batch(read: Read, batch_id: str) -> list[str]:
    """Return the ids of all sub-tasks of a batch."""
    query = select(usage.c.sub_task_id).where(usage.c.batch_id == batch_id)
    return [row.sub_task_id for row in read.all(query)]


def add(tx: Write, batch_id: str, sub_tasks: Iterable[SubTask], now: datetime) -> Iterator[SubTask]:
    """Store the rows of sub-tasks while they are passed on: memory stays bounded, and each is read once."""
    for part in chunks(sub_tasks, 1000):
        tx.insert(usage, [_pending_row(batch_id, one, now) for one in part])
        yield from part


def _pending_row(batch_id: str, one: SubTask, now: datetime) -> dict[str, object]:
    return {
        "sub_task_id": one.sub_task_id, "question_id": one.question_id, "question_version": one.question_version,
        "batch_id": batch_id, "platform": one.platform, "scene_type": one.scene_type, "round": one.round,
        "status": UsageStatus.PENDING, "error_type": None, "error": None, "retry_count": 0, "created_at": now,
        "finished_at": None,
    }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A sub-task that is born with its answer, as in an import."""

    sub_task_id: str
    batch_id: str
    question_id: str
    question_version: int
    platform: str
    scene_type: str
    round: int


def add_answered(tx: Write, rows: Sequence[Answered], now: datetime) -> None:
    """Store sub-tasks that have their answers already."""
    rest: dict[str, object] = {
        "status": UsageStatus.SUCCESS, "error_type": None, "error": None, "retry_count": 0,
        "created_at": now, "finished_at": now,
    }  # fmt: skip
    tx.insert(usage, [{name: getattr(row, name) for name in Answered.__slots__} | rest for row in rows])


def count_questions(read: Read, batch_id: str) -> int:
    """Return how many questions the sub-tasks of a batch ask."""
    query = select(func.count(usage.c.question_id.distinct())).where(usage.c.batch_id == batch_id)
    return int(read.scalar(query))


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


def succeed(tx: Write, ids: Sequence[str], now: datetime) -> None:
    """Mark pending sub-tasks as answered; raises WorkError when one of them is not pending."""
    values = {"status": UsageStatus.SUCCESS, "error_type": None, "error": None, "finished_at": now}
    changed = sum(tx.run(_pending(part).values(values)) for part in chunks(ids))
    if changed != len(ids):
        text = (
            f"{len(ids) - changed} of {len(ids)} sub-tasks had an outcome already (first: {ids[0]}); nothing is stored."
        )
        raise WorkError("sub_task_ended", text, sub_task=ids[0])


def fail(tx: Write, ended: Sequence[Ended], now: datetime) -> dict[str, int]:
    """Mark pending sub-tasks as failed and return how many that were, by batch; others are left alone."""
    batches = pending_batches(tx, [one.sub_task_id for one in ended])
    rows = [one for one in ended if one.sub_task_id in batches]
    statement = update(usage).where(usage.c.sub_task_id == bindparam("id_"))
    values = {
        "status": UsageStatus.FAILED, "error_type": bindparam("type_"), "error": bindparam("error_"),
        "finished_at": now, "retry_count": func.coalesce(bindparam("retries_"), usage.c.retry_count),
    }  # fmt: skip
    parameters = [
        {"id_": one.sub_task_id, "type_": one.error_type, "error_": one.error, "retries_": one.retry_count}
        for one in rows
    ]
    if parameters:
        tx.connection.execute(statement.values(values), parameters)
    return dict(Counter(batches[one.sub_task_id] for one in rows))


def count_retries(tx: Write, retries: Sequence[tuple[str, int]]) -> None:
    """Set how many retries sub-tasks have used; they stay pending."""
    if retries:
        statement = update(usage).where(usage.c.sub_task_id == bindparam("id_")).values(retry_count=bindparam("count_"))
        tx.connection.execute(statement, [{"id_": id_, "count_": count} for id_, count in retries])


def cancel(tx: Write, ids: Sequence[str], now: datetime) -> int:
    """Mark pending sub-tasks as cancelled and return how many that were."""
    values = {"status": UsageStatus.CANCELLED, "finished_at": now}
    return sum(tx.run(_pending(part).values(values)) for part in chunks(ids))


def reopen(tx: Write, ids: Sequence[str]) -> list[SubTaskRow]:
    """Make failed sub-tasks pending again and return them, by id.

    Those of cancelled batches are left out, and those that a child batch asks again: nothing is asked in two places.
    """
    batches = sorted({row.batch_id for row in load(tx, ids).values()})
    given_up = _cancelled(tx, batches)
    rows, again = load(tx, ids), _asked_again(tx, ids)
    failed = sorted(
        id_
        for id_, row in rows.items()
        if row.status is UsageStatus.FAILED and row.batch_id not in given_up and id_ not in again
    )
    values = {"status": UsageStatus.PENDING, "error_type": None, "error": None, "finished_at": None}
    for part in chunks(failed):
        tx.run(update(usage).where(usage.c.sub_task_id.in_(part)).values(values))
    return [rows[id_] for id_ in failed]


def _asked_again(read: Read, ids: Sequence[str]) -> set[str]:
    query = select(usage.c.sub_task_id).where(ASKED_AGAIN)
    parts = (read.all(query.where(usage.c.sub_task_id.in_(part))) for part in chunks(ids))
    return {row.sub_task_id for rows in parts for row in rows}


def _cancelled(tx: Write, batch_ids: Sequence[str]) -> set[str]:
    """Lock batches in id order and return those that were cancelled."""
    found: set[str] = set()
    for part in chunks(batch_ids):
        mine = select(task_batch.c.batch_id, task_batch.c.batch_status).where(task_batch.c.batch_id.in_(part))
        rows = tx.all(mine.order_by(task_batch.c.batch_id).with_for_update())
        found |= {row.batch_id for row in rows if row.batch_status == BatchStatus.CANCELLED}
    return found


def pending_batches(read: Read, ids: Sequence[str]) -> dict[str, str]:
    """Return the batch of every sub-task among `ids` that is pending."""
    found: dict[str, str] = {}
    for part in chunks(ids):
        query = select(usage.c.sub_task_id, usage.c.batch_id).where(
            usage.c.sub_task_id.in_(part), usage.c.status == UsageStatus.PENDING
        )
        found |= {row.sub_task_id: row.batch_id for row in read.all(query)}
    return found


def _pending(ids: Iterable[str]) -> Update:
    return update(usage).where(usage.c.sub_task_id.in_(ids), usage.c.status == UsageStatus.PENDING)
