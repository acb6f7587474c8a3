"""How long a server asks us to wait: every form of Retry-After and of the reset headers, capped, never negative.

`float()` would take "nan", "inf" and "1e3" for waits and `int()` Arabic digits, so numbers are matched as ASCII first.
Dates and moments are compared with the reply's own Date header when there is one: then a local clock that is
wrong does no harm.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from answerwatch.domain.answers import Reply
from answerwatch.domain.failures import LONGEST_WAIT_S

RESET_HEADERS = ("x-ratelimit-reset-requests", "x-ratelimit-reset-tokens", "x-ratelimit-reset", "ratelimit-reset")

_BEIJING = timezone(timedelta(hours=8))
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EPOCH_S = 1e9
"""A bare number from here on is a moment in seconds since 1970; a smaller one is a duration."""
_EPOCH_MS = 1e12
"""The same in milliseconds."""

_WHOLE = re.compile(r"\d{1,30}", re.ASCII)
_NUMBER = re.compile(r"\d{1,30}(?:\.\d{1,30})?", re.ASCII)
_DURATION = re.compile(
    r"(?:(\d{1,9}(?:\.\d{1,9})?)d)?(?:(\d{1,9}(?:\.\d{1,9})?)h)?(?:(\d{1,9}(?:\.\d{1,9})?)m(?!s))?"
    r"(?:(\d{1,9}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?",
    re.ASCII,
)
_UNITS_S = (86_400.0, 3_600.0, 60.0, 1.0, 0.001)
_DATE = re.compile(
    r"[A-Za-z]{3,9}, ?(\d{1,2})[ -]([A-Za-z]{3})[ -](\d{4}|\d{2}) (\d{2}):(\d{2}):(\d{2}) (?:GMT|UTC|[+-]0000)",
    re.ASCII,
)
_ASCTIME = re.compile(r"[A-Za-z]{3} ([A-Za-z]{3}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})", re.ASCII)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}T[0-9:.]{5,15}(?:Z|[+-]\d{2}:?\d{2})?", re.ASCII)
_AGAIN_IN = re.compile(
    r"(?:again|retry)\s+(?:in|after)\s+((?:\d{1,6}(?:\.\d{1,6})?\s?(?:ms|[hms])){1,4})(?:\b|econd)",
    re.ASCII | re.IGNORECASE,
)
_RESET_AT = re.compile(r"(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A wait that a server asked for."""

    seconds: float
    """Never negative, never above LONGEST_WAIT_S."""
    origin: str
    """Name of the header, `body`, `rule`, or `cap` when the cap cut it."""
    asked: str
    """As the server wrote it."""


def asked_wait(reply: Reply, message: str, *, throttled: bool) -> Wait | None:
    """Return what the server asks to wait, or None when it says nothing that can be understood.

    Reset headers and the message's text count only for `throttled` replies: some platforms send reset headers with
    every reply, and after a server fault they say nothing about when to come back.
    """
    now = server_now(reply)
    wait = _retry_after(reply, now)
    if wait is None and throttled:
        wait = _resets(reply, now) or _in_message(message, now)
    return None if wait is None else _capped(wait)


def server_now(reply: Reply) -> datetime:
    """Return the server's time at the end of the reply: its Date header, else our own clock."""
    for value in _values(reply, "date"):
        date = http_date(value, reply.ended_at)
        if date is not None:
            return date
    return reply.ended_at


def retry_after_s(value: str, now: datetime) -> float | None:
    """Return the seconds of one Retry-After value, None when it is none of the known forms.

    >>> retry_after_s("1.5", datetime(2026, 11, 30, tzinfo=UTC))
    2.0
    """
    value = value.strip()
    if _NUMBER.fullmatch(value):
        return float(math.ceil(float(value)))
    parts = [part.strip() for part in value.split(",")]
    if len(parts) > 1 and all(_WHOLE.fullmatch(part) for part in parts):
        return max(float(part) for part in parts)
    moment = http_date(value, now) or _iso_date(value)
    return None if moment is None else _until(moment, now)


def reset_s(value: str, now: datetime) -> float | None:
    """Return the seconds until a reset: a duration (`6m0s`), seconds, a moment since 1970 (s or ms) or an ISO date."""
    value = value.strip()
    if _NUMBER.fullmatch(value):
        number = float(value)
        if number < _EPOCH_S:
            return number
        moment_s = number / 1000 if number >= _EPOCH_MS else number
        return max(0.0, moment_s - now.timestamp())
    duration = duration_s(value)
    if duration is not None:
        return duration
    moment = _iso_date(value) or http_date(value, now)
    return None if moment is None else _until(moment, now)


