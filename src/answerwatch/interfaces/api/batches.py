"""Progress of batches over HTTP."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from answerwatch.interfaces.api import events
from answerwatch.interfaces.api.access import MAY_READ, Served
from answerwatch.interfaces.api.described import EVERYWHERE, problems_of, stream_of
from answerwatch.interfaces.api.models import Batches, IdInPath, IdInQuery
from answerwatch.workspace.batches.views import BatchProgress

router = APIRouter(
    prefix="/api/v1/batches", tags=["batches"], dependencies=[MAY_READ], responses=problems_of(*EVERYWHERE, 404)
)


@router.get("")
def batches(workspace: Served, cursor: IdInQuery = None, limit: Annotated[int, Query(ge=1, le=1_000)] = 50) -> Batches:
    """List batches, the newest first."""
    found = workspace.batches.list(limit=limit + 1, after=cursor)
    shown = found[:limit]
    return Batches(batches=list(shown), next=shown[-1].batch_id if len(found) > limit else None)


@router.get("/{batch_id}")
def batch(workspace: Served, batch_id: IdInPath) -> BatchProgress:
    """Tell how far a batch is, as `answerwatch batch status --json` does."""
    return workspace.batches.status(batch_id)


@router.get(
    "/{batch_id}/events",
    response_class=StreamingResponse,
    responses={200: stream_of(events.MEDIA_TYPE, meaning="An event whenever the batch moved on.")},
)
def batch_events(workspace: Served, request: Request, batch_id: IdInPath) -> StreamingResponse:
    """Follow a batch by server-sent events until all is collected and cleaned."""
    return events.followed(partial(workspace.batches.status, batch_id), _is_done, request.app.state.stop)


def _is_done(progress: BatchProgress) -> bool:
    return progress.done and progress.cleaning.outstanding == 0
