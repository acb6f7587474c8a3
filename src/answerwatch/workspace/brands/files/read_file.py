"""Reading a lexicon file: one table of all entries, or a workbook with a sheet each of brands, names and rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from answerwatch.domain.lexicon_changes import Part
from answerwatch.errors import UsageError
from answerwatch.workspace.brands.files.read_row import LexiconRow, LexiconTable, brand_of, read_row
from answerwatch.workspace.brands.files.words import SHEETS, sheet_of
from answerwatch.workspace.brands.names import key
from answerwatch.workspace.files.columns import LEXICON_COLUMNS, listed, map_columns, shown_columns
from answerwatch.workspace.files.records import FileRow, Source, Table
from answerwatch.workspace.files.row_notes import RowError, RowNote
from answerwatch.workspace.files.tables import look_through, read_table
from answerwatch.workspace.files.told import Told

MOST_ROWS = 200_000
"""Rows of a lexicon file; a lexicon is held in memory as a whole."""


@dataclass(slots=True, kw_only=True)
class LexiconFile:
    """What a file says."""

    encoding: str
    delimiter: str | None
    columns: list[tuple[str, str]] = field(default_factory=list)
    rows: list[LexiconRow] = field(default_factory=list)
    errors: Told[RowError] = field(default_factory=Told)
    refused: dict[str, int] = field(default_factory=dict)
    """Brands whose own row cannot be read, by key, with its line."""
    notes: Told[RowNote] = field(default_factory=Told)


def read_lexicon_file(path: Path, *, encoding: str | None = None) -> LexiconFile:
    """Return what a CSV, JSONL or XLSX file says of a lexicon.

    After too many rows that cannot be taken the rest is left unread.

    Raises UsageError for a file that cannot be read as a table, that names no brands, or that is too long.
    """
    source = look_through(path, encoding=encoding)
    first = read_table(source, _columns)
    found = LexiconFile(encoding=source.encoding, delimiter=first.delimiter)
    sheets = [(name, sheet) for name in first.sheets if (sheet := sheet_of(name)) is not None]
    if not sheets:
        _take(found, first, entry=None, sheet=None)
    for name, sheet in sheets:
        for table in _sheet(replace(source, sheet=name)):
            _take(found, table, entry=SHEETS[sheet][0], sheet=name)
    return found


def _columns(header: tuple[str, ...]) -> dict[str, str]:
    return map_columns(header, LEXICON_COLUMNS)


def _sheet(source: Source) -> Iterator[Table]:
    """Yield the table of a sheet; none where the sheet is empty, as that of rules may be."""
    try:
        yield read_table(source, _columns)
    except UsageError as error:
        if error.code != "file_empty":
            raise


def _take(found: LexiconFile, table: Table, *, entry: Part | None, sheet: str | None) -> None:
    """Add what a table says."""
    # Keys of JSON are known when all of it was read. A table is not held: its rows take more than what they say.
    file_rows = table.rows if table.header else iter(list(islice(table.rows, MOST_ROWS + 1)))
    mapping = _columns(table.header)
    if "brand" not in mapping.values() and table.header:
        path, there = table.source.path, listed(table.header)
        text = f"{path} has no column for the brand; name one brand or 品牌. Its columns are: {there}."
        raise UsageError("columns_missing", text, file=str(path), columns=there)
    found.columns += shown_columns(table.header, mapping)
    where = LexiconTable(mapping=mapping, sheet=sheet, entry=entry)
    for number, row in enumerate(file_rows):
        if number == MOST_ROWS:
            text = f"{table.source.path} has more than {MOST_ROWS:,} rows; split it."
            raise UsageError("lexicon_long", text, file=str(table.source.path), most=f"{MOST_ROWS:,}")
        read = read_row(row, where) if isinstance(row, FileRow) else row
        if isinstance(read, LexiconRow):
            found.rows.append(read)
            continue
        found.errors.add(read)
        brand = brand_of(row, where) if isinstance(row, FileRow) else None
        if brand is not None:
            found.refused.setdefault(key(brand), read.line)
        if found.errors.is_full:
            break
    found.notes.extend(table.notes)
