"""What is said about single rows of an imported file."""

from __future__ import annotations

from dataclasses import dataclass

from answerwatch.domain.said import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class RowError:
    """A row that cannot be taken; one is enough to import nothing."""

    line: int
    """Line in the file on which the row begins, from 1."""
    column: str
    """'' when it is about the whole row."""
    reason: str
    """Stable word: `missing`, `too_long`, `duplicate_id`, `bad_value`, `bad_json`, ..."""
    message: Said
    """What is wrong; line and column are not told in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowNote:
    """Something about a row that was put right, or that people should know."""

    line: int
    reason: str
    """Stable word: `mark_removed`, `duplicate`, `altered`, ..."""
    message: Said
    """What it is; the line is not told in it."""


def above_header(line: int) -> RowNote:
    """Return the note on a row that stands above the header."""
    return RowNote(line=line, reason="above_header", message=Said("row_above", "stands above the header; left out"))


def altered_note(line: int, count: int) -> RowNote:
    """Return the note on a row in which so many characters are replaced."""
    text = f"{count} characters that cannot be stored are replaced one for one"
    message = Said("row_altered", text, count=count)
    return RowNote(line=line, reason="altered", message=message)


def missing_cell() -> Said:
    """Return what is said of a cell that is empty or not there."""
    return Said("row_missing", "it is missing")


def long_cell(length: int, longest: int) -> Said:
    """Return what is said of a text that is too long."""
    text = f"it has {length:,} characters, at most {longest:,} are possible"
    return Said("row_long", text, length=f"{length:,}", longest=f"{longest:,}")
