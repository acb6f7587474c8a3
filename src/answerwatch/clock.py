"""The only source of time, so that tests can hold it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

MICROSECONDS = 1_000_000


class Clock(Protocol):
    """Wall time for records and monotonic time for waits."""

    is_held: bool
    """Moved by hand: then it speaks for database servers too, whose own clocks nobody can hold."""

    def now(self) -> datetime:
        """Return the aware UTC wall time."""

    def monotonic(self) -> float:
        """Return seconds on a clock that never runs backwards."""


class SystemClock:
    """The machine's clock."""

    is_held = False

    def now(self) -> datetime:
        """Return the aware UTC wall time."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds since an arbitrary start."""
        return time.monotonic()


class HeldClock:
    """A clock that moves only when told; shipped for tests."""

    is_held = True

    def __init__(self, start: datetime) -> None:
        """Begin at `start`, which must be aware."""
        self._start = start
        self._passed = 0.0

    def now(self) -> datetime:
        """Return the start plus all that has passed."""
        return self._start + timedelta(seconds=self._passed)

    def monotonic(self) -> float:
        """Return the seconds that have passed."""
        return self._passed

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass."""
        self._passed += seconds


def to_micros(moment: datetime) -> int:
    """Return an aware moment as microseconds since 1970 (UTC), the ledger's unit of time.

    Integer arithmetic on purpose: a float of seconds loses the last microsecond.
    """
    delta = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (delta.days * 86_400 + delta.seconds) * MICROSECONDS + delta.microseconds


def from_micros(micros: int) -> datetime:
    """Return the aware UTC moment of a ledger time."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
