"""The description of the interface (OpenAPI): what every operation may answer besides what its function says."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from answerwatch.interfaces.api.models import ProblemDocument
from answerwatch.interfaces.api.problems import MEDIA_TYPE

Responses = dict[int | str, dict[str, Any]]

_REF = "#/components/schemas/{model}"
_DOCUMENT = {MEDIA_TYPE: {"schema": {"$ref": _REF.format(model=ProblemDocument.__name__)}}}
_MEANINGS = {
    400: "The request cannot be read.",
    401: "A key is needed, or the one that was shown does not hold.",
    403: "The key may read only.",
    404: "There is no such job, batch or line.",
    409: "What is there does not allow it.",
    413: "The body is too large.",
    422: "A value of the request cannot be used.",
    503: "The database is busy or away, or a scorer cannot be used here; `Retry-After` says when to ask again.",
}
EVERYWHERE = (400, 401, 422, 503)


def problems_of(*statuses: int) -> Responses:
    """Return the description of problem documents by their statuses."""
    return {status: {"description": _MEANINGS[status], "content": _DOCUMENT} for status in sorted(statuses)}


def stream_of(*media_types: str, meaning: str) -> dict[str, Any]:
    """Return the description of an answer that is sent piece by piece."""
    return {"description": meaning, "content": {one: {"schema": {"type": "string"}} for one in media_types}}


def install(app: FastAPI) -> None:
    """Let the app describe itself with the problem documents that its routes name."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
            _, found = models_json_schema([(ProblemDocument, "serialization")], ref_template=_REF)
            made["components"]["schemas"] |= found["$defs"]
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]  # as FastAPI's manual says
