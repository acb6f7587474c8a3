"""Tables that people hold: CSV and JSONL in the encodings of spreadsheets, read row by row with line numbers.

Order of trial of encodings: byte order mark, strict UTF-8, GB18030 (which holds GBK); a file that is none of them is
refused with the place of the first bad byte. Nothing is ever decoded with replacement. Memory stays flat: a file is
read twice, once to find its encoding and hash, once for its rows.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import orjson

from answerwatch.domain.said import Said
from answerwatch.errors import UsageError
from answerwatch.workspace.files.guard import freed
from answerwatch.workspace.files.row_notes import RowError, RowNote

MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
_MARKS = (
    (codecs.BOM_UTF8, "UTF-8"),
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_BLOCK = 1 << 20
LONGEST_CELL = 64 * 1024 * 1024
"""Characters of a CSV cell that are read at all; an unclosed quote would otherwise read the whole file as one cell."""
DELIMITERS = (",", ";", "\t", "|")
DEEPEST = 100
"""Lists and records inside each other that a JSON row may hold; what works with it calls itself for each level."""
_END = "\ufdd0end of file"
"""A row of our own behind the last one: when a quotation mark is open, it becomes part of a cell. No text holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file that was looked through once."""

    path: Path
    sha256: str
    encoding: str
    """As it is shown: `UTF-8`, `GB18030`, ..."""
    codec: str
    """Python's name; takes the mark at the beginning away."""
    format: str
    """`csv` or `jsonl`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """One row by the file's own column names."""

    line: int
    values: Mapping[str, object]


@dataclass(slots=True)
class Table:
    """The rows of a file; notes and errors are complete once the rows were read."""

    source: Source
    header: tuple[str, ...]
    """Columns of a CSV file; for JSONL the keys met so far."""
    delimiter: str | None
    rows: Iterator[FileRow | RowError]
    notes: list[RowNote] = field(default_factory=list)


def look_through(path: Path, *, encoding: str | None = None, file_format: str = "auto") -> Source:
    """Read a file once and return its hash, encoding and format.

    Raises UsageError when there is no such file, it is empty, its encoding is not known, or it is no table.
    """
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except OSError as error:
        text = f"{path} cannot be read: {error.strerror}."
        raise UsageError("file_unreadable", text, file=str(path), why=str(error.strerror)) from error
    if not head:
        raise UsageError("file_empty", f"{path} is empty.", file=str(path))
    if head.startswith(b"PK\x03\x04"):
        text = f"{path} is a spreadsheet or archive; save it as CSV (UTF-8) first."
        raise UsageError("file_not_a_table", text, file=str(path))
    shown, codec = _encoding(path, head, encoding)
    return Source(
        path=path, sha256=_sha256(path), encoding=shown, codec=codec, format=_format(path, codec, file_format)
    )


def read_table(source: Source) -> Table:
    """Return the rows of a file, read as they are asked for."""
    return _read_jsonl(source) if source.format == "jsonl" else _read_csv(source)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _encoding(path: Path, head: bytes, forced: str | None) -> tuple[str, str]:
    """Return the encoding as shown and as Python calls it."""
    if forced is not None:
        return _forced(path, forced)
    for mark, name in _MARKS:
        if head.startswith(mark):
            codec = "utf-8-sig" if name == "UTF-8" else name
            _refuse_bad_bytes(path, codec, name)
            return name, codec
    utf8 = _first_bad_byte(path, "utf-8")
    if utf8 is None:
        return "UTF-8", "utf-8"
    gb18030 = _first_bad_byte(path, "gb18030")
    if gb18030 is None:
        return "GB18030", "gb18030"
    text = (
        f"{path} is neither UTF-8 (bad byte at offset {utf8}) nor GB18030 (bad byte at offset {gb18030}); "
        "save it as UTF-8, or name its encoding."
    )
    raise UsageError("file_encoding", text, file=str(path), utf8=utf8, gb18030=gb18030)


def _forced(path: Path, name: str) -> tuple[str, str]:
    try:
        "a".encode(name)  # codecs between bytes or texts, such as base64 and rot13, are refused here
        codec = codecs.lookup(name).name
    except (LookupError, UnicodeError) as error:
        text = f"There is no encoding {name!r}; use utf-8, gb18030, big5 or utf-16."
        raise UsageError("encoding_unknown", text, encoding=name) from error
    codec = "utf-8-sig" if codec == "utf-8" else codec
    _refuse_bad_bytes(path, codec, name)
    return name.upper(), codec


def _refuse_bad_bytes(path: Path, codec: str, name: str) -> None:
    offset = _first_bad_byte(path, codec)
    if offset is not None:
        text = f"{path} is not {name}: bad byte at offset {offset}; save it as UTF-8."
        raise UsageError("file_bad_byte", text, file=str(path), encoding=name, offset=offset)


def _first_bad_byte(path: Path, codec: str) -> int | None:
    """Return the offset of the first byte that cannot be decoded, None when the whole file can."""
    decoder = codecs.getincrementaldecoder(codec)("strict")
    offset = 0
    with path.open("rb") as file:
        while True:
            block = file.read(_BLOCK)
            waiting = len(decoder.getstate()[0])
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                return offset - waiting + error.start
            except UnicodeError:  # UTF-16 without the mark that tells its byte order
                return offset
            offset += len(block)
            if not block:
                return None


