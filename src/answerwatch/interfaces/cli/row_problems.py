"""What is said about single rows of an imported file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace.files.row_notes import RowError, RowNote

LONGEST_NAME = 60
"""Characters of a column's name that are shown."""
SHOWN = 20
"""Rows of which problems are told one by one; the rest is counted."""


def show_row_problems(session: Session, errors: Sequence[RowError], notes: Sequence[RowNote]) -> None:
    """Say which rows cannot be taken (on standard error) and what was put right in others."""
    for error in errors[:SHOWN]:
        column = one_line(error.column, LONGEST_NAME) or session.say("import.whole_row")
        session.remark("import.error", line=error.line, column=column, message=session.say.translated(error.message))
    if len(errors) > SHOWN:
        session.remark("import.more", count=len(errors) - SHOWN)
    for note in notes[:SHOWN]:
        session.remark("import.note", line=note.line, message=session.say.translated(note.message))
    if len(notes) > SHOWN:
        session.remark("import.more", count=len(notes) - SHOWN)
