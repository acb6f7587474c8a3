"""Hits as rows of CSV or lines of JSON, one after the other."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from answerwatch.domain.plain import to_plain
from answerwatch.workspace.files.as_json import json_bytes
from answerwatch.workspace.files.guard import guarded
from answerwatch.workspace.similarity.views import Hit

COLUMNS = ("left_line", "right_line", "score", "source", "left", "right", "scorer_id")


def csv_rows(hits: Iterable[Hit]) -> Iterator[bytes]:
    """Yield the head and a row for each hit; texts that a spreadsheet would take for formulas are guarded."""
    yield _csv(COLUMNS)
    for hit in hits:
        yield _csv([getattr(hit, name) for name in COLUMNS])


def json_lines(hits: Iterable[Hit]) -> Iterator[bytes]:
    """Yield a line for each hit."""
    for hit in hits:
        yield json_bytes(to_plain(hit)) + b"\n"


def _csv(cells: Iterable[object]) -> bytes:
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow([guarded(cell) if isinstance(cell, str) else cell for cell in cells])
    return row.getvalue().encode()