def duration_s(value: str) -> float | None:
    """Return the seconds of a duration such as `1m30.5s` or `500ms`, None for anything else."""
    found = _DURATION.fullmatch(value)
    if not value or found is None:
        return None
    return sum(float(number) * unit for number, unit in zip(found.groups(), _UNITS_S, strict=True) if number)


def http_date(value: str, now: datetime) -> datetime | None:
    """Return the moment of an HTTP date in any of its three forms (RFC 9110 section 5.6.7), None for anything else.

    A two-digit year more than 50 years ahead of `now` belongs to the century before. A leap second is the next one.
    """
    found = _DATE.fullmatch(value.strip())
    if found:
        day, month, year, hour, minute, second = found.groups()
    else:
        found = _ASCTIME.fullmatch(value.strip())
        if not found:
            return None
        month, day, hour, minute, second, year = found.groups()
    return _moment((_full_year(year, now), month, day), (hour, minute, second))


def _full_year(year: str, now: datetime) -> int:
    """Return a year of four digits."""
    if len(year) == 4:
        return int(year)
    full = now.year - now.year % 100 + int(year)
    return full - 100 if full > now.year + 50 else full


def _moment(date: tuple[int, str, str], time: tuple[str, str, str]) -> datetime | None:
    """Return the UTC moment of parsed digits, None when the calendar has no such one."""
    year, month, day = date
    hour, minute, second = (int(part) for part in time)
    if month.lower() not in _MONTHS or second > 60:
        return None
    try:
        start = datetime(year, _MONTHS.index(month.lower()) + 1, int(day), hour, minute, tzinfo=UTC)
        return start + timedelta(seconds=second)
    except (ValueError, OverflowError):
        return None


def _iso_date(value: str) -> datetime | None:
    """Return the moment of an ISO 8601 date with time; without a zone it is UTC."""
    if not _ISO.fullmatch(value):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _until(moment: datetime, now: datetime) -> float:
    """Return the seconds from `now` to `moment`; a moment that has passed needs no wait."""
    return max(0.0, (moment - now).total_seconds())


def _values(reply: Reply, name: str) -> list[str]:
    """Return all values of a header, in the order received."""
    return [value for header, value in reply.headers if header == name]


def _retry_after(reply: Reply, now: datetime) -> Wait | None:
    """Return the wait of `retry-after-ms`, else of `retry-after`; of several values the longest."""
    millis = [value for value in _values(reply, "retry-after-ms") if _NUMBER.fullmatch(value.strip())]
    if millis:
        longest = max(millis, key=lambda value: float(value.strip()))
        return Wait(seconds=float(longest.strip()) / 1000, origin="retry-after-ms", asked=longest)
    waits = [
        Wait(seconds=seconds, origin="retry-after", asked=value)
        for value in _values(reply, "retry-after")
        if (seconds := retry_after_s(value, now)) is not None
    ]
    return max(waits, key=_seconds, default=None)


def _resets(reply: Reply, now: datetime) -> Wait | None:
    """Return the wait of the reset headers: of the windows with nothing left, else of those that do not tell."""
    used_up, untold = list[Wait](), list[Wait]()
    for name in RESET_HEADERS:
        remaining = [value.strip() for value in _values(reply, name.replace("reset", "remaining"))]
        left = [value for value in remaining if _NUMBER.fullmatch(value)]
        for value in _values(reply, name):
            seconds = reset_s(value, now)
            if seconds is None or (left and all(float(number) > 0 for number in left)):
                continue
            (used_up if left else untold).append(Wait(seconds=seconds, origin=name, asked=value))
    return max(used_up or untold, key=_seconds, default=None)


def _in_message(message: str, now: datetime) -> Wait | None:
    """Return the wait that the text of an error names: "try again in 1.2s", or a Beijing time of reset."""
    again = _AGAIN_IN.search(message)
    if again:
        seconds = duration_s(re.sub(r"\s", "", again[1]).lower())
        return None if seconds is None else Wait(seconds=seconds, origin="body", asked=again[1])
    at = _RESET_AT.search(message)
    if at is None:
        return None
    try:
        moment = datetime.fromisoformat(f"{at[1]}T{at[2]}").replace(tzinfo=_BEIJING)
    except ValueError:
        return None
    return Wait(seconds=_until(moment, now), origin="body", asked=at[0])


def _capped(wait: Wait) -> Wait:
    """Return the wait, cut at the longest that anybody may ask."""
    if wait.seconds <= LONGEST_WAIT_S:
        return wait
    return Wait(seconds=LONGEST_WAIT_S, origin="cap", asked=f"{wait.origin}: {wait.asked}"[:200])


def _seconds(wait: Wait) -> float:
    """Return what waits are compared by."""
    return wait.seconds
