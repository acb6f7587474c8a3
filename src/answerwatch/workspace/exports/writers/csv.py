"""CSV for people and programs: UTF-8, cells that no spreadsheet program runs, moments as ISO 8601 with their offset."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, BinaryIO

from answerwatch.store.exports import Kind
from answerwatch.workspace.exports.cells import in_zone, json_cell
from answerwatch.workspace.exports.layout import Layout, Remarks
from answerwatch.workspace.files.guard import guarded


class CsvWriter:
    """Writes rows as CSV; what is not known is an empty cell."""

    def __init__(self, file: BinaryIO, layout: Layout) -> None:
        """Write the header."""
        self._csv = csv.writer(_Utf8(file))
        self._converters = _converters(layout)
        if layout.bom:
            file.write(codecs.BOM_UTF8)
        self._csv.writerow([guarded(column.title) for column in layout.columns])

    def add(self, rows: Iterable[Sequence[object]]) -> None:
        """Write rows, their values in the order of the columns."""
        self._csv.writerows(map(self._cells, rows))

    def _cells(self, row: Sequence[object]) -> list[object]:
        cells = list(row)
        for index, convert in self._converters:
            value = cells[index]
            if value is not None:
                cells[index] = convert(value)
        return cells

    def finish(self) -> Remarks:
        """Write nothing more."""
        return Remarks()

    def abandon(self) -> None:
        """Hold back nothing."""


class _Utf8:
    """Takes lines from the library and hands them on as bytes; holds none, so that nothing is to be let go of."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, line: str) -> int:
        return self._file.write(line.encode())


def _converters(layout: Layout) -> list[tuple[int, Callable[[Any], str]]]:
    """Return the columns whose values do not stand in a cell as they are, with what makes them do so."""

    def moment(value: datetime) -> str:
        return in_zone(value, layout.zone).isoformat()

    kinds: dict[Kind, Callable[[Any], str]] = {Kind.TEXT: guarded, Kind.MOMENT: moment, Kind.JSON: _json}
    return [(index, kinds[column.kind]) for index, column in enumerate(layout.columns) if column.kind in kinds]


def _json(value: object) -> str:
    return guarded(json_cell(value))
