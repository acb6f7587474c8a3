"""Texts that a workbook has cut, which would come in as new and wrong ones."""

from __future__ import annotations

import re

from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.workspace.files.records import Table
from answerwatch.workspace.files.row_notes import RowError, RowNote
from answerwatch.workspace.files.workbook_limits import LONGEST_CELL, may_fill, units

_MARK = re.compile(r" … ?(?:\[cut here: [\d,]+ characters in all\]|【此处截断：全文 [\d,]+ 字】)\Z")
"""What our exports put behind a text that they cut, in every language."""


def refuse_cut(table: Table, line: int, column: str, text: str) -> RowError | None:
    """Return what is wrong with a text that an export has cut; one that may be cut gets a note."""
    if not may_fill(text):
        return None
    if _MARK.search(text, len(text) - 100):
        why = "it was cut when it was exported to a workbook; export as CSV or JSONL"
        return RowError(line=line, column=column, reason="cut", message=Said("row_cut", why))
    if units(text) == LONGEST_CELL:
        name = in_short(column)
        told = f"{name} has {LONGEST_CELL:,} characters, the most that a cell of a workbook holds; it may be cut"
        message = Said("row_full", told, column=name, longest=f"{LONGEST_CELL:,}")
        table.notes.add(RowNote(line=line, reason="full", message=message))
    return None
