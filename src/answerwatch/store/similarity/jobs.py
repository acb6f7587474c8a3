"""Similarity jobs and how far they are; counters move in the transaction that stores what they count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, or_, select, update

from answerwatch.domain.similarity import JobStatus, Roles, Shape, Way
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.similarity import similarity_job as job
from answerwatch.store.upsert import chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job; fields are the columns of `similarity_job`."""

    job_id: str
    idempotency_key: str | None = None
    request_hash: str
    scorer_name: str
    scorer_id: str
    finder_name: str | None = None
    finder_id: str | None = None
    shape: Shape
    way: Way
    roles: Roles = Roles.SAME
    top_k: int | None = None
    status: JobStatus = JobStatus.PENDING
    priority: int = 0
    left_lines: int
    right_lines: int
    left_texts: int
    right_texts: int
    total: int
    processed: int = 0
    failed: int = 0
    encode_total: int = 0
    encode_done: int = 0
    encode_cached: int = 0
    asked_pairs: int = 0
    cached_pairs: int = 0
    units_left: int = 0
    blocks_left: int = 0
    reranks_left: int = 0
    work_s: float = 0.0
    encode_s: float = 0.0
    judge_s: float = 0.0
    warning: str | None = None
    created_at: datetime
    created_by: str
    started_at: datetime | None = None
    finished_at: datetime | None = None
    note: str = ""

    @property
    def encoder_id(self) -> str:
        """Return the id of the scorer that makes its vectors."""
        return self.finder_id or self.scorer_id

    @property
    def encoder_name(self) -> str:
        """Return the name of the scorer that makes its vectors."""
        return self.finder_name or self.scorer_name


@dataclass(slots=True, kw_only=True)
class Progress:
    """What some finished work adds to a job."""

    processed: int = 0
    failed: int = 0
    encode_done: int = 0
    encode_cached: int = 0
    asked_pairs: int = 0
    cached_pairs: int = 0
    units: int = 0
    """Units that came to their end."""
    blocks: int = 0
    reranks: int = 0
    work_s: float = 0.0
    encode_s: float = 0.0
    judge_s: float = 0.0


def add(tx: Write, new: Job) -> None:
    """Write a job."""
    tx.insert(job, [asdict(new)])


def get(read: Read, job_id: str) -> Job | None:
    """Return a job, None where there is none."""
    row = read.first(select(job).where(job.c.job_id == job_id))
    return None if row is None else _job(row)


def by_key(read: Read, key: str) -> Job | None:
    """Return the job that was handed in with an idempotency key, None where there is none."""
    row = read.first(select(job).where(job.c.idempotency_key == key))
    return None if row is None else _job(row)


def several(read: Read, job_ids: Sequence[str]) -> dict[str, Job]:
    """Return jobs by their ids; those that are not there are left out."""
    found = {}
    for part in chunks(job_ids):
        for row in read.all(select(job).where(job.c.job_id.in_(part))):
            found[row.job_id] = _job(row)
    return found


def last_scorer_id(read: Read, scorer_name: str) -> str | None:
    """Return the id that a scorer had in the newest job of its name; None where there is none."""
    query = select(job.c.scorer_id).where(job.c.scorer_name == scorer_name)
    found: str | None = read.scalar(query.order_by(job.c.created_at.desc(), job.c.job_id.desc()).limit(1))
    return found


def newest(
    read: Read, *, limit: int, statuses: Sequence[JobStatus] | None = None, before: Job | None = None
) -> list[Job]:
    """Return jobs, the newest first; `before`: those that stand behind it."""
    query = select(job).order_by(job.c.created_at.desc(), job.c.job_id.desc()).limit(limit)
    if statuses is not None:
        query = query.where(job.c.status.in_(statuses))
    if before is not None:
        at_once = and_(job.c.created_at == before.created_at, job.c.job_id < before.job_id)
        query = query.where(or_(job.c.created_at < before.created_at, at_once))
    return [_job(row) for row in read.all(query)]


def _job(row: Row[Any]) -> Job:
    values = row._asdict()
    kinds: dict[str, Any] = {"shape": Shape, "way": Way, "roles": Roles, "status": JobStatus}
    return Job(**{name: kinds[name](value) if name in kinds else value for name, value in values.items()})


def begin(tx: Write, job_ids: Sequence[str], now: datetime) -> None:
    """Set pending jobs running."""
    for job_id in sorted(job_ids):
        query = update(job).where(job.c.job_id == job_id, job.c.status == JobStatus.PENDING)
        tx.run(query.values(status=JobStatus.RUNNING, started_at=now))


def advance(tx: Write, job_id: str, by: Progress) -> Job:
    """Count what came to its end and return the job as it is then; it is locked until the transaction ends."""
    added = {
        "processed": by.processed, "failed": by.failed, "encode_done": by.encode_done,
        "encode_cached": by.encode_cached, "asked_pairs": by.asked_pairs, "cached_pairs": by.cached_pairs,
        "work_s": by.work_s, "encode_s": by.encode_s, "judge_s": by.judge_s,
        "units_left": -by.units, "blocks_left": -by.blocks, "reranks_left": -by.reranks,
    }  # fmt: skip
    changed = {name: job.c[name] + amount for name, amount in added.items() if amount}
    if changed:
        tx.run(update(job).where(job.c.job_id == job_id).values(changed))
    return _there(tx, job_id)


def _there(read: Read, job_id: str) -> Job:
    found = get(read, job_id)
    if found is None:
        raise LookupError(f"similarity job {job_id} is gone")
    return found


def change(tx: Write, job_id: str, **values: object) -> None:
    """Write some columns of a job."""
    tx.run(update(job).where(job.c.job_id == job_id).values(values))


def finish(tx: Write, job_id: str, status: JobStatus, now: datetime) -> None:
    """End a job that is not at its end."""
    final = [one for one in JobStatus if one.is_final]
    query = update(job).where(job.c.job_id == job_id, job.c.status.not_in(final))
    tx.run(query.values(status=status, finished_at=now))
