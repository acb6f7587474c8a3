"""How numbers are said to people: rates as percent with their interval, durations, counts with reasons."""

from __future__ import annotations

from collections.abc import Iterable

from answerwatch.messages import Messages

NOT_KNOWN = "—"
"""Stands where a figure is not known; never 0."""


def number(value: int | None) -> str:
    """Return a count as it is, 0 included; a dash where it is not known.

    >>> number(0), number(None)
    ('0', '—')
    """
    return NOT_KNOWN if value is None else str(value)


def percent(value: float | None) -> str:
    """Return a share as percent with one decimal; a dash where it is not known.

    >>> percent(0.4167), percent(None)
    ('41.7%', '—')
    """
    return NOT_KNOWN if value is None else f"{value * 100:.1f}%"


def percent_span(low: float | None, high: float | None) -> str:
    """Return an interval of shares as percent; empty where it is not known.

    >>> percent_span(0.31, 0.529)
    '31.0–52.9%'
    """
    return "" if low is None or high is None else f"{low * 100:.1f}–{high * 100:.1f}%"


def short_span(low: float | None, high: float | None) -> str:
    """Return an interval of shares as whole percent, for tables in which many stand side by side.

    >>> short_span(0.31, 0.529)
    '31–53%'
    """
    return "" if low is None or high is None else f"{low * 100:.0f}–{high * 100:.0f}%"


def number_span(low: float | None, high: float | None) -> str:
    """Return an interval of plain numbers; empty where it is not known."""
    return "" if low is None or high is None else f"{low:.2f}–{high:.2f}"


def duration(seconds: float | None, say: Messages) -> str:
    """Return a duration in the largest units that matter; a dash where it is not known."""
    if seconds is None:
        return NOT_KNOWN
    whole = max(0, round(seconds))
    if whole < 100:
        return say("time.seconds", seconds=whole)
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return say("time.minutes", minutes=minutes, seconds=rest)
    hours, minutes = divmod(minutes, 60)
    return say("time.hours", hours=hours, minutes=minutes)


def counted(pairs: Iterable[tuple[str, int]]) -> str:
    """Return words with how often each was met; a dash where there are none.

    >>> counted([("refused", 3), ("empty", 1)])
    'refused 3, empty 1'
    """
    return ", ".join(f"{word} {count}" for word, count in pairs) or NOT_KNOWN


def one_line(text: str, longest: int) -> str:
    """Return the beginning of a text on one line, with an ellipsis where something was left out."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"
