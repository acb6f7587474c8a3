"""The formats of exports: one file for each writer, and the table that names them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from answerwatch.workspace.exports.layout import Layout, Writer

Make = Callable[[BinaryIO, Layout, Path | None], Writer]
"""Makes a writer of a file, a layout, and the path beside which that lies which does not fit into memory (None: of a
stream)."""


def _csv(file: BinaryIO, layout: Layout, part: Path | None) -> Writer:
    from answerwatch.workspace.exports.writers.csv import CsvWriter  # noqa: PLC0415 - loaded for its format alone

    del part
    return CsvWriter(file, layout)


def _jsonl(file: BinaryIO, layout: Layout, part: Path | None) -> Writer:
    from answerwatch.workspace.exports.writers.jsonl import JsonlWriter  # noqa: PLC0415 - loaded for its format alone

    del part
    return JsonlWriter(file, layout)


def _xlsx(file: BinaryIO, layout: Layout, part: Path | None) -> Writer:
    from answerwatch.workspace.exports.writers.xlsx import XlsxWriter  # noqa: PLC0415 - loaded for its format alone

    return XlsxWriter(file, layout, part)


FORMATS: Mapping[str, Make] = MappingProxyType({"csv": _csv, "jsonl": _jsonl, "xlsx": _xlsx})
"""Formats by name, which is also how their files end."""
