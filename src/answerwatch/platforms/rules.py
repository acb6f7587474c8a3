"""The default table of errors, asked after the platform's own; and what follows from each meaning.

Words come first, because a status alone misleads: 400, 403 and 429 can all mean "no money". Only words that mean one
thing nearly everywhere stand here; `insufficient_quota` is "tokens per minute" at one vendor, whose own table says so
before this one is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from answerwatch.domain.failures import Scope, Severity
from answerwatch.platforms.records import ErrorRule, Match, Means


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What follows from a failure of one meaning; the fields are those of `Failure`."""

    severity: Severity
    scope: Scope = Scope.REQUEST
    throttled: bool = False
    overloaded: bool = False
    transport: bool = False
    max_retries: int | None = None


_LATER = Effect(severity=Severity.TEMPORARY)
_NEVER = Effect(severity=Severity.PERMANENT)
_LINE = Effect(severity=Severity.TEMPORARY, transport=True)
_LINE_THRICE = Effect(severity=Severity.TEMPORARY, transport=True, max_retries=2)
_KEY = Effect(severity=Severity.PERMANENT, scope=Scope.KEY)
_ACCOUNT = Effect(severity=Severity.PERMANENT, scope=Scope.ACCOUNT)

EFFECTS: Mapping[Means, Effect] = MappingProxyType(
    {
        Means.RATE_LIMITED: Effect(severity=Severity.TEMPORARY, scope=Scope.PLATFORM, throttled=True),
        Means.OVERLOADED: Effect(severity=Severity.TEMPORARY, overloaded=True),
        # Retrying until tomorrow would burn the budget of every task; parked work waits and costs nothing.
        Means.QUOTA_USED_UP: _ACCOUNT,
        Means.SERVER_ERROR: _LATER,
        Means.TIMEOUT: _LINE,
        Means.CONNECTION: _LINE,
        Means.DNS: _LINE_THRICE,
        Means.TLS: _LINE_THRICE,
        Means.TOO_LARGE: _NEVER,
        Means.BAD_REPLY: _LATER,
        Means.REDIRECTED: _LATER,
        Means.EMPTY: Effect(severity=Severity.TEMPORARY, max_retries=2),
        Means.BAD_KEY: _KEY,
        Means.NO_BALANCE: _ACCOUNT,
        Means.ACCOUNT_BLOCKED: _ACCOUNT,
        Means.BAD_REQUEST: _NEVER,
        Means.NOT_FOUND: _NEVER,
        Means.UNKNOWN: Effect(severity=Severity.TEMPORARY, max_retries=2),
    }
)
"""`filtered` is missing on purpose: it is an answer."""

MEANS_OF_TRANSPORT: Mapping[str, Means] = MappingProxyType(
    {
        "connect": Means.CONNECTION,
        "reset": Means.CONNECTION,
        "timeout": Means.TIMEOUT,
        "too_large": Means.TOO_LARGE,
        "tls": Means.TLS,
        "dns": Means.DNS,
        "decode": Means.BAD_REPLY,
    }
)
"""Meaning of each `Reply.error`."""


def _words(means: Means, *codes: str, status: int | None = None, match: Match = Match.EXACT) -> tuple[ErrorRule, ...]:
    """Return one rule per code word."""
    return tuple(ErrorRule(means=means, code=code, status=status, match=match) for code in codes)


def _statuses(means: Means, *statuses: int) -> tuple[ErrorRule, ...]:
    """Return one rule per HTTP status, for every code."""
    return tuple(ErrorRule(means=means, status=status) for status in statuses)


DEFAULT_RULES: tuple[ErrorRule, ...] = (
    *_words(Means.FILTERED, "content_filter", "content_policy_violation", "unsafe_request"),
    *_words(Means.FILTERED, "data_inspection_failed", "DataInspectionFailed", "ResponsibleAIPolicyViolation"),
    *_words(Means.FILTERED, "InputTextRiskDetection", "OutputTextRiskDetection"),
    *_words(
        Means.FILTERED,
        "SensitiveContentDetected",
        "InputTextSensitiveContentDetected",
        "OutputTextSensitiveContentDetected",
        match=Match.PREFIX,
    ),
    *_words(Means.FILTERED, "Content Exists Risk", match=Match.MESSAGE),
    *_words(Means.NO_BALANCE, "Arrearage", "AccountOverdueError", "exceeded_current_quota_error", "billing_error"),
    *_words(Means.NO_BALANCE, "insufficient_quota", "insufficient_user_quota", "credit_balance_exhausted"),
    *_words(Means.NO_BALANCE, "insufficient_balance", "BILLING_INSUFFICIENT_BALANCE"),
    *_words(Means.NO_BALANCE, "insufficient balance", "in arrears", "余额不足", "已欠费", match=Match.MESSAGE),
    *_words(Means.QUOTA_USED_UP, "今日调用次数已达上限", match=Match.MESSAGE),
    *_words(Means.BAD_KEY, "invalid_api_key", "InvalidApiKey", "incorrect_api_key_error", "authentication_error"),
    *_words(Means.BAD_KEY, "invalid_authentication_error"),
    *_words(Means.OVERLOADED, "overloaded_error", "engine_overloaded_error", "ServerOverloaded"),
    *_words(Means.RATE_LIMITED, "rate_limit_exceeded", "rate_limit_error", "rate_limit_reached_error"),
    *_words(Means.SERVER_ERROR, "server_error", "internal_error", "internal_server_error"),
    *_statuses(Means.BAD_REQUEST, 400, 413, 422),
    *_statuses(Means.BAD_KEY, 401, 403),
    *_statuses(Means.NO_BALANCE, 402),
    *_statuses(Means.NOT_FOUND, 404, 405),
    *_statuses(Means.SERVER_ERROR, 408, 409, 425, 499),
    *_statuses(Means.ACCOUNT_BLOCKED, 410),
    *_statuses(Means.RATE_LIMITED, 429),
    *_statuses(Means.FILTERED, 451),
    *_statuses(Means.OVERLOADED, 503, 529),
    *_statuses(Means.SERVER_ERROR, 500, 502, 504, 520),
)
"""First fit decides. A status of 500 or more that is not listed is a server error, anything else `unknown`."""

GATEWAY_PAGES: Mapping[int, Means] = MappingProxyType(
    {401: Means.BAD_KEY, 402: Means.NO_BALANCE, 429: Means.RATE_LIMITED, 503: Means.OVERLOADED, 529: Means.OVERLOADED}
)
"""Statuses that keep their meaning when an HTML page comes instead of JSON.

A 400, 403 or 404 page is the work of something between us and the platform, so it may pass; 401 and 402 do not pass,
and parking costs nothing, while retries of every task would be lost.
"""
