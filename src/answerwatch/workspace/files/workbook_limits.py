"""What a workbook can hold, as spreadsheet programs have it; whoever writes or reads one holds to the same numbers."""

from __future__ import annotations

import re

from answerwatch.domain.texts import REPLACEMENT
from answerwatch.workspace.files.cells import clean_cell

MOST_ROWS = 1_048_576
"""Rows of a sheet, the header among them."""
MOST_COLUMNS = 16_384
"""Columns of a sheet."""
LONGEST_CELL = 32_767
"""UTF-16 units of a cell."""
_SHORTEST_FULL = (LONGEST_CELL + 1) // 2
"""Characters that so many units have at least."""
_UNHELD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that the format has no place for."""
_LINE_ENDS = re.compile("\r\n?")


def units(text: str) -> int:
    """Return how many UTF-16 units a text takes: what a cell is measured by."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def may_fill(text: str) -> bool:
    """Tell whether a text may take all the units of a cell; a short one need not be measured."""
    return len(text) >= _SHORTEST_FULL


def as_held(text: str) -> tuple[str, int]:
    r"""Return a text as a cell holds it, whatever its length, and how many of its characters had to be replaced.

    Line ends become those of cells, which replaces nothing.

    >>> as_held("one\r\ntwo"), as_held("a\x01b")
    (('one\ntwo', 0), ('a\ufffdb', 1))
    """
    return _UNHELD.subn(REPLACEMENT, _LINE_ENDS.sub("\n", text))


def in_cell(text: str) -> str:
    r"""Return a text as it is read from a cell that it was written to, whatever its length.

    >>> in_cell("one\r\ntwo\r")
    'one\ntwo'
    """
    return text if text.isprintable() and text == text.strip() else clean_cell(as_held(text)[0])
