"""Texts that a workbook has cut: no cell of one holds more than 32,767 characters."""

from __future__ import annotations

import re

from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.workspace.files.records import Table
from answerwatch.workspace.files.row_notes import RowError, RowNote

LONGEST = 32_767
"""UTF-16 units of a cell, as spreadsheet programs have it."""
_SHORTEST = LONGEST // 2
"""Characters that so many units have at least."""
_MARK = re.compile(r" … ?(?:\[cut here: [\d,]+ characters in all\]|【此处截断：全文 [\d,]+ 字】)\Z")
"""What our exports put behind a text that they cut, in every language."""


def refuse_cut(table: Table, line: int, column: str, text: str) -> RowError | None:
    """Return what is wrong with a text that an export has cut; one that may be cut gets a note.

    It would come in as a new and wrong answer.
    """
    if len(text) < _SHORTEST:
        return None
    if _MARK.search(text, len(text) - 100):
        why = "it was cut when it was exported to a workbook; export as CSV or JSONL"
        return RowError(line=line, column=column, reason="cut", message=Said("row_cut", why))
    if len(text.encode("utf-16-le", "surrogatepass")) // 2 == LONGEST:
        name = in_short(column)
        told = f"{name} has {LONGEST:,} characters, the most that a cell of a workbook holds; it may be cut"
        message = Said("row_full", told, column=name, longest=f"{LONGEST:,}")
        table.notes.append(RowNote(line=line, reason="full", message=message))
    return None
