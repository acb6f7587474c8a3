"""Errors as problem documents (RFC 9457), in the language that the client reads."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from answerwatch.domain.plain import to_plain
from answerwatch.errors import AnswerwatchError, ConfigurationError, ServiceError, StoreBusy, UsageError
from answerwatch.messages import FALLBACK, LANGUAGES, Messages

log = structlog.get_logger(__name__)

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = "1"
_NOT_FOUND = frozenset({"similarity_unknown", "similarity_line", "pair_id", "batch_unknown", "key_unknown"})
"""Codes of errors about something that is not there."""
_CONFLICT = frozenset({"similarity_key_used", "similarity_ended", "key_taken"})
"""Codes of errors about something that is in another state."""


class Problem(Exception):
    """Ends a request with a problem document."""

    def __init__(self, status: int, code: str, text: str, **facts: object) -> None:
        """Keep what is said; `code` is a message in section `api` of the catalogues."""
        super().__init__(text)
        self.status = status
        self.code = code
        self.text = text
        self.facts = facts
        self.headers: dict[str, str] = {}


def language_of(request: Request) -> str:
    """Return the first language of Accept-Language that we speak."""
    for part in request.headers.get("accept-language", "").split(","):
        word = part.partition(";")[0].strip().lower().partition("-")[0]
        if word in LANGUAGES:
            return word
    return FALLBACK


def status_of(error: AnswerwatchError) -> int:
    """Return the HTTP status of one of our errors."""
    if error.code in _NOT_FOUND:
        return 404
    if error.code in _CONFLICT:
        return 409
    if isinstance(error, ServiceError | ConfigurationError):
        return 503
    return 422 if isinstance(error, UsageError) else 500


def install(app: FastAPI) -> None:
    """Let every error of the app be answered by a problem document."""
    app.add_exception_handler(AnswerwatchError, _ours)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def document(
    status: int,
    code: str,
    detail: str,
    *,
    more: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return a problem document."""
    body = {
        "type": f"urn:answerwatch:problem:{code}",
        "title": code,
        "status": status,
        "detail": detail,
        **(more or {}),
    }
    return JSONResponse(body, status_code=status, media_type=MEDIA_TYPE, headers=dict(headers or {}))


def _ours(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, AnswerwatchError)  # noqa: S101 - registered for these alone
    say = Messages(language_of(request))
    detail = say.of_code(f"error.{error.code}", error.text, error.facts)
    headers = {"Retry-After": RETRY_AFTER_S} if isinstance(error, StoreBusy) else {}
    return document(status_of(error), error.code, detail, more={"params": to_plain(_facts(error))}, headers=headers)


def _facts(error: AnswerwatchError) -> dict[str, object]:
    return {key: value if isinstance(value, int | float | None) else str(value) for key, value in error.facts.items()}


def _problem(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)  # noqa: S101 - registered for these alone
    say = Messages(language_of(request))
    return document(
        error.status, error.code, say(f"api.{error.code}", **error.facts), more={"params": to_plain(error.facts)},
        headers=error.headers,
    )  # fmt: skip


def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for these alone
    # What was sent is not sent back: it may hold anything, and be large.
    errors = [{"at": [str(one) for one in found["loc"]], "message": found["msg"]} for found in error.errors()]
    detail = Messages(language_of(request))("api.invalid", count=len(errors))
    return document(422, "invalid", detail, more={"errors": errors})


def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for these alone
    say = Messages(language_of(request))
    code = {404: "no_page", 405: "no_method"}.get(error.status_code, "refused")
    return document(error.status_code, code, say(f"api.{code}"), headers=error.headers)


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    number = secrets.token_hex(6)
    log.error("request_failed", error_id=number, path=request.url.path, exc_info=error)
    return document(500, "unexpected", Messages(language_of(request))("api.unexpected", id=number), more={"id": number})
