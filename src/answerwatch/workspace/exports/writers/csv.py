"""CSV for people and programs: UTF-8, cells that no spreadsheet program runs, moments as ISO 8601 with their offset.

Every text stands in quotation marks: one that is empty (`""`) is told from one that is not known (nothing). Lines are
put together here because the library looks at each character of each cell by itself, which takes longer than reading
the rows from the database.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from typing import Any, BinaryIO

from answerwatch.store.exports.columns import Columns, OfColumn, by_difference, by_identity
from answerwatch.store.exports.row_set import ValueKind
from answerwatch.workspace.exports.cells import json_cell, moment_texts
from answerwatch.workspace.exports.layout import Layout, Remarks
from answerwatch.workspace.files.guard import FIRST, guarded

_END = "\r\n"


class CsvWriter:
    """Writes rows as CSV; what is not known is an empty cell."""

    def __init__(self, file: BinaryIO, layout: Layout) -> None:
        """Write the header."""
        zone = layout.zone

        def moments(column: Sequence[Any]) -> list[str]:
            return [text or "" for text in moment_texts(column, zone)]

        self._file = file
        self._cells = [_converter(column.kind, moments) for column in layout.columns]
        mark = codecs.BOM_UTF8 if layout.bom else b""
        file.write(mark + (",".join(_texts([column.title for column in layout.columns])) + _END).encode())

    def add(self, columns: Columns) -> None:
        """Write some rows, given as their columns; converting a column at a time saves a call for each cell."""
        written = [cells(column) for cells, column in zip(self._cells, columns, strict=True)]
        self._file.write(_END.join([*map(",".join, zip(*written, strict=True)), ""]).encode())

    def finish(self) -> Remarks:
        """Write nothing more."""
        return Remarks()

    def abandon(self) -> None:
        """Hold back nothing."""


def _converter(kind: ValueKind, moments: OfColumn) -> OfColumn:
    """Return what makes the cells of a column of a kind."""
    match kind:
        case ValueKind.JSON:
            return by_identity(_json)
        case ValueKind.NUMBER:
            return _numbers
        case ValueKind.MOMENT:
            return by_difference(moments)
        case ValueKind.TEXT:
            return by_difference(_texts)
        case ValueKind.INTEGER:
            return by_difference(_numbers)


def _texts(column: Sequence[str | None]) -> list[str]:
    return [
        "" if text is None else f'"{text}"' if text[:1] not in FIRST and '"' not in text else _quoted(text)
        for text in column
    ]


def _quoted(text: str) -> str:
    return '"' + guarded(text).replace('"', '""') + '"'


def _json(column: Sequence[object]) -> list[str]:
    return ["" if value is None else _quoted(json_cell(value)) for value in column]


def _numbers(column: Sequence[float | None]) -> list[str]:
    return ["" if number is None else str(number) for number in column]
