"""Replies that are an HTTP error with a body: a table, one line per vendor's spelling."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import formatdate

from answerwatch.simulator.settings import Settings
from answerwatch.simulator.wire import Headers


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """An error as a vendor sends it; `headers` takes the settings and the number behind the fault's colon."""

    status: int
    code: str | None
    kind: str
    message: str
    headers: Callable[[Settings, float | None], Headers] = lambda _settings, _amount: ()

    def body(self) -> Mapping[str, object]:
        """Return the envelope that the chat vendors share."""
        return {"error": {"message": self.message, "type": self.kind, "param": None, "code": self.code}}


def _retry_after(settings: Settings, amount: float | None) -> Headers:
    """Ask for a pause in seconds; fractions are sent as such, so that tests need not wait whole seconds."""
    seconds = settings.retry_after_s if amount is None else amount
    return (("retry-after", f"{seconds:g}"),)


def _retry_date(settings: Settings, amount: float | None) -> Headers:
    """Ask for a pause with a date; the only bytes that depend on the clock."""
    seconds = settings.retry_after_s if amount is None else amount
    return (("retry-after", formatdate(time.time() + seconds, usegmt=True)),)


def _reset_in(duration: str) -> Callable[[Settings, float | None], Headers]:
    """Give the reset as a duration."""
    return lambda _settings, _amount: (
        ("x-ratelimit-remaining-requests", "0"),
        ("x-ratelimit-reset-requests", duration),
    )


def _tomorrow(_settings: Settings, _amount: float | None) -> Headers:
    """Ask for a pause of a day."""
    return (("retry-after", "86400"),)


def _wrong_year(_settings: Settings, _amount: float | None) -> Headers:
    """Give moments in the past and in the far future, as a platform with a wrong clock does."""
    return (
        ("retry-after", "Thu, 01 Jan 1998 00:00:00 GMT"),
        ("x-ratelimit-reset-requests", "2099-01-01T00:00:00Z"),
        ("x-ratelimit-reset", "883612800"),
    )


_RATE = "rate_limit_reached_error"
_RATE_TEXT = "Too many requests in a short time, please slow down."

ERRORS: Mapping[str, ErrorReply] = {
    "e400_risk_deepseek": ErrorReply(400, "invalid_request_error", "invalid_request_error", "Content Exists Risk"),
    "e400_risk_kimi": ErrorReply(400, None, "content_filter", "The request was rejected because of its content."),
    "e400_risk_qwen": ErrorReply(
        400, "data_inspection_failed", "data_inspection_failed", "Input text data may contain inappropriate content."
    ),
    "e400_arrears": ErrorReply(400, "Arrearage", "Arrearage", "Access denied, the account has an overdue payment."),
    "e401": ErrorReply(401, "invalid_api_key", "invalid_authentication_error", "The API key is not valid."),
    "e402": ErrorReply(402, "invalid_request_error", "insufficient_balance", "The balance of this account is used up."),
    "e403_overdue": ErrorReply(403, "AccountOverdueError", "Forbidden", "The account has an overdue bill."),
    "e404_model": ErrorReply(404, "model_not_found", "resource_not_found_error", "There is no model of this name."),
    "e422": ErrorReply(422, "invalid_parameter", "invalid_request_error", "A parameter has a value of the wrong kind."),
    "e429_retry_after": ErrorReply(429, "rate_limit_exceeded", _RATE, _RATE_TEXT, _retry_after),
    "e429_date": ErrorReply(429, "rate_limit_exceeded", _RATE, _RATE_TEXT, _retry_date),
    "e429_reset": ErrorReply(429, "rate_limit_exceeded", _RATE, _RATE_TEXT, _reset_in("1m3s")),
    "e429_huge": ErrorReply(429, "rate_limit_exceeded", _RATE, "The daily number of requests is used up.", _tomorrow),
    "e429_clock_skew": ErrorReply(429, "rate_limit_exceeded", _RATE, _RATE_TEXT, _wrong_year),
    "e429_quota_kimi": ErrorReply(
        429, None, "exceeded_current_quota_error", "The account has no balance left; please top it up."
    ),
    "e429_quota_openai": ErrorReply(
        429, "insufficient_quota", "insufficient_quota", "The quota of this plan is used up."
    ),
    "e429_quota_glm": ErrorReply(429, "1113", "1113", "The account is in arrears, please top it up and try again."),
    "e429_concurrency": ErrorReply(429, "concurrency_limit", _RATE, "Too many requests at the same time."),
    "e500": ErrorReply(500, "server_error", "server_error", "The server had an error while answering."),
    "e502": ErrorReply(502, "bad_gateway", "server_error", "The upstream server cannot be reached."),
    "e503": ErrorReply(503, "service_unavailable", "engine_overloaded_error", "The engine is overloaded."),
    "e503_retry_after": ErrorReply(
        503, "service_unavailable", "engine_overloaded_error", "The engine is overloaded.", _retry_after
    ),
    "e529": ErrorReply(529, "overloaded_error", "overloaded_error", "Overloaded."),
}
