"""JSONL for programs: one object a line under the names of the data dictionary, null where something is not known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import BinaryIO

import orjson

from answerwatch.store.exports import Kind
from answerwatch.workspace.exports.cells import in_zone
from answerwatch.workspace.exports.layout import Layout, Remarks


class JsonlWriter:
    """Writes rows as JSON objects in UTF-8; texts stand in it exactly."""

    def __init__(self, file: BinaryIO, layout: Layout) -> None:
        """Write nothing yet: there is no header."""
        self._file = file
        self._zone = layout.zone
        self._names = [column.name for column in layout.columns]
        self._moments = [column.name for column in layout.columns if column.kind is Kind.MOMENT]

    def add(self, rows: Iterable[Sequence[object]]) -> None:
        """Write rows, their values in the order of the columns."""
        self._file.write(b"".join(self._lines(rows)))

    def _lines(self, rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
        for row in rows:
            record = dict(zip(self._names, row, strict=True))
            for name in self._moments:
                moment = record[name]
                if isinstance(moment, datetime):
                    record[name] = in_zone(moment, self._zone)
            yield _line(record)

    def finish(self) -> Remarks:
        """Write nothing more."""
        return Remarks()

    def abandon(self) -> None:
        """Hold back nothing."""


def _line(record: dict[str, object]) -> bytes:
    try:
        return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # half a surrogate pair or a number of more than 64 bits: JSON has escapes and digits for them
        return json.dumps(record, separators=(",", ":"), default=_isoformat).encode() + b"\n"


def _isoformat(value: datetime) -> str:
    return value.isoformat()
