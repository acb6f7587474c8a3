"""CSV files as spreadsheets write them, row by row with line numbers."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain, islice

from answerwatch.domain.said import Said
from answerwatch.errors import UsageError
from answerwatch.workspace.files.cells import MARK, clean_cell
from answerwatch.workspace.files.columns import is_header
from answerwatch.workspace.files.guard import freed
from answerwatch.workspace.files.limits import HEADER_WITHIN, LONGEST_CELL
from answerwatch.workspace.files.records import FileRow, Source, Table, checked_header, file_empty
from answerwatch.workspace.files.row_notes import RowError, RowNote

DELIMITERS = (",", ";", "\t", "|")
_END = "\ufdd0end of file"
"""A row of our own behind the last one: when a quotation mark is open, it becomes part of a cell. No text holds it."""

Cells = tuple[int, list[str]]
"""Line on which a row begins, and its cells."""


def read_csv(source: Source) -> Table:
    """Return the rows of a CSV file, read as they are asked for."""
    csv.field_size_limit(LONGEST_CELL)
    notes: list[RowNote] = []
    start, delimiter = _separator(source)
    rows = _cells(source, _skip(_lines(source, notes), start), delimiter, start)
    first = list(islice(rows, HEADER_WITHIN))
    if not first:
        raise file_empty(source, "header")
    at = next((place for place, (_, cells) in enumerate(first) if is_header(cells)), 0)
    line, cells = first[at]
    header = checked_header(source, tuple(clean_cell(cell) for cell in cells), line)
    notes.extend(above_header(number) for number, _ in first[:at])
    table = Table(source=source, header=header, delimiter=delimiter, rows=iter(()), notes=notes)
    table.rows = _rows(table, chain(first[at + 1 :], rows))
    return table


def above_header(line: int) -> RowNote:
    """Return the note on a row that stands above the header."""
    return RowNote(line=line, reason="above_header", message=Said("row_above", "stands above the header; left out"))


def _lines(source: Source, notes: list[RowNote]) -> Iterator[str]:
    """Yield the lines of a file with their ends; marks where files were joined are taken away and noted."""
    quotes = 0
    with source.path.open(encoding=source.codec, newline="") as file:
        for number, line in enumerate(file, start=1):
            marked = quotes % 2 == 0 and line.startswith(MARK)  # never inside a quoted cell
            if marked and number > 1:
                message = Said("row_mark", "began with a byte order mark, which was removed")
                notes.append(RowNote(line=number, reason="mark_removed", message=message))
            quotes += line.count('"')
            yield line.lstrip(MARK) if marked else line


def _separator(source: Source) -> tuple[int, str]:
    """Return how many lines stand before the table, and what separates cells: told by `sep=`, or found.

    The first line with a separator decides by which it has most often; titles above a header have none.
    """
    written = 0
    for number, line in enumerate(_lines(source, [])):
        text = line.strip("\r\n")
        if number == 0 and text.strip().strip('"').lower().startswith("sep="):
            told = text.strip().strip('"')[4:5]
            return 1, told or ","
        plain = _outside_quotes(text)
        found = max(DELIMITERS, key=plain.count)
        written += bool(text.strip())
        if found in plain or written >= HEADER_WITHIN:
            return 0, found
    if written:
        return 0, DELIMITERS[0]
    raise file_empty(source, "rows")


def _outside_quotes(text: str) -> str:
    return "".join(text.split('"')[::2])


def _skip(lines: Iterator[str], count: int) -> Iterator[str]:
    return islice(lines, count, None)


def _cells(source: Source, lines: Iterator[str], delimiter: str, start: int) -> Iterator[Cells]:
    """Yield rows with anything in them; raises UsageError where a quotation mark is open.

    Strict: a mark that is left open in one row meets the first mark of a later row, where text follows it at once.
    """
    reader = csv.reader(chain(lines, (_END,)), delimiter=delimiter, strict=True)
    while True:
        line = start + reader.line_num + 1
        try:
            cells = next(reader)
        except csv.Error as error:
            raise _open_quote(source, line, start + reader.line_num, error) from error
        if cells == [_END]:
            return
        if any(cell.strip() for cell in cells):
            yield line, cells


def _open_quote(source: Source, line: int, last: int, error: csv.Error) -> UsageError:
    if "field larger" in str(error):
        text = (
            f"{source.path}, line {line}: a cell has more than {LONGEST_CELL:,} characters; is a quotation mark open?"
        )
        return UsageError("csv_cell", text, file=str(source.path), line=line, longest=f"{LONGEST_CELL:,}")
    if "unexpected end" in str(error):
        text = f"{source.path}, line {line}: a quotation mark is never closed; close it, or write it twice."
        return UsageError("csv_open_quote", text, file=str(source.path), line=line)
    text = (
        f"{source.path}, line {line}: a quotation mark is open or stands alone (noticed in line {last}); "
        "close it, or write it twice inside a cell that is quoted."
    )
    return UsageError("csv_quote", text, file=str(source.path), line=line, last=last)


def _rows(table: Table, rows: Iterator[Cells]) -> Iterator[FileRow | RowError]:
    header = table.header
    for line, cells in rows:
        if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
            text = f"{len(cells)} cells, but the header has {len(header)}; quote cells with separators"
            message = Said("row_cells", text, cells=len(cells), header=len(header))
            yield RowError(line=line, column="", reason="too_many_cells", message=message)
            continue
        swallowed = max(_swallowed(cell, table.delimiter or ",", len(header)) for cell in cells)
        if swallowed:
            text = f"a cell holds {swallowed} lines that look like rows; is a quotation mark open?"
            message = Said("row_swallows", text, count=swallowed)
            table.notes.append(RowNote(line=line, reason="swallows", message=message))
        yield FileRow(line=line, values={name: freed(cell) for name, cell in zip(header, cells, strict=False) if name})


def _swallowed(cell: str, delimiter: str, columns: int) -> int:
    """Return how many whole lines of a cell have as many cells as the table, when all of them have; else 0."""
    if "\n" not in cell or columns < 3:
        return 0
    inner = cell.split("\n")[1:-1]
    return len(inner) if inner and all(line.count(delimiter) == columns - 1 for line in inner) else 0
