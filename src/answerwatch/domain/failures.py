"""How a failed attempt is classed (platforms.md section 1) and what follows from the class."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

LONGEST_MESSAGE = 2_000
"""Characters of a failure's message at most."""


LONGEST_WAIT_S = 900.0
"""Seconds that any platform may make us wait at most; the setting `longest_wait_s` can only lower it."""


class Severity(StrEnum):
    """Whether trying again can help."""

    TEMPORARY = "temporary"
    """May work later: retried after a wait, within the budget."""
    PERMANENT = "permanent"
    """Will not work: never retried by itself."""


class Scope(StrEnum):
    """How far a failure reaches."""

    REQUEST = "request"
    """Only this one call."""
    PLATFORM = "platform"
    """The platform asks for less speed: the lane slows down."""
    KEY = "key"
    """The credential is bad: its lane is parked, no retry is spent."""
    ACCOUNT = "account"
    """Balance, arrears, terms: the lane is parked, no retry is spent."""
    LOCAL = "local"
    """Our own set-up: answers cannot be kept, the platform is not known here. Parks as a bad key does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One classified failure; safe to store and to show (secrets already taken out)."""

    error_type: str
    """Short stable word: `rate_limited`, `timeout`, `connection`, `server_error`, `bad_key`, ..."""
    severity: Severity
    scope: Scope = Scope.REQUEST
    message: str = ""
    """For people: what was said, at most LONGEST_MESSAGE characters."""
    http_status: int | None = None
    retry_after_s: float | None = None
    """Seconds that the server asked to wait, at most LONGEST_WAIT_S."""
    wait_origin: str | None = None
    """Where `retry_after_s` came from: the header's name, `body`, `rule` (the platform's own table), or `cap`."""
    throttled: bool = False
    """Counts as throttling for the adaptive factor."""
    overloaded: bool = False
    """The platform's own overload: stops growth, does not cut."""
    transport: bool = False
    """A fault of the connection: counts for the breaker."""
    max_retries: int | None = None
    """Tighter retry cap than the policy's (empty answers: 2)."""

    @property
    def parks(self) -> bool:
        """Tell whether the lane must be parked: a permanent failure of key, account or our own set-up."""
        return self.severity is Severity.PERMANENT and self.scope in (Scope.KEY, Scope.ACCOUNT, Scope.LOCAL)
