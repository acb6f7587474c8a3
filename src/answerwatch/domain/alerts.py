"""Alerts: what a person should look at."""

from __future__ import annotations

from enum import StrEnum


class AlertKind(StrEnum):
    """What an alert is about; docs/operations.md says what to do about each."""

    LANE_PARKED = "lane_parked"
    """Key, balance or account of a platform, or answers that cannot be kept: its work waits."""
    BREAKER_OPEN = "breaker_open"
    """A platform cannot be reached and rests."""
    PERMANENT_FAILURES = "permanent_failures"
    """A platform refused calls for good."""
    BATCH_PARTIAL = "batch_partial"
    """A batch ended with failures."""
    BATCH_TIMEOUT = "batch_timeout"
    """The time of a batch was over before its work was."""
    OUTPUT_LIMIT = "output_limit"
    """Thinking used up the token limit before any answer."""
    PLATFORM_DEGRADED = "platform_degraded"
    """Too many of a platform's latest answers are worthless."""
    CLEAN_FAILED = "clean_failed"
    """Answers could not be cleaned."""
    STUCK = "stuck"
    """Cleaning tasks are busy for too long."""
    QUESTIONS_STALE = "questions_stale"
    """Questions that no platform answered for long were retired."""
