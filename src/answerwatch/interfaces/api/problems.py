"""Errors as problem documents (RFC 9457), in the language that the client reads."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from answerwatch.domain.texts import in_short
from answerwatch.errors import AnswerwatchError, ConfigurationError, ServiceError, StoreBusy, UsageError
from answerwatch.messages import FALLBACK, LANGUAGES, Messages

log = structlog.get_logger(__name__)

MEDIA_TYPE = "application/problem+json"
BUSY_S, AWAY_S = 1, 10
"""Seconds after which it is worth asking again: of a busy database, of a service that is away."""
SHOWN_ERRORS = 20
"""Values of a request that are named; the count is of all."""

_NOT_FOUND = frozenset({"similarity_unknown", "similarity_line", "pair_id", "batch_unknown", "key_unknown"})
"""Codes of errors about something that is not there."""
_CONFLICT = frozenset({"similarity_key_used", "similarity_ended", "key_taken"})
"""Codes of errors about something that is in another state."""
_OF_LIBRARIES = {400: "unreadable", 404: "no_page", 405: "no_method"}
"""Codes of what the libraries refuse, by status."""
_TITLES = {
    400: "title_unreadable",
    401: "title_no_key",
    403: "title_forbidden",
    404: "title_not_found",
    405: "title_no_method",
    409: "title_conflict",
    413: "title_too_large",
    422: "title_invalid",
    500: "title_unexpected",
    503: "title_away",
}
"""Messages of what sort of problem it is, by status."""
_QUALITY = re.compile(r"\bq=([0-9.]+)")


class Problem(HTTPException):
    """Ends a request with a problem document."""

    def __init__(self, status: int, code: str, *, headers: Mapping[str, str] | None = None, **facts: int | str) -> None:
        """Keep what is said; `code` is a message in section `api` of the catalogues."""
        super().__init__(status, code, headers)
        self.code = code
        self.facts = facts


def install(app: FastAPI) -> None:
    """Let errors that an app expects be answered by a problem document; the door answers all others."""
    for kind in (AnswerwatchError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, reply)


def language_of(request: Request) -> str:
    """Return the language that Accept-Language likes best of those that we speak."""
    best, liked = FALLBACK, 0.0
    for part in request.headers.get("accept-language", "").split(","):
        word, _, rest = part.partition(";")
        language, quality = word.strip().lower().partition("-")[0], _quality(rest)
        if language in LANGUAGES and quality > liked:
            best, liked = language, quality
    return best


def _quality(rest: str) -> float:
    found = _QUALITY.search(rest)
    try:
        return float(found[1]) if found else 1.0
    except ValueError:
        return 0.0


def status_of(error: AnswerwatchError) -> int:
    """Return the HTTP status of one of our errors."""
    if error.code in _NOT_FOUND:
        return 404
    if error.code in _CONFLICT:
        return 409
    if isinstance(error, ServiceError | ConfigurationError):
        return 503
    return 422 if isinstance(error, UsageError) else 500


def reply(request: Request, error: Exception) -> JSONResponse:
    """Return the problem document of an error; of one that nobody expected it tells a number of the log and no more."""
    say = Messages(language_of(request))
    if isinstance(error, AnswerwatchError):
        return _ours(say, error)
    if isinstance(error, Problem):
        detail = say(f"api.{error.code}", **error.facts)
        return _document(say, error.status_code, error.code, detail, params=error.facts, headers=error.headers)
    if isinstance(error, RequestValidationError):
        return _invalid(say, error)
    if isinstance(error, HTTPException):
        code = _OF_LIBRARIES.get(error.status_code, "refused")
        return _document(say, error.status_code, code, say(f"api.{code}"), headers=error.headers)
    number = secrets.token_hex(6)
    log.error("request_failed", error_id=number, path=request.url.path, exc_info=error)
    return _document(say, 500, "unexpected", say("api.unexpected", id=number), params={"id": number})


def _document(
    say: Messages,
    status: int,
    code: str,
    detail: str,
    *,
    params: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
    **more: object,
) -> JSONResponse:
    title = say(f"api.{_TITLES.get(status, 'refused')}")
    body = {
        "type": f"urn:answerwatch:problem:{code}", "title": title, "status": status, "detail": detail, "code": code,
        "params": dict(params or {}), **more,
    }  # fmt: skip
    told = {"Content-Language": say.language, **(headers or {})}
    return JSONResponse(body, status_code=status, media_type=MEDIA_TYPE, headers=told)


def _ours(say: Messages, error: AnswerwatchError) -> JSONResponse:
    status = status_of(error)
    facts = {key: _plain(value) for key, value in error.facts.items()}
    after = {"Retry-After": str(BUSY_S if isinstance(error, StoreBusy) else AWAY_S)} if status == 503 else None
    detail = _plain(say.of_code(f"error.{error.code}", error.text, error.facts))
    return _document(say, status, error.code, str(detail), params=facts, headers=after)


def _plain(value: object) -> int | float | str | None:
    if isinstance(value, int | float | None):
        return value
    return str(value).encode(errors="replace").decode()  # a half of a character cannot be sent


def _invalid(say: Messages, error: RequestValidationError) -> JSONResponse:
    found: Sequence[Mapping[str, Any]] = error.errors()
    # What was sent is not sent back: it may hold anything, and be large.
    errors = [{"at": _place(one["loc"]), "message": _message(say, one)} for one in found[:SHOWN_ERRORS]]
    count = len(found)
    return _document(say, 422, "invalid", say("api.invalid", count=count), params={"count": count}, errors=errors)


def _place(parts: Sequence[int | str]) -> list[str]:
    return [str(_plain(in_short(part))) for part in parts]


def _message(say: Messages, found: Mapping[str, Any]) -> str:
    told = found["ctx"]["error"] if found["type"] == "json_invalid" else found["msg"]
    return say.recognised("usage", str(told))
