"""Progress of batches over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from answerwatch.domain.plain import to_plain
from answerwatch.interfaces.api.access import MAY_READ, Served

router = APIRouter(prefix="/api/v1/batches", tags=["batches"], dependencies=[MAY_READ])


@router.get("")
def batches(workspace: Served, limit: Annotated[int, Query(ge=1, le=1_000)] = 50) -> dict[str, Any]:
    """List batches, the newest first, as `answerwatch batch list --json` does."""
    return {"batches": to_plain(workspace.batches.list(limit=limit))}


@router.get("/{batch_id}")
def batch(workspace: Served, batch_id: Annotated[str, Path(max_length=255)]) -> dict[str, Any]:
    """Tell how far a batch is, as `answerwatch batch status --json` does."""
    return {"batch": to_plain(workspace.batches.status(batch_id))}
