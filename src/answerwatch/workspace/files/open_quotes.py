"""Quotation marks that were left open in a CSV file and met one in a later row: the rows between became one cell.

A reader cannot see this: the text is as it should be. What can be seen is that such a cell, cut at its line breaks,
gives nothing but whole rows of the table. Answers may look like that too, and more easily the fewer columns there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

_ENDS = re.compile(r"\r\n|\r|\n")
_SURE_FROM = 4
"""Columns from which no answer looks like rows by chance: every line would need three separators and no blank behind
any of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swallowed:
    """A cell that looks like rows."""

    column: int
    """Its place in the row, from 0."""
    above: int
    """Line breaks of the row in front of it."""
    breaks: int
    """Line breaks in it."""
    rows: int
    """Rows that are lost, if they are."""
    is_sure: bool
    """The row cannot be taken."""


class OpenQuotes:
    """Looks for cells that hold rows of their table."""

    def __init__(self, columns: int, delimiter: str, again: Callable[[], Iterable[Sequence[str]]]) -> None:
        """Look at a table of so many columns; `again` reads its rows once more."""
        self._columns = columns
        self._delimiter = delimiter
        self._again = again
        self._prose = re.compile(f"{re.escape(delimiter)}[ \N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}]")
        self._breaks_lines: bool | None = None

    def find(self, cells: Sequence[str]) -> Swallowed | None:
        """Return the first cell of a row that looks like rows."""
        for place, cell in enumerate(cells):
            if ("\n" not in cell and "\r" not in cell) or (self._delimiter not in cell and self._columns > 1):
                continue
            lines = _ENDS.split(cell)
            whole = self._are_rows(lines, place, len(cells) - place - 1)
            if not whole and not self._hold_rows(lines):
                continue
            return Swallowed(
                column=place,
                above=sum(len(_ENDS.findall(one)) for one in cells[:place]),
                breaks=len(lines) - 1,
                rows=len(lines) - 1 if whole else len(lines) - 2,
                is_sure=whole and self._is_sure(cells),
            )
        return None

    def _is_sure(self, cells: Sequence[str]) -> bool:
        """Tell whether no writer of CSV would have written the row.

        Few columns alone prove nothing, an answer of two lines may look like two rows. But whoever writes line breaks
        into cells has others, which do not look like rows; where there is no such cell, a mark was left open.
        """
        if self._columns == 1:
            return False
        return self._columns >= _SURE_FROM or len(cells) < self._columns or not self._has_line_breaks()

    def _has_line_breaks(self) -> bool:
        if self._breaks_lines is None:
            self._breaks_lines = any(self._breaks_a_line(cells) for cells in self._again())
        return self._breaks_lines

    def _breaks_a_line(self, cells: Sequence[str]) -> bool:
        return any(
            len(lines := _ENDS.split(cell)) > 1 and not self._are_rows(lines, place, len(cells) - place - 1)
            for place, cell in enumerate(cells)
        )

    def _are_rows(self, lines: Sequence[str], before: int, after: int) -> bool:
        """Tell whether lines are whole rows: the first with the cells before it, the last with those after it."""
        separators = [line.count(self._delimiter) for line in lines]
        wanted = self._columns - 1
        return (
            before + separators[0] == wanted
            and separators[-1] + after == wanted
            and all(number == wanted for number in separators[1:-1])
            and not any(map(self._prose.search, lines))
        )

    def _hold_rows(self, lines: Sequence[str]) -> bool:
        """Tell whether all lines between the first and the last look like rows."""
        inner = lines[1:-1]
        return (
            self._columns > 2
            and bool(inner)
            and all(line.count(self._delimiter) + 1 == self._columns for line in inner)
        )
