"""Similarity jobs over HTTP: by the same verbs and views as the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from answerwatch.domain.similarity import pair_id
from answerwatch.interfaces.api import events
from answerwatch.interfaces.api.access import MAY_READ, MAY_WRITE, Served
from answerwatch.interfaces.api.described import EVERYWHERE, problems_of, stream_of
from answerwatch.interfaces.api.models import (
    Hits,
    IdInPath,
    IdInQuery,
    JobBody,
    JobIds,
    Jobs,
    JobsPage,
    LineProblems,
)
from answerwatch.interfaces.api.problems import Problem
from answerwatch.workspace import Workspace
from answerwatch.workspace.similarity.rows import csv_rows, json_lines
from answerwatch.workspace.similarity.views import Histogram, Hit, JobPlan, JobView, PairView

LARGEST_LINE = 2**31 - 1
PIECE = 64 * 1024
"""Bytes of a stream that are sent together."""

router = APIRouter(prefix="/api/v1/similarity", tags=["similarity"], responses=problems_of(*EVERYWHERE))

TopK = Annotated[int | None, Query(ge=1, le=1_000, description="The best so many of each line of the left list.")]
MinScore = Annotated[float | None, Query(ge=-1, le=1, description="Every pair with at least this score.")]
Line = Annotated[int, Path(ge=1, le=LARGEST_LINE)]
IdempotencyKey = Annotated[
    str | None,
    Header(max_length=255, description="A second request with the same key and content makes no second job."),
]


@router.post(
    "/jobs",
    status_code=202,
    dependencies=[MAY_WRITE],
    responses={
        200: {"model": JobView, "description": "The job that the same idempotency key made before."},
        **problems_of(403, 409, 413),
    },
)
def submit(workspace: Served, body: JobBody, response: Response, idempotency_key: IdempotencyKey = None) -> JobView:
    """Hand in a job; workers take it up, `Location` says where its progress stands."""
    _check_lists(body)
    job = workspace.similarity.submit(body.asked(idempotency_key))
    response.headers["Location"] = f"{router.prefix}/jobs/{job.job_id}"
    if not job.is_new:
        response.status_code = 200
    return job


@router.post("/plan", dependencies=[MAY_READ], responses=problems_of(413))
def plan(workspace: Served, body: JobBody) -> JobPlan:
    """Tell what a job would do; nothing is stored."""
    _check_lists(body)
    return workspace.similarity.plan(body.asked(None))


def _check_lists(body: JobBody) -> None:
    if (body.left is None) == (body.pairs is None) or (body.pairs is not None and body.right is not None):
        raise Problem(422, "lists")


@router.get("/jobs", dependencies=[MAY_READ], responses=problems_of(404))
def jobs(workspace: Served, cursor: IdInQuery = None, limit: Annotated[int, Query(ge=1, le=1_000)] = 50) -> JobsPage:
    """List jobs, the newest first."""
    found = workspace.similarity.list(limit=limit + 1, after=cursor)
    shown = found[:limit]
    return JobsPage(jobs=list(shown), next=shown[-1].job_id if len(found) > limit else None)


@router.post("/jobs/status", dependencies=[MAY_READ], responses=problems_of(404, 413))
def statuses(workspace: Served, body: JobIds) -> Jobs:
    """Tell how far many jobs are, in the order of the ids."""
    return Jobs(jobs=list(workspace.similarity.statuses(body.job_ids)))


@router.get("/jobs/{job_id}", dependencies=[MAY_READ], responses=problems_of(404))
def status(workspace: Served, job_id: IdInPath) -> JobView:
    """Tell how far a job is."""
    return workspace.similarity.status(job_id)


@router.post("/jobs/{job_id}/cancel", dependencies=[MAY_WRITE], responses=problems_of(403, 404, 409))
def cancel(workspace: Served, job_id: IdInPath) -> JobView:
    """Cancel a job; scores that are there stay."""
    return workspace.similarity.cancel(job_id)


@router.get("/jobs/{job_id}/pairs/{left}/{right}", dependencies=[MAY_READ], responses=problems_of(404))
def pair(workspace: Served, job_id: IdInPath, left: Line, right: Line) -> PairView:
    """Return one pair of lines, counted from 1."""
    return workspace.similarity.pair(pair_id(job_id, left, right))


@router.get("/jobs/{job_id}/problems", dependencies=[MAY_READ], responses=problems_of(404))
def problems(
    workspace: Served, job_id: IdInPath, limit: Annotated[int, Query(ge=1, le=10_000)] = 1_000
) -> LineProblems:
    """Return lines without a score, or cut, and why."""
    return LineProblems(problems=list(workspace.similarity.problems(job_id, limit=limit)))


@router.get("/jobs/{job_id}/histogram", dependencies=[MAY_READ], responses=problems_of(404))
def histogram(workspace: Served, job_id: IdInPath) -> Histogram:
    """Tell how scores are distributed so far."""
    return workspace.similarity.histogram(job_id)


@router.get("/jobs/{job_id}/results", dependencies=[MAY_READ], responses=problems_of(404))
def results(
    workspace: Served,
    job_id: IdInPath,
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


@router.get(
    "/jobs/{job_id}/results/download",
    dependencies=[MAY_READ],
    response_class=StreamingResponse,
    responses={200: stream_of("text/csv", "application/x-ndjson", meaning="A row for each pair."), **problems_of(404)},
)
def download(
    workspace: Served,
    job_id: IdInPath,
    top_k: TopK = None,
    min_score: MinScore = None,
    format: Literal["csv", "jsonl"] = "csv",  # noqa: A002 - the name of the parameter
) -> StreamingResponse:
    """Stream all rows of the results as CSV or JSON lines."""
    hits = _begun(_hits(workspace, job_id, top_k, min_score))
    kind = "text/csv; charset=utf-8" if format == "csv" else "application/x-ndjson"
    name = f'attachment; filename="{job_id}.{format}"'
    rows = csv_rows(hits) if format == "csv" else json_lines(hits)
    return StreamingResponse(_in_pieces(rows), media_type=kind, headers={"Content-Disposition": name})


@router.get(
    "/jobs/{job_id}/events",
    dependencies=[MAY_READ],
    response_class=StreamingResponse,
    responses={200: stream_of(events.MEDIA_TYPE, meaning="An event whenever the job moved on."), **problems_of(404)},
)
def job_events(workspace: Served, request: Request, job_id: IdInPath) -> StreamingResponse:
    """Follow a job by server-sent events until it is at its end."""
    look = partial(workspace.similarity.status, job_id)
    return events.followed(look, lambda job: job.status.is_final, request.app.state.stop)


def _hits(workspace: Workspace, job_id: str, top_k: int | None, min_score: float | None) -> Iterator[Hit]:
    if (top_k is None) == (min_score is None):
        raise Problem(422, "one_of")
    if top_k is not None:
        return workspace.similarity.top(job_id, top_k)
    return workspace.similarity.above(job_id, min_score or 0.0)


def _begun(hits: Iterator[Hit]) -> Iterator[Hit]:
    """Return the same hits with the first one found: what is wrong is told before anything is sent."""
    first = list(islice(hits, 1))
    return chain(first, hits)


def _in_pieces(rows: Iterable[bytes]) -> Iterator[bytes]:
    """Yield rows joined to pieces: each one that is sent costs a change of threads."""
    piece = bytearray()
    for row in rows:
        piece += row
        if len(piece) >= PIECE:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)
