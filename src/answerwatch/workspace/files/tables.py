"""Tables that people hold: CSV, JSON and workbooks, told apart by content and read row by row.

Memory stays flat: a file is read once for its encoding and its hash, and once for its rows.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import assert_never

from answerwatch.errors import UsageError
from answerwatch.workspace.files import kinds
from answerwatch.workspace.files.cells import BOM
from answerwatch.workspace.files.csv_rows import read_csv
from answerwatch.workspace.files.encodings import find_encoding
from answerwatch.workspace.files.json_rows import read_array, read_jsonl
from answerwatch.workspace.files.records import FileFormat, Reads, Source, Table
from answerwatch.workspace.files.sheets import read_sheet

_HEAD = 4096


def look_through(
    path: Path, *, encoding: str | None = None, file_format: str = "auto", sheet: str | None = None
) -> Source:
    """Read a file once and return its hash, encoding and format.

    Raises UsageError when there is no such file, it is a folder, pipe or device, it is empty, its encoding is not
    known, or it is of a kind that is not read (which is named).
    """
    wanted = _wanted(file_format)
    try:
        kinds.refuse_unordinary(path)
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        text = f"{path} cannot be read: {error.strerror}."
        raise UsageError("file_unreadable", text, file=str(path), why=str(error.strerror)) from error
    if not head:
        raise UsageError("file_empty", f"{path} is empty.", file=str(path))
    packed = kinds.packed_format(path, head)
    if packed is None and wanted in (FileFormat.XLSX, FileFormat.ZIP):
        raise kinds.other_kind(path, kinds.TEXT)
    shown, codec = ("UTF-8", "utf-8") if packed else find_encoding(path, head, encoding)
    found = packed or wanted or _text_format(path, codec)
    return Source(path=path, sha256=_sha256(path), encoding=shown, codec=codec, format=found, sheet=sheet)


def read_table(source: Source, reads: Reads | None = None) -> Table:
    """Return the rows of a file, read as they are asked for.

    `reads` tells which columns are wanted; cells of others may be anything. Without it all are.
    """
    match source.format:
        case FileFormat.CSV:
            return read_csv(source, reads)
        case FileFormat.JSONL:
            return read_jsonl(source)
        case FileFormat.JSON:
            return read_array(source)
        case FileFormat.XLSX:
            return read_sheet(source, reads)
        case FileFormat.ZIP:
            raise kinds.other_kind(source.path, kinds.ARCHIVE)
        case _:
            assert_never(source.format)


def _wanted(file_format: str) -> FileFormat | None:
    if file_format == "auto":
        return None
    try:
        return FileFormat(file_format)
    except ValueError:
        known = ", ".join(FileFormat)
        text = f"Files of format {file_format!r} cannot be imported; use {known}."
        raise UsageError("format_unknown", text, format=file_format, known=known) from None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _text_format(path: Path, codec: str) -> FileFormat:
    """Return the format of a text: by its first letter, and where that is `{`, by whether the first line is whole."""
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        return FileFormat.JSONL
    with path.open(encoding=codec) as file:
        text = file.read(_HEAD).lstrip(BOM + " \t\r\n")
    if text[:1] == "[":
        return FileFormat.JSON
    if text[:1] != "{":
        kinds.refuse_markup(path, text)
        return FileFormat.CSV
    first, line_end, rest = text.partition("\n")
    if line_end and not first.rstrip().endswith("}"):
        return FileFormat.JSON
    return FileFormat.JSON if path.suffix.lower() == ".json" and not rest.lstrip().startswith("{") else FileFormat.JSONL
