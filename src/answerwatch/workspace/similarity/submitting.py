"""Handing in a job: its plan, and all its rows or none, once for one idempotency key."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b

from answerwatch.domain.ids import check_key
from answerwatch.domain.similarity import (
    BlockStatus,
    JobStatus,
    Shape,
    Side,
    TaskKind,
    TaskName,
    Warned,
    Way,
    changed_silently,
    standing_warning,
)
from answerwatch.errors import UsageError
from answerwatch.similarity.planning import Plan, blocks_of, plan_of, units_of
from answerwatch.similarity.scorer import ScorerKind
from answerwatch.similarity.texts import Numbers, text_hash
from answerwatch.stages.score.storing import lane_of, put
from answerwatch.store.database import Write
from answerwatch.store.similarity import blocks, jobs, texts, units
from answerwatch.store.similarity.jobs import Job
from answerwatch.store.similarity.texts import LineError, Text
from answerwatch.store.work import lanes
from answerwatch.workspace.similarity.lists import Gathered, gather
from answerwatch.workspace.similarity.scorers import ScorerDesk
from answerwatch.workspace.similarity.views import JobRequest

LINES_AT_ONCE = 100_000
"""Numbers of lines in one row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A job that is ready to be stored."""

    request: JobRequest
    gathered: Gathered
    plan: Plan
    scorer: str
    finder: str | None


def prepare(request: JobRequest, desk: ScorerDesk) -> Prepared:
    """Read the lists and plan the job; raises UsageError for lists, scorers and wishes that cannot be."""
    scorer = request.scorer or desk.default()
    facts = desk.facts(scorer)
    finder = None if facts.kind is ScorerKind.VECTOR else request.finder or desk.default()
    gathered = gather(request, facts.longest)
    plan = plan_of(
        gathered.given,
        facts,
        None if finder is None else desk.facts(finder),
        every_pair=request.every_pair,
        top_k=request.top_k,
    )
    kept = finder if plan.way is Way.RERANK else None
    return Prepared(request=request, gathered=gathered, plan=plan, scorer=scorer, finder=kept)


def submit(tx: Write, prepared: Prepared, actor: str, now: datetime) -> tuple[Job, bool]:
    """Store a job and put its first work on the ledger; return it, and whether it is new.

    Raises UsageError when its idempotency key made another job.
    """
    request_hash = _hash(prepared)
    key = prepared.request.idempotency_key
    known = None if key is None else jobs.by_key(tx, check_key("idempotency_key", key))
    if known is not None:
        if known.request_hash != request_hash:
            text = f"The key {key} made {known.job_id} already, with other content; use another key."
            raise UsageError("similarity_key_used", text, key=key, job=known.job_id)
        return known, False
    job = replace(_job(prepared, request_hash, actor, now), warning=_warning(tx, prepared))
    _store(tx, job, prepared)
    return jobs.get(tx, job.job_id) or job, True


def _warning(tx: Write, prepared: Prepared) -> Warned | None:
    """Return what a reader of the results must know from the start."""
    now, before = prepared.plan.scorer_id, jobs.last_scorer_id(tx, prepared.scorer)
    if before is not None and changed_silently(before, now):
        return Warned.SILENT_CHANGE
    return standing_warning(now, prepared.plan.finder_id)


def _job(prepared: Prepared, request_hash: str, actor: str, now: datetime) -> Job:
    plan, request = prepared.plan, prepared.request
    return Job(
        job_id=f"SIM_{now:%Y%m%d%H%M%S}_{secrets.token_hex(2).upper()}",
        idempotency_key=request.idempotency_key,
        request_hash=request_hash,
        scorer_name=prepared.scorer,
        scorer_id=plan.scorer_id,
        finder_name=prepared.finder,
        finder_id=plan.finder_id,
        shape=plan.shape,
        way=plan.way,
        roles=request.roles,
        top_k=plan.top_k,
        priority=request.priority,
        left_lines=plan.left_lines,
        right_lines=plan.right_lines,
        left_texts=plan.left_texts,
        right_texts=plan.right_texts,
        total=plan.pairs,
        encode_total=plan.encode_chars,
        status=JobStatus.PENDING,
        created_at=now,
        created_by=actor,
        note=request.note,
    )


def _store(tx: Write, job: Job, prepared: Prepared) -> None:
    given = prepared.gathered.given
    jobs.add(tx, job)
    texts.add(tx, job.job_id, _texts(prepared))
    for side, numbers in _sides(prepared):
        texts.add_lines(tx, job.job_id, side, _parts(numbers))
    problems = prepared.gathered.problems
    texts.add_errors(
        tx,
        job.job_id,
        (LineError(side=one.side, line=one.line, reason=one.reason, message=one.message) for one in problems),
    )
    for name in {job.scorer_name, job.encoder_name}:
        lanes.ensure(tx, lane_of(name), rate=None, capacity=None, in_flight=None)
    if job.way is Way.EACH_PAIR:
        places = list(blocks_of(given.axes(), job.way))
        blocks.add(tx, job.job_id, places)
        jobs.change(tx, job.job_id, blocks_left=len(places))
        put(tx, job, (TaskName(job.job_id, TaskKind.BLOCK, (one.row_start, one.col_start)) for one in places))
        return
    made = [
        units.Unit(first=one.first, texts=one.texts, chars=one.chars, role=one.role, status=BlockStatus.PENDING)
        for one in units_of(given)
    ]
    units.add(tx, job.job_id, made)
    jobs.change(tx, job.job_id, units_left=len(made))
    put(tx, job, (TaskName(job.job_id, TaskKind.UNIT, (one.first,)) for one in made))


def _texts(prepared: Prepared) -> Iterator[Text]:
    given = prepared.gathered.given
    left = set(given.left.tolist())
    for number, (text, line) in enumerate(zip(given.distinct.texts, given.distinct.first_lines, strict=True)):
        side = Side.LEFT if number in left else Side.RIGHT
        yield Text(text_no=number, side=side, line=line, text_hash=text_hash(text).hex(), text=text)


def _sides(prepared: Prepared) -> Iterator[tuple[str, Numbers]]:
    given = prepared.gathered.given
    if given.shape is Shape.PAIRS:
        both = [number for pair in zip(given.left.tolist(), given.right.tolist(), strict=True) for number in pair]
        yield "pairs", _array(both)
        return
    yield Side.LEFT, given.left
    if given.shape is Shape.MATRIX:
        yield Side.RIGHT, given.right


def _array(numbers: list[int]) -> Numbers:
    import numpy as np  # noqa: PLC0415 - a job of pairs alone needs it here

    return np.array(numbers, dtype=np.int32)


def _parts(numbers: Numbers) -> Iterator[tuple[int, bytes]]:
    for first in range(0, len(numbers), LINES_AT_ONCE):
        yield first, numbers[first : first + LINES_AT_ONCE].astype("<i4").tobytes()


def _hash(prepared: Prepared) -> str:
    """Return the hash of everything that makes the job what it is."""
    given, request = prepared.gathered.given, prepared.request
    seen = blake2b(digest_size=16)
    seen.update(json.dumps([prepared.plan.scorer_id, prepared.plan.finder_id, given.shape, request.roles]).encode())
    seen.update(json.dumps([prepared.plan.way, request.top_k, request.too_long]).encode())
    for text in given.distinct.texts:
        seen.update(text_hash(text))
    for numbers in (given.left, given.right):
        seen.update(numbers.astype("<i4").tobytes() + b"|")
    return seen.hexdigest()
