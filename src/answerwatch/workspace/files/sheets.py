"""One sheet of a workbook as a table: its header is found, and cells that cannot be trusted are told by their place."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from itertools import islice

from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.workspace.files.cells import clean_cell
from answerwatch.workspace.files.columns import is_header
from answerwatch.workspace.files.cut_cells import refuse_cut
from answerwatch.workspace.files.kinds import damaged
from answerwatch.workspace.files.limits import HEADER_WITHIN, MOST_MERGES
from answerwatch.workspace.files.records import FileRow, Reads, Source, Table, file_empty
from answerwatch.workspace.files.row_notes import RowError, RowNote, above_header
from answerwatch.workspace.files.sheet_cells import Row, SheetReader, column_letters, column_number
from answerwatch.workspace.files.workbooks import Workbook, open_workbook, sheet_of
from answerwatch.workspace.files.xml_pieces import parse

_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref\s*=\s*[\"']([^\"'>]*)[\"']")
_RANGE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})(?::([A-Za-z]{1,3})([0-9]{1,7}))?")
_BLOCK = 1 << 18
_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}

Merge = tuple[int, int, int, int]
"""First row, first column (from 0), last row, last column of cells that are one."""


def read_sheet(source: Source, reads: Reads | None = None) -> Table:
    """Return the rows of a sheet: of the one that is wanted, else of the first whose header is known."""
    table = Table(source=source, header=(), delimiter=None)
    rows = _read(table, reads)
    next(rows)
    table.rows = (row for row in rows if row is not None)
    return table


def _read(table: Table, reads: Reads | None) -> Iterator[FileRow | RowError | None]:
    """Yield None once the header is known, and then the rows; the workbook stays open as long as rows are taken."""
    with open_workbook(table.source.path) as book:
        book.read_texts()
        sheet, at = _choose(book, table.source)
        table.sheet, table.sheets = sheet, tuple(book.sheets)
        rows = _rows(book, sheet)
        table.notes.extend(above_header(number) for number, _ in islice(rows, at))
        line, cells = next(rows)
        table.notes.extend(_nameless(line, column, cell) for column, cell in cells.items() if isinstance(cell, Said))
        names = (cells.get(column, "") for column in range(max(cells) + 1))
        table.begin(tuple("" if isinstance(name, Said) else clean_cell(name) for name in names), line, reads)
        if table.source.sheet is None:
            table.notes.extend(_others(book, table, line))
        yield None
        hidden = _Hidden(_merges(book, sheet), table)
        for line, cells in rows:
            yield _row(table, line, cells, hidden.in_row(line))


def _choose(book: Workbook, source: Source) -> tuple[str, int]:
    """Return the sheet to read and the place of its header among its first rows."""
    wanted = [sheet_of(book, source.sheet)] if source.sheet is not None else list(book.sheets)
    filled = None
    for sheet in wanted:
        for place, (_, cells) in enumerate(islice(_rows(book, sheet), HEADER_WITHIN)):
            if is_header(cells.values()):
                return sheet, place
            filled = filled or sheet
    if filled is None:
        raise file_empty(source, "header")
    return filled, 0


def _nameless(line: int, column: int, why: Said) -> RowNote:
    """Return the note on a column whose name cannot be trusted."""
    place = f"{column_letters(column)}{line}"
    message = Said("row_nameless", f"the column below cell {place} is left out: {why}", cell=place, why=why)
    return RowNote(line=line, reason="nameless", message=message)


def _others(book: Workbook, table: Table, line: int) -> Iterator[RowNote]:
    """Yield the note that sheets with such columns as those of the table are not read, if there are any."""
    mine = set(filter(None, table.header))

    def is_such(cells: Mapping[int, str | Said]) -> bool:
        return len(mine & {clean_cell(cell) for cell in cells.values()}) >= min(2, len(mine))

    sheets = [sheet for sheet in book.sheets if sheet != table.sheet]
    others = [one for one in sheets if any(is_such(cells) for _, cells in islice(_rows(book, one), HEADER_WITHIN))]
    if mine and others:
        there = in_short("、".join(others), 200)
        text = (
            f"only sheet {in_short(table.sheet)} is read; {there} has such columns too: "
            "name the sheet that you want, or import each as a file of its own"
        )
        message = Said("row_sheets", text, sheet=in_short(table.sheet), others=there)
        yield RowNote(line=line, reason="sheets", message=message)


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
        codec = _UTF_16.get(stream.read(2))
        source = stream if codec is None else codecs.EncodedFile(stream, "utf-8", codec)
        while block := source.read(_BLOCK):
            xml = tail + block
            found += [_merge(book, one[1].decode("utf-8", "replace")) for one in _MERGED.finditer(xml)]
            tail = xml[xml.rfind(b"<") :][:_BLOCK] if b"<" in xml else b""
            tail = b"" if b">" in tail else tail
            if len(found) > MOST_MERGES:
                text = f"it has more than {MOST_MERGES:,} groups of merged cells"
                raise damaged(book.path, Said("damaged_merges", text, most=f"{MOST_MERGES:,}"))
    return sorted(set(found))


def _merge(book: Workbook, cells: str) -> Merge:
    found = _RANGE.fullmatch(cells)
    if found is None:
        text = f"it merges cells {in_short(cells)}"
        raise damaged(book.path, Said("damaged_merge", text, cells=in_short(cells)))
    columns = sorted((column_number(found[1]), column_number(found[3] or found[1])))
    lines = sorted((int(found[2]), int(found[4] or found[2])))
    return lines[0], columns[0], lines[1], columns[1]


class _Hidden:
    """Tells of each row which of its cells show nothing because they are merged into others; rows come in order."""

    def __init__(self, merges: list[Merge], table: Table) -> None:
        self._table = table
        self._width = len(table.header)
        self._coming = [one for one in merges if one[1] < self._width][::-1]
        self._open: list[Merge] = []

    def in_row(self, line: int) -> dict[int, str]:
        """Return columns that are hidden, with the cells that they are merged with."""
        while self._coming and self._coming[-1][0] <= line:
            self._open.append(self._coming.pop())
        if not self._open:
            return {}
        self._open = [one for one in self._open if one[2] >= line]
        if len(self._open) > self._width:
            text = f"merged cells lie over each other in row {line:,}"
            raise damaged(self._table.source.path, Said("damaged_overlap", text, line=line))
        return {
            column: f"{column_letters(left)}{top}:{column_letters(right)}{bottom}"
            for top, left, bottom, right in self._open
            for column in range(left, min(right + 1, self._width))
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
        if not isinstance(value, Said):
            if name in table.reads and (cut := refuse_cut(table, line, name, value)):
                return cut
        elif name not in table.reads:
            value = ""
        else:
            sheet = in_short(table.sheet)
            text = f"sheet {sheet}, cell {place}: {value}"
            message = Said("cell_at", text, sheet=sheet, cell=place, why=value)
            return RowError(line=line, column=name, reason="bad_cell", message=message)
        values[name] = value
    return FileRow(line=line, values=values)


def _merged(cells: str) -> Said:
    text = f"it is merged into {cells}, whose value belongs to the first cell alone; split them and fill in each cell"
    return Said("cell_merged", text, cells=cells)
