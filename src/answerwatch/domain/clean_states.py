"""States of a clean task and the only moves between them (product.md, rules of cleaning)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from answerwatch.errors import UsageError


class CleanState(StrEnum):
    """Where a clean task stands."""

    PENDING = "pending"
    """Created, not yet taken up."""
    VALIDATING = "validating"
    """The raw answer is loaded and judged."""
    VALID = "valid"
    """Judged to be an answer."""
    INVALID = "invalid"
    """Judged to be none; a result, not an error."""
    EXTRACTING = "extracting"
    """Brands and metrics are read from it."""
    EXTRACTED = "extracted"
    """Read; the result is stored in the same transaction."""
    COMPLETED = "completed"
    """A result is stored."""
    FAILED = "failed"
    """Retries are exhausted or the error is permanent; replay by hand."""


MOVES: dict[CleanState, frozenset[CleanState]] = {
    CleanState.PENDING: frozenset({CleanState.VALIDATING}),
    CleanState.VALIDATING: frozenset({CleanState.VALID, CleanState.INVALID, CleanState.FAILED}),
    CleanState.VALID: frozenset({CleanState.EXTRACTING}),
    CleanState.EXTRACTING: frozenset({CleanState.EXTRACTED, CleanState.FAILED}),
    CleanState.EXTRACTED: frozenset({CleanState.COMPLETED}),
    CleanState.INVALID: frozenset({CleanState.COMPLETED}),
    CleanState.COMPLETED: frozenset(),
    CleanState.FAILED: frozenset({CleanState.PENDING}),
}

WORKING = frozenset({CleanState.VALIDATING, CleanState.EXTRACTING})
"""States in which a worker is busy; too long in one of them means stuck."""

STUCK_AFTER_S = 300
"""Seconds in one working state after which a task is stuck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One step of a clean task."""

    from_state: CleanState
    to_state: CleanState
    at: datetime


def check_path(start: CleanState, path: tuple[CleanState, ...]) -> CleanState:
    """Return the last state of `path` when every step from `start` on is legal.

    Raises UsageError naming the first illegal step; nothing must be changed then.
    """
    here = start
    for to in path:
        if to not in MOVES[here]:
            raise UsageError(
                "clean_move", f"A clean task cannot go from {here} to {to}.", from_state=str(here), to_state=str(to)
            )
        here = to
    return here


class InvalidReason(StrEnum):
    """Why a sample is not an answer."""

    EMPTY = "empty"
    """Nothing in it."""
    REFUSED = "refused"
    """The model declines to answer."""
    FILTERED = "filtered"
    """By the platform's content filter."""
    NO_ANSWER = "no_answer"
    """Only asks back, only promises, only thinks."""
    IRRELEVANT = "irrelevant"
    """Answers something else, and names no tracked brand."""
    ERROR = "error"
    """An error text or page stored as the answer."""
    GARBLED = "garbled"
    """Wrongly decoded, or the same over and over."""
    TIMEOUT = "timeout"
    """Partial text of a stream cut by the deadline, or an imported row marked so."""
