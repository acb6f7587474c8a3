"""What is said about single rows of an imported file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RowError:
    """A row that cannot be taken; one is enough to import nothing."""

    line: int
    """Line in the file on which the row begins, from 1."""
    column: str
    """'' when it is about the whole row."""
    reason: str
    """Stable word: `missing`, `too_long`, `duplicate_id`, `bad_value`, `bad_json`, ..."""
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowNote:
    """Something about a row that was put right, or that people should know."""

    line: int
    reason: str
    """Stable word: `mark_removed`, `duplicate`, `altered`, ..."""
    message: str


def altered_note(line: int, count: int) -> RowNote:
    """Return the note on a row in which so many characters are replaced."""
    message = f"Line {line}: {count} characters that cannot be stored are replaced one for one."
    return RowNote(line=line, reason="altered", message=message)
