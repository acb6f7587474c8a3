"""XLSX for people: real dates and numbers, texts that are never formulas, as many sheets as the rows need.

Rows go through files in a folder of their own into the workbook, so that memory stays flat. What a cell cannot hold is
cut or replaced where everybody sees it, and told on the last sheet.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from answerwatch.domain.said import Said
from answerwatch.domain.texts import REPLACEMENT
from answerwatch.store.exports.columns import Columns
from answerwatch.store.exports.row_set import ValueKind
from answerwatch.workspace.exports.cells import in_zone, json_cell
from answerwatch.workspace.exports.layout import Layout, Remarks
from answerwatch.workspace.exports.views import CutCell
from answerwatch.workspace.files.fresh_file import beside
from answerwatch.workspace.files.guard import guarded
from answerwatch.workspace.files.workbook_limits import LONGEST_CELL, MOST_ROWS, as_held, may_fill, units
from answerwatch.workspace.files.workbook_writing import close_workbook, new_workbook

MOST_CUT_TOLD = 1_000
LARGEST_NUMBER = 10**15
"""Whole numbers from here on lose digits in a spreadsheet; they are written as texts."""
FIRST_YEAR = 1900
"""Before it a spreadsheet has no dates."""
_WIDTHS = {ValueKind.MOMENT: 20, ValueKind.INTEGER: 11, ValueKind.NUMBER: 12}
_WIDTH = 26


class XlsxWriter:
    """Writes rows into a workbook, a sheet after another, and a last sheet that says what they are."""

    def __init__(self, file: BinaryIO, layout: Layout, part: Path | None) -> None:
        """Begin the first sheet; what does not fit into memory lies beside `part`, or where the system has it."""
        self._layout = layout
        self._outlet = _Outlet(file)
        prefix = "answerwatch-" if part is None else beside(part)
        self._scratch = tempfile.TemporaryDirectory(prefix=prefix, dir=part and part.parent)
        self._book = new_workbook(self._outlet, self._scratch.name)
        self._book.use_zip64()
        self._bold = self._book.add_format({"bold": True})
        self._date = self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self._quoted = self._book.add_format({"quote_prefix": True})
        puts: dict[ValueKind, Callable[[int, Any], None]] = {
            ValueKind.TEXT: self._text,
            ValueKind.MOMENT: self._moment,
            ValueKind.JSON: self._json,
        }
        self._puts = [puts.get(one.kind, self._number) for one in layout.columns]
        self._sheets = 0
        self._line = 0
        self._cut: list[CutCell] = []
        self._cut_count = 0
        self._altered = 0
        self._next_sheet()

    def add(self, columns: Columns) -> None:
        """Write some rows, given as their columns."""
        for row in zip(*columns, strict=True):
            self._line += 1
            if self._line == MOST_ROWS:
                self._end_sheet()
                self._next_sheet()
                self._line = 1
            for index, value in enumerate(row):
                if value is not None:
                    self._puts[index](index, value)

    def finish(self) -> Remarks:
        """Write the last sheet and put everything into the file; raises OSError when that cannot be written."""
        self._end_sheet()
        self._notes()
        close_workbook(self._book)
        self._scratch.cleanup()
        return Remarks(cut=self._cut_count, cut_cells=tuple(self._cut), altered=self._altered, sheets=self._sheets)

    def abandon(self) -> None:
        """Remove what lies in the folder; what the library still writes goes nowhere."""
        self._outlet.closed_for_good = True
        for sheet in self._book.worksheets():
            with suppress(OSError):  # the disk may be full, and nobody needs what is still to be written
                sheet.row_data_fh.close()
        self._scratch.cleanup()

    def _next_sheet(self) -> None:
        self._sheets += 1
        self._line = 0
        self._sheet_name = self._layout.name if self._sheets == 1 else f"{self._layout.name} {self._sheets}"
        self._sheet = self._book.add_worksheet(self._sheet_name)
        self._sheet.freeze_panes(1, 0)
        for index, column in enumerate(self._layout.columns):
            self._sheet.set_column(index, index, _WIDTHS.get(column.kind, _WIDTH))
            self._sheet.write_string(0, index, self._head(index), self._bold)

    def _head(self, index: int) -> str:
        """Return the header of a column; that of moments says the time zone."""
        column = self._layout.columns[index]
        return f"{column.title} ({self._layout.zone_name})" if column.kind is ValueKind.MOMENT else column.title

    def _end_sheet(self) -> None:
        self._sheet.autofilter(0, 0, self._line, len(self._layout.columns) - 1)

    def _text(self, index: int, text: str) -> None:
        fixed, replaced = as_held(text)
        if replaced:
            self._altered += 1
        if may_fill(fixed) and units(fixed) > LONGEST_CELL:
            fixed = self._shortened(index, fixed)
        form = self._quoted if guarded(fixed) != fixed else None
        self._sheet.write_string(self._line, index, fixed, form)

    def _shortened(self, index: int, text: str) -> str:
        """Return as much of a text as a cell holds, with a mark at its end, and note the place."""
        self._cut_count += 1
        if len(self._cut) < MOST_CUT_TOLD:
            column = self._layout.columns[index].name
            cell = CutCell(sheet=self._sheet_name, row=self._line + 1, column=column, length=len(text))
            self._cut.append(cell)
        length = f"{len(text):,}"
        mark = self._layout.say(Said("export_cut", f" … [cut here: {length} characters in all]", length=length))
        kept = text.encode("utf-16-le")[: (LONGEST_CELL - units(mark)) * 2]
        return kept.decode("utf-16-le", "ignore") + mark

    def _moment(self, index: int, moment: datetime) -> None:
        local = in_zone(moment, self._layout.zone)
        if local.year < FIRST_YEAR or local.tzinfo is not self._layout.zone:
            self._sheet.write_string(self._line, index, local.isoformat())
        else:
            self._sheet.write_datetime(self._line, index, local.replace(tzinfo=None, microsecond=0), self._date)

    def _json(self, index: int, value: object) -> None:
        self._text(index, json_cell(value))

    def _number(self, index: int, value: float) -> None:
        if isinstance(value, int) and abs(value) >= LARGEST_NUMBER:
            self._sheet.write_string(self._line, index, str(value))
        else:
            self._sheet.write_number(self._line, index, value)

    def _notes(self) -> None:
        """Write the sheet that says what the rows are, and which cells do not hold everything."""
        say = self._layout.say
        sheet = self._book.add_worksheet(say(Said("export_notes", "Notes")))
        sheet.set_column(0, 2, 40)
        rows: list[tuple[object, ...]] = [(note,) for note in self._layout.notes]
        rows += [(), (say(Said("export_column", "Column")), say(Said("export_name", "Name")), say(_origin()))]
        rows += [(column.title, column.name, column.origin) for column in self._layout.columns]
        if self._cut_count:
            text = f"{self._cut_count} texts are longer than a cell may be and were cut; JSONL and CSV hold them whole:"
            rows += [(), (say(Said("export_cut_cells", text, count=self._cut_count)),)]
            rows += [(f"{cell.sheet}, {cell.row}", cell.column, cell.length) for cell in self._cut]
        if self._altered:
            text = f"{self._altered} cells held characters that no workbook holds; {REPLACEMENT} stands for them."
            rows += [(), (say(Said("export_altered", text, count=self._altered)),)]
        for line, row in enumerate(rows):
            for index, value in enumerate(row):
                if isinstance(value, int):
                    sheet.write_number(line, index, value)
                else:
                    sheet.write_string(line, index, str(value))


def _origin() -> Said:
    return Said("export_origin", "Told in the data dictionary of")


class _Outlet:
    """The file as the library sees it.

    A ZIP file that was left half-way writes its end when it is collected, long after the file was closed: by then this
    takes it and throws it away.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.closed_for_good = False

    def write(self, data: bytes) -> int:
        return len(data) if self.closed_for_good else self._file.write(data)

    def flush(self) -> None:
        if not self.closed_for_good:
            self._file.flush()
