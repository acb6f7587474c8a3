"""JSONL for programs: one object a line under the names of the data dictionary, null where something is not known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any, BinaryIO

from answerwatch.store.exports.columns import Columns, OfColumn, by_difference, by_identity
from answerwatch.store.exports.row_set import ValueKind
from answerwatch.workspace.exports.cells import moment_texts
from answerwatch.workspace.exports.layout import Layout, OutColumn, Remarks
from answerwatch.workspace.files.as_json import json_bytes


class JsonlWriter:
    """Writes rows as JSON objects in UTF-8; texts stand in it exactly."""

    def __init__(self, file: BinaryIO, layout: Layout) -> None:
        """Write nothing yet: there is no header."""
        self._file = file
        self._members = [
            _members(column, layout.zone, b"," if index else b"{") for index, column in enumerate(layout.columns)
        ]

    def add(self, columns: Columns) -> None:
        """Write some rows, given as their columns; an object is put together of its members, many of which repeat."""
        written = [members(column) for members, column in zip(self._members, columns, strict=True)]
        self._file.write(b"}\n".join([*map(b"".join, zip(*written, strict=True)), b""]))

    def finish(self) -> Remarks:
        """Write nothing more."""
        return Remarks()

    def abandon(self) -> None:
        """Hold back nothing."""


def _members(column: OutColumn, zone: tzinfo, before: bytes) -> OfColumn:
    """Return what makes members of objects of the values of a column: what stands before, name and value."""
    name = before + json_bytes(column.name) + b":"

    def members(values: Sequence[Any]) -> list[bytes]:
        return [name + json_bytes(value) for value in values]

    def moments(values: Sequence[Any]) -> list[bytes]:
        return members(moment_texts(values, zone))

    match column.kind:
        case ValueKind.MOMENT:
            return by_difference(moments)
        case ValueKind.TEXT | ValueKind.INTEGER:
            return by_difference(members)
        case ValueKind.JSON:
            return by_identity(members)
        case ValueKind.NUMBER:
            return members
