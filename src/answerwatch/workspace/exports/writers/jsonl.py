"""JSONL for programs: one object a line under the names of the data dictionary, null where something is not known."""

from __future__ import annotations

import json
from typing import BinaryIO

import orjson

from answerwatch.store.exports.columns import Columns, by_difference
from answerwatch.store.exports.row_set import Kind
from answerwatch.workspace.exports.cells import moment_texts
from answerwatch.workspace.exports.layout import Layout, Remarks


class JsonlWriter:
    """Writes rows as JSON objects in UTF-8; texts stand in it exactly."""

    def __init__(self, file: BinaryIO, layout: Layout) -> None:
        """Write nothing yet: there is no header."""
        self._file = file
        self._names = [column.name for column in layout.columns]
        self._moments = {
            index: by_difference(lambda column: moment_texts(column, layout.zone))
            for index, column in enumerate(layout.columns)
            if column.kind is Kind.MOMENT
        }

    def add(self, columns: Columns) -> None:
        """Write some rows, given as their columns."""
        written = list(columns)
        for index, texts in self._moments.items():
            written[index] = texts(columns[index])
        names = self._names
        self._file.write(b"".join([_line(dict(zip(names, row, strict=False))) for row in zip(*written, strict=True)]))

    def finish(self) -> Remarks:
        """Write nothing more."""
        return Remarks()

    def abandon(self) -> None:
        """Hold back nothing."""


def _line(record: dict[str, object]) -> bytes:
    try:
        return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # half a surrogate pair or a number of more than 64 bits: JSON has escapes and digits for them
        return json.dumps(record, separators=(",", ":")).encode() + b"\n"
