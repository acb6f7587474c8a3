"""Records of JSON, one at a time and numbered: objects a line, or those in a document or an archive of documents."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from typing import TextIO

import orjson

from answerwatch.domain.said import Said
from answerwatch.workspace.files.archives import BROKEN, checked_members
from answerwatch.workspace.files.cells import BOM
from answerwatch.workspace.files.json_pieces import ITEM, JsonDocument
from answerwatch.workspace.files.kinds import damaged
from answerwatch.workspace.files.limits import DEEPEST, LONGEST_RECORD
from answerwatch.workspace.files.records import FileFormat, FileRow, Source, Table
from answerwatch.workspace.files.row_notes import RowError

Numbered = tuple[int, "dict[str, object] | Said"]
"""Line or number of a record, and the record or what is wrong with it."""


def read_jsonl(source: Source) -> Table:
    """Return the rows of a JSONL file."""
    return _table(source, json_lines(source))


def read_array(source: Source) -> Table:
    """Return the records of a JSON document that is one list of them."""
    return _table(source, json_records(source, (ITEM,)))


def json_lines(source: Source) -> Iterator[Numbered]:
    """Yield the objects of a JSONL file; empty lines are left out."""
    with source.path.open(encoding=source.codec, newline="\n") as file:
        for number, line in enumerate(_lines(file), start=1):
            if len(line) > LONGEST_RECORD:
                yield number, _too_long()
            elif text := line.strip(BOM + " \t\r\n"):
                yield number, read_object(text)


def _lines(file: TextIO) -> Iterator[str]:
    """Yield the lines of a file; of one that is too long only the beginning."""
    while line := file.readline(LONGEST_RECORD + 1):
        yield line
        while len(line) > LONGEST_RECORD and not line.endswith("\n"):
            line = file.readline(LONGEST_RECORD + 1)


def json_records(
    source: Source, path: tuple[str, ...], *, members: Callable[[str], object] = bool
) -> Iterator[Numbered]:
    """Yield the records that lie under `path` in a JSON document, or in those of an archive, numbered from 1.

    `members` tells by its name whether a file of an archive is read.
    """
    values = (value for file in _documents(source, members) for value in JsonDocument(file, source.path).items(path))
    try:
        for number, value in enumerate(values, start=1):
            yield number, checked(value)
    except BROKEN as error:
        if source.format is not FileFormat.ZIP:
            raise
        raise damaged(source.path, str(error)) from error


def _documents(source: Source, members: Callable[[str], object]) -> Iterator[TextIO]:
    """Yield the document of a file, or those of an archive that are read."""
    if source.format is not FileFormat.ZIP:
        with source.path.open(encoding=source.codec) as file:
            yield file
        return
    with zipfile.ZipFile(source.path) as archive:
        names = checked_members(archive, source.path)
        for name in sorted(filter(members, names)):
            with archive.open(name) as packed:
                yield TextIOWrapper(packed, "utf-8-sig")


def _table(source: Source, records: Iterable[Numbered]) -> Table:
    table = Table(source=source, header=(), delimiter=None)
    table.rows = _rows(table, records)
    return table


def _rows(table: Table, records: Iterable[Numbered]) -> Iterator[FileRow | RowError]:
    keys: dict[str, None] = {}
    for number, values in records:
        if isinstance(values, Said):
            yield RowError(line=number, column="", reason="bad_json", message=values)
            continue
        if not values.keys() <= keys.keys():
            keys |= dict.fromkeys(values)
            table.header = tuple(keys)
        yield FileRow(line=number, values=values)


def read_object(text: str) -> dict[str, object] | Said:
    """Return the object of one line, or what is wrong with it."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        # Lone surrogates and NaN are beyond the strict parser, but real files hold both.
        try:
            value = json.loads(text, parse_constant=lambda _: None)
        except json.JSONDecodeError as error:
            return Said("row_no_json", f"not JSON ({error})", why=str(error))
        except RecursionError:
            return _too_deep()
        except ValueError:
            return Said("row_digits", "holds a number with too many digits")
    return checked(value)


def checked(value: object) -> dict[str, object] | Said:
    """Return a JSON value that is an object and not too deep, or what is wrong with it."""
    if not isinstance(value, dict):
        return Said("row_no_object", "not a JSON object")
    return _too_deep() if _is_deep(value) else value


def _too_long() -> Said:
    text = f"it has more than {LONGEST_RECORD:,} characters"
    return Said("row_record", text, longest=f"{LONGEST_RECORD:,}")


def _too_deep() -> Said:
    return Said("row_deep", f"holds lists or records more than {DEEPEST} levels deep", deepest=DEEPEST)


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        inner = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list))
        level = [one for part in inner for one in part]
        if not level:
            return False
    return True
