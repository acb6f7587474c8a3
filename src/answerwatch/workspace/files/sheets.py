"""One sheet of a workbook as a table: its header is found, and cells that cannot be trusted are told by their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from answerwatch.domain.said import Said
from answerwatch.workspace.files.cells import clean_cell
from answerwatch.workspace.files.columns import is_header
from answerwatch.workspace.files.csv_rows import above_header
from answerwatch.workspace.files.kinds import damaged
from answerwatch.workspace.files.limits import HEADER_WITHIN, MOST_COLUMNS, MOST_MERGES
from answerwatch.workspace.files.records import FileRow, Source, Table, checked_header, file_empty
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.files.sheet_cells import Row, SheetReader, column_letters, column_number
from answerwatch.workspace.files.workbooks import Workbook, open_workbook, sheet_of
from answerwatch.workspace.files.xml_pieces import parse

_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref\s*=\s*[\"']([A-Z]+)(\d+):([A-Z]+)(\d+)[\"']")
_BLOCK = 1 << 18

Merge = tuple[int, int, int, int]
"""First row, first column (from 0), last row, last column of cells that are one."""


def read_sheet(source: Source) -> Table:
    """Return the rows of a sheet: of the one that is wanted, else of the first whose header is known."""
    table = Table(source=source, header=(), delimiter=None, rows=iter(()))
    rows = _read(table)
    next(rows)
    table.rows = (row for row in rows if row is not None)
    return table


def _read(table: Table) -> Iterator[FileRow | RowError | None]:
    """Yield None once the header is known, and then the rows; the workbook stays open as long as rows are taken."""
    with open_workbook(table.source.path) as book:
        book.read_texts()
        sheet, at = _choose(book, table.source)
        table.sheet, table.sheets = sheet, tuple(book.sheets)
        rows = _rows(book, sheet)
        above = list(islice(rows, at + 1))
        line, cells = above.pop()
        names = (cells.get(column, "") for column in range(max(cells) + 1))
        header = tuple("" if isinstance(name, Said) else clean_cell(name) for name in names)
        table.header = checked_header(table.source, header, line)
        table.notes.extend(above_header(number) for number, _ in above)
        yield None
        hidden = _Hidden(_merges(book, sheet))
        for line, cells in rows:
            yield _row(table, line, cells, hidden.in_row(line))


def _choose(book: Workbook, source: Source) -> tuple[str, int]:
    """Return the sheet to read and the place of its header among its first rows."""
    wanted = [sheet_of(book, source.sheet)] if source.sheet is not None else list(book.sheets)
    filled = None
    for sheet in wanted:
        first = list(islice(_rows(book, sheet), HEADER_WITHIN))
        for place, (_, cells) in enumerate(first):
            if is_header(cells.values()):
                return sheet, place
        filled = filled or (sheet if first else None)
    if filled is None:
        raise file_empty(source, "header")
    return filled, 0


def _rows(book: Workbook, sheet: str) -> Iterator[Row]:
    """Yield the rows of a sheet that hold anything, with their numbers."""
    reader = SheetReader(book)
    with book.open(book.sheets[sheet]) as stream:
        for _ in parse(stream, reader, book.path):
            yield from reader.taken()


def _merges(book: Workbook, sheet: str) -> list[Merge]:
    """Return the cells that are merged. They stand behind all rows, so the sheet is run through for them alone."""
    found: list[Merge] = []
    with book.open(book.sheets[sheet]) as stream:
        tail = b""
        while block := stream.read(_BLOCK):
            text = tail + block
            for one in _MERGED.finditer(text):
                place = column_number(one[1].decode()), column_number(one[3].decode())
                found.append((int(one[2]), place[0], int(one[4]), place[1]))
            tail = text[text.rfind(b"<") :][:_BLOCK] if b"<" in text else b""
            tail = b"" if b">" in tail else tail
            if len(found) > MOST_MERGES:
                raise damaged(book.path, f"more than {MOST_MERGES:,} groups of merged cells")
    return sorted(set(found))


class _Hidden:
    """Tells of each row which of its cells show nothing because they are merged into others; rows come in order."""

    def __init__(self, merges: list[Merge]) -> None:
        self._coming = merges[::-1]
        self._open: list[Merge] = []

    def in_row(self, line: int) -> dict[int, str]:
        """Return columns that are hidden, with the cells that they are merged with."""
        while self._coming and self._coming[-1][0] <= line:
            self._open.append(self._coming.pop())
        if not self._open:
            return {}
        self._open = [one for one in self._open if one[2] >= line]
        return {
            column: f"{column_letters(left)}{top}:{column_letters(right)}{bottom}"
            for top, left, bottom, right in self._open
            for column in range(left, min(right, MOST_COLUMNS) + 1)
            if (line, column) != (top, left)
        }


def _row(table: Table, line: int, cells: Mapping[int, str | Said], hidden: Mapping[int, str]) -> FileRow | RowError:
    """Return a row, or the first cell of a column with a name that cannot be taken."""
    values: dict[str, object] = {}
    for column, name in enumerate(table.header):
        if not name:
            continue
        place = f"{column_letters(column)}{line}"
        value = _merged(hidden[column]) if column in hidden else cells.get(column, "")
        if isinstance(value, Said):
            text = f"sheet {table.sheet}, cell {place}: {value}"
            message = Said("cell_at", text, sheet=table.sheet, cell=place, why=value)
            return RowError(line=line, column=name, reason="bad_cell", message=message)
        values[name] = value
    return FileRow(line=line, values=values)


def _merged(cells: str) -> Said:
    text = f"it is merged into {cells}, whose value belongs to the first cell alone; split them and fill in each cell"
    return Said("cell_merged", text, cells=cells)
