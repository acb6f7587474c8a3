"""CSV files as spreadsheets write them, row by row with line numbers."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import partial
from itertools import islice

from answerwatch.domain.said import Said
from answerwatch.errors import UsageError
from answerwatch.workspace.files.cells import BOM, clean_cell
from answerwatch.workspace.files.columns import is_header
from answerwatch.workspace.files.cut_cells import refuse_cut
from answerwatch.workspace.files.guard import freed
from answerwatch.workspace.files.limits import HEADER_WITHIN, LONGEST_ROW
from answerwatch.workspace.files.open_quotes import OpenQuotes, Swallowed
from answerwatch.workspace.files.records import FileRow, Reads, Source, Table, file_empty
from answerwatch.workspace.files.row_notes import RowError, RowNote, above_header
from answerwatch.workspace.files.told import Told

DELIMITERS = (",", ";", "\t", "|")
_TOO_LONG = "row too long"

Cells = tuple[int, list[str]]
"""Line on which a row begins, and its cells."""


def read_csv(source: Source, reads: Reads | None = None) -> Table:
    """Return the rows of a CSV file, read as they are asked for; `reads` tells the columns that count."""
    csv.field_size_limit(LONGEST_ROW)
    start, delimiter = _separator(source)
    at = _header_place(source, _Feed(source, start), delimiter)
    table = Table(source=source, header=(), delimiter=delimiter)
    feed = _Feed(source, start, table.notes)
    rows = _cells(source, feed, delimiter)
    above = [number for number, _ in islice(rows, at)]
    line, cells = next(rows)
    table.begin(tuple(clean_cell(cell) for cell in cells), line, reads)
    table.notes.extend(above_header(number) for number in above)
    quotes = None
    if not _are_quoted(feed.row, cells, delimiter):
        quotes = OpenQuotes(len(cells), delimiter, lambda: _again(source, start, delimiter, at))
    table.rows = _rows(table, rows, quotes)
    return table


def _are_quoted(row: list[str], cells: list[str], delimiter: str) -> bool:
    """Tell whether all cells of a row stand in quotation marks.

    Whoever writes the header so does it with all texts, and a mark that is left open then meets the next one at once.
    """
    written = delimiter.join('"' + cell.replace('"', '""') + '"' for cell in cells)
    return "".join(row).rstrip("\r\n") == written


def _again(source: Source, start: int, delimiter: str, at: int) -> Iterator[list[str]]:
    return (cells for _, cells in islice(_cells(source, _Feed(source, start), delimiter), at + 1, None))


def _header_place(source: Source, feed: _Feed, delimiter: str) -> int:
    """Return which of the first rows is the header; raises UsageError where there is no row at all."""
    place = -1
    for place, (_, cells) in enumerate(islice(_cells(source, feed, delimiter), HEADER_WITHIN)):
        if is_header(cells):
            return place
    if place < 0:
        raise file_empty(source, "header")
    return 0


def _lines(source: Source, notes: Told[RowNote]) -> Iterator[str]:
    """Yield the lines of a file with their ends; marks where files were joined are taken away and noted."""
    quotes = 0
    with source.path.open(encoding=source.codec, newline="") as file:
        for number, line in enumerate(iter(partial(file.readline, LONGEST_ROW + 1), ""), start=1):
            marked = quotes % 2 == 0 and line.startswith(BOM)  # never inside a quoted cell
            if marked and number > 1:
                message = Said("row_mark", "began with a byte order mark, which was removed")
                notes.add(RowNote(line=number, reason="mark_removed", message=message))
            quotes += line.count('"')
            yield line.lstrip(BOM) if marked else line


def _separator(source: Source) -> tuple[int, str]:
    """Return how many lines stand before the table, and what separates cells: told by `sep=`, or found.

    The first line with a separator decides by which it has most often; titles above a header have none.
    """
    written = 0
    for number, line in enumerate(_lines(source, Told())):
        if len(line) > LONGEST_ROW:
            raise _too_long(source, number + 1)
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


class _Feed:
    """The lines of a table as they go into the reader, those of the present row kept."""

    def __init__(self, source: Source, start: int, notes: Told[RowNote] | None = None) -> None:
        """Leave out the lines before `start`; what is noted of lines goes to `notes`."""
        self._lines = islice(_lines(source, notes or Told()), start, None)
        self.start = start
        self.row: list[str] = []
        self._length = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.row.append(line)
            self._length += len(line)
            if self._length > LONGEST_ROW:
                raise csv.Error(_TOO_LONG)
            yield line

    def next_row(self) -> None:
        """Forget the present row."""
        self.row.clear()
        self._length = 0


def _cells(source: Source, feed: _Feed, delimiter: str) -> Iterator[Cells]:
    """Yield rows with anything in them; raises UsageError where a quotation mark is open.

    Strict: a mark that is left open in one row meets the first mark of a later row, where text follows it at once.
    """
    reader = csv.reader(feed, delimiter=delimiter, strict=True)
    while True:
        line = feed.start + reader.line_num + 1
        feed.next_row()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _open_quote(source, line, feed.start + reader.line_num, error) from error
        if any(cell.strip() for cell in cells):
            yield line, cells


def _too_long(source: Source, line: int) -> UsageError:
    text = f"{source.path}, line {line}: a row has more than {LONGEST_ROW:,} characters; is a quotation mark open?"
    return UsageError("csv_row", text, file=str(source.path), line=line, longest=f"{LONGEST_ROW:,}")


def _open_quote(source: Source, line: int, last: int, error: csv.Error) -> UsageError:
    if str(error) == _TOO_LONG:
        return _too_long(source, line)
    if "unexpected end" in str(error):
        text = f"{source.path}, line {line}: a quotation mark is never closed; close it, or write it twice."
        return UsageError("csv_open_quote", text, file=str(source.path), line=line)
    text = (
        f"{source.path}, line {line}: a quotation mark is open or stands alone (noticed in line {last}); "
        "close it, or write it twice inside a cell that is quoted."
    )
    return UsageError("csv_quote", text, file=str(source.path), line=line, last=last)


def _rows(table: Table, rows: Iterator[Cells], quotes: OpenQuotes | None) -> Iterator[FileRow | RowError]:
    header = table.header
    for line, cells in rows:
        if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
            text = f"{len(cells)} cells, but the header has {len(header)}; quote cells with separators"
            message = Said("row_cells", text, cells=len(cells), header=len(header))
            yield RowError(line=line, column="", reason="too_many_cells", message=message)
            continue
        swallowed = None if quotes is None else quotes.find(cells)
        if swallowed is not None and swallowed.is_sure:
            yield _swallows(line, header, swallowed)
            continue
        if swallowed is not None:
            text = f"a cell holds {swallowed.rows} lines that look like rows; is a quotation mark open?"
            message = Said("row_swallows", text, count=swallowed.rows)
            table.notes.add(RowNote(line=line, reason="swallows", message=message))
        values = {name: freed(cell) for name, cell in zip(header, cells, strict=False) if name}
        cuts = (refuse_cut(table, line, name, str(value)) for name, value in values.items() if name in table.reads)
        yield next(filter(None, cuts), None) or FileRow(line=line, values=values)


def _swallows(line: int, header: tuple[str, ...], found: Swallowed) -> RowError:
    """Return the error of a row in which a quotation mark is open, with the lines between which it is."""
    first = line + found.above
    last = first + found.breaks
    text = (
        f"a quotation mark opened in line {first} is closed in line {last}, and the lines between look like rows; "
        "close it where its cell ends, or, if they belong to the cell, put all texts of the file in quotation marks"
    )
    message = Said("row_swallowed", text, first=first, last=last)
    return RowError(line=line, column=header[found.column], reason="swallows", message=message)
