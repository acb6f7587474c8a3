"""Similarity jobs over HTTP: by the same verbs and views as the command line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Path, Query, Response
from fastapi.responses import StreamingResponse

from answerwatch.domain.plain import to_plain
from answerwatch.domain.similarity import pair_id
from answerwatch.interfaces.api.access import MAY_READ, MAY_WRITE, Served
from answerwatch.interfaces.api.models import Hits, JobBody, JobIds, Jobs
from answerwatch.interfaces.api.problems import Problem
from answerwatch.workspace import Workspace
from answerwatch.workspace.files.as_json import json_bytes
from answerwatch.workspace.similarity.rows import csv_rows, json_lines
from answerwatch.workspace.similarity.views import Histogram, Hit, JobPlan, JobView, LineProblem, PairView

LARGEST_LINE = 2**31 - 1
EVENT_EVERY_S = 1.0

router = APIRouter(prefix="/api/v1/similarity", tags=["similarity"])

JobId = Annotated[str, Path(max_length=64)]
TopK = Annotated[int | None, Query(ge=1, le=1_000, description="The best so many of each line of the left list.")]
MinScore = Annotated[float | None, Query(ge=-1, le=1, description="Every pair with at least this score.")]
Line = Annotated[int, Path(ge=1, le=LARGEST_LINE)]
IdempotencyKey = Annotated[
    str | None,
    Header(max_length=255, description="A second request with the same key and content makes no second job."),
]


@router.post("/jobs", status_code=202, dependencies=[MAY_WRITE])
def submit(workspace: Served, body: JobBody, response: Response, idempotency_key: IdempotencyKey = None) -> JobView:
    """Hand in a job; workers take it up, `Location` says where its progress stands."""
    _check_lists(body)
    job = workspace.similarity.submit(body.asked(idempotency_key))
    response.headers["Location"] = f"{router.prefix}/jobs/{job.job_id}"
    if not job.is_new:
        response.status_code = 200
    return job


@router.post("/plan", dependencies=[MAY_READ])
def plan(workspace: Served, body: JobBody) -> JobPlan:
    """Tell what a job would do; nothing is stored."""
    _check_lists(body)
    return workspace.similarity.plan(body.asked(None))


def _check_lists(body: JobBody) -> None:
    if (body.left is None) == (body.pairs is None) or (body.pairs is not None and body.right is not None):
        raise Problem(422, "lists", "one of left and pairs")


@router.get("/jobs", dependencies=[MAY_READ])
def jobs(workspace: Served, limit: Annotated[int, Query(ge=1, le=1_000)] = 50) -> Jobs:
    """List jobs, the newest first."""
    return Jobs(jobs=list(workspace.similarity.list(limit=limit)))


@router.post("/jobs/status", dependencies=[MAY_READ])
def statuses(workspace: Served, body: JobIds) -> Jobs:
    """Tell how far many jobs are, in the order of the ids."""
    return Jobs(jobs=list(workspace.similarity.statuses(body.job_ids)))


@router.get("/jobs/{job_id}", dependencies=[MAY_READ])
def status(workspace: Served, job_id: JobId) -> JobView:
    """Tell how far a job is."""
    return workspace.similarity.status(job_id)


@router.post("/jobs/{job_id}/cancel", dependencies=[MAY_WRITE])
def cancel(workspace: Served, job_id: JobId) -> JobView:
    """Cancel a job; scores that are there stay."""
    return workspace.similarity.cancel(job_id)


@router.get("/jobs/{job_id}/pairs/{left}/{right}", dependencies=[MAY_READ])
def pair(workspace: Served, job_id: JobId, left: Line, right: Line) -> PairView:
    """Return one pair of lines, counted from 1."""
    return workspace.similarity.pair(pair_id(job_id, left, right))


@router.get("/jobs/{job_id}/problems", dependencies=[MAY_READ])
def problems(
    workspace: Served, job_id: JobId, limit: Annotated[int, Query(ge=1, le=10_000)] = 1_000
) -> list[LineProblem]:
    """Return lines without a score, or cut, and why."""
    return list(workspace.similarity.problems(job_id, limit=limit))


@router.get("/jobs/{job_id}/histogram", dependencies=[MAY_READ])
def histogram(workspace: Served, job_id: JobId) -> Histogram:
    """Tell how scores are distributed so far."""
    return workspace.similarity.histogram(job_id)


@router.get("/jobs/{job_id}/results", dependencies=[MAY_READ])
def results(
    workspace: Served,
    job_id: JobId,
    *,
    top_k: TopK = None,
    min_score: MinScore = None,
    cursor: Annotated[str | None, Query(pattern=r"^\d{1,12}$")] = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1_000,
) -> Hits:
    """Return a page of the best of each line, or of every pair above a threshold."""
    first = int(cursor or 0)
    found = list(islice(_hits(workspace, job_id, top_k, min_score), first, first + limit + 1))
    more = len(found) > limit
    return Hits(hits=found[:limit], next=str(first + limit) if more else None)


@router.get("/jobs/{job_id}/results/download", dependencies=[MAY_READ], response_class=StreamingResponse)
def download(
    workspace: Served,
    job_id: JobId,
    top_k: TopK = None,
    min_score: MinScore = None,
    format: Literal["csv", "jsonl"] = "csv",  # noqa: A002 - the name of the parameter
) -> StreamingResponse:
    """Stream all rows of the results as CSV or JSON lines."""
    workspace.similarity.status(job_id)  # an unknown job is told before anything is sent
    hits = _hits(workspace, job_id, top_k, min_score)
    kind = "text/csv; charset=utf-8" if format == "csv" else "application/x-ndjson"
    name = f'attachment; filename="{job_id}.{format}"'
    rows = csv_rows(hits) if format == "csv" else json_lines(hits)
    return StreamingResponse(rows, media_type=kind, headers={"Content-Disposition": name})


@router.get("/jobs/{job_id}/events", dependencies=[MAY_READ], response_class=StreamingResponse)
def events(workspace: Served, job_id: JobId) -> StreamingResponse:
    """Follow a job by server-sent events, one whenever it moved on, until it is at its end."""
    workspace.similarity.status(job_id)
    headers = {"Cache-Control": "no-store"}
    return StreamingResponse(_events(workspace, job_id), media_type="text/event-stream", headers=headers)


def _events(workspace: Workspace, job_id: str) -> Iterator[bytes]:
    before: JobView | None = None
    while before is None or not before.status.is_final:
        if before is not None:
            time.sleep(EVENT_EVERY_S)
        job = workspace.similarity.status(job_id)
        if job != before:
            yield b"event: progress\ndata: " + json_bytes(to_plain(job)) + b"\n\n"
        else:
            yield b": still here\n\n"
        before = job


def _hits(workspace: Workspace, job_id: str, top_k: int | None, min_score: float | None) -> Iterator[Hit]:
    if (top_k is None) == (min_score is None):
        raise Problem(422, "one_of", "top_k or min_score")
    if top_k is not None:
        return workspace.similarity.top(job_id, top_k)
    return workspace.similarity.above(job_id, min_score or 0.0)