def _format(path: Path, codec: str, wanted: str) -> str:
    if wanted in ("csv", "jsonl"):
        return wanted
    if wanted != "auto":
        text = f"Files of format {wanted!r} cannot be imported; use csv or jsonl."
        raise UsageError("format_unknown", text, format=wanted)
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        return "jsonl"
    with path.open(encoding=codec) as file:
        first = file.read(256).lstrip(MARK + " \t\r\n")[:1]
    if first == "[":
        text = f"{path} is one JSON array; write one object a line (JSONL)."
        raise UsageError("file_not_a_table", text, file=str(path))
    return "jsonl" if first == "{" else "csv"


def _lines(source: Source, notes: list[RowNote]) -> Iterator[str]:
    """Yield the lines of a file with their ends; marks where files were joined are taken away and noted."""
    quotes = 0
    with source.path.open(encoding=source.codec, newline="") as file:
        for number, line in enumerate(file, start=1):
            marked = quotes % 2 == 0 and line.startswith(MARK)  # never inside a quoted cell
            if marked and number > 1:
                message = Said("row_mark", "began with a byte order mark, which was removed")
                notes.append(RowNote(line=number, reason="mark_removed", message=message))
            quotes += line.count('"')
            yield line.lstrip(MARK) if marked else line


def _read_jsonl(source: Source) -> Table:
    table = Table(source=source, header=(), delimiter=None, rows=iter(()))
    table.rows = _json_rows(source, table)
    return table


def _json_rows(source: Source, table: Table) -> Iterator[FileRow | RowError]:
    keys: dict[str, None] = {}
    with source.path.open(encoding=source.codec, newline="\n") as file:
        for number, line in enumerate(file, start=1):
            text = line.strip(MARK + " \t\r\n")
            if not text:
                continue
            values = _object(text)
            if isinstance(values, Said):
                yield RowError(line=number, column="", reason="bad_json", message=values)
                continue
            keys |= dict.fromkeys(values)
            table.header = tuple(keys)
            yield FileRow(line=number, values=values)


def _object(text: str) -> dict[str, object] | Said:
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
    if not isinstance(value, dict):
        return Said("row_no_object", "not a JSON object")
    return _too_deep() if _is_deep(value) else value


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


def _read_csv(source: Source) -> Table:
    csv.field_size_limit(LONGEST_CELL)
    notes: list[RowNote] = []
    start, delimiter = _separator(source)
    reader = csv.reader(chain(_skip(_lines(source, notes), start), (_END,)), delimiter=delimiter)
    header, header_line = _header(source, reader, start)
    table = Table(source=source, header=header, delimiter=delimiter, rows=iter(()), notes=notes)
    table.rows = _csv_rows(source, reader, header, start)
    if len(set(header) - {""}) < len([name for name in header if name]):
        text = f"{source.path}, line {header_line}: two columns have the same name; rename one."
        raise UsageError("file_columns", text, file=str(source.path), line=header_line)
    return table


def _separator(source: Source) -> tuple[int, str]:
    """Return how many lines stand before the header, and what separates cells: told by `sep=` or most frequent."""
    for number, line in enumerate(_lines(source, [])):
        text = line.strip("\r\n")
        if number == 0 and text.strip().strip('"').lower().startswith("sep="):
            told = text.strip().strip('"')[4:5]
            return 1, told or ","
        if text.strip():
            plain = _outside_quotes(text)
            return 0, max(DELIMITERS, key=plain.count)
    raise UsageError("file_empty", f"{source.path} has no rows.", file=str(source.path))


def _outside_quotes(text: str) -> str:
    return "".join(text.split('"')[::2])


def _skip(lines: Iterator[str], count: int) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number >= count:
            yield line


def _header(source: Source, reader: Iterator[list[str]], start: int) -> tuple[tuple[str, ...], int]:
    for number, cells in enumerate(reader, start=start + 1):
        names = tuple(clean_cell(cell) for cell in cells)
        if cells != [_END] and any(names):
            return names, number
    raise UsageError("file_empty", f"{source.path} has no header.", file=str(source.path))


def clean_cell(cell: str) -> str:
    """Return a header or id without marks and blanks around it, no-break and full-width ones too."""
    return cell.strip(MARK + " \t\r\n\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}\N{ZERO WIDTH SPACE}")


def _not_a_table(source: Source, line: int, why: str) -> UsageError:
    text = f"{source.path}, line {line}: {why}."
    return UsageError("file_not_a_table", text, file=str(source.path), line=line)


def _csv_rows(
    source: Source, reader: Iterator[list[str]], header: tuple[str, ...], start: int
) -> Iterator[FileRow | RowError]:
    begun = start + 1
    while True:
        line = start + getattr(reader, "line_num", 0) + 1
        try:
            cells = next(reader)
        except StopIteration:
            raise _not_a_table(source, begun, "a quotation mark is never closed") from None
        except csv.Error as error:
            raise _not_a_table(source, line, f"{error}; a quotation mark may be open") from error
        if cells == [_END]:
            return
        begun = line
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
            text = f"{len(cells)} cells, but the header has {len(header)}; quote cells with separators"
            message = Said("row_cells", text, cells=len(cells), header=len(header))
            yield RowError(line=line, column="", reason="too_many_cells", message=message)
            continue
        yield FileRow(line=line, values={name: freed(cell) for name, cell in zip(header, cells, strict=False) if name})
