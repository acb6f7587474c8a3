"""What is known of a file that was looked through, and its rows as they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.workspace.files.row_notes import RowError, RowNote
from answerwatch.workspace.files.told import Told


class FileFormat(StrEnum):
    """In what format a file is."""

    CSV = "csv"
    """A table as text."""
    JSONL = "jsonl"
    """An object a line."""
    XLSX = "xlsx"
    """A workbook."""
    JSON = "json"
    """One document."""
    ZIP = "zip"
    """An archive of documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file that was looked through once."""

    path: Path
    sha256: str
    encoding: str
    """As it is shown: `UTF-8`, `GB18030`, ...; of workbooks and archives UTF-8."""
    codec: str
    """Python's name; takes the mark at the beginning away."""
    format: FileFormat
    sheet: str | None = None
    """Sheet of a workbook that is wanted; None: the first with a header that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """One row by the file's own column names."""

    line: int
    """Line of a text, row of a sheet, number of a record in a JSON document; from 1."""
    values: Mapping[str, object]


Reads = Callable[[tuple[str, ...]], Collection[str]]
"""Which columns of a header are read, by their names; what is wrong in others is nobody's business."""


@dataclass(slots=True)
class Table:
    """The rows of a file; notes and errors are complete once the rows were read."""

    source: Source
    header: tuple[str, ...]
    """Columns of a CSV file or sheet; for JSON the keys met so far."""
    delimiter: str | None
    """What separates the cells of a CSV file; None for others."""
    rows: Iterator[FileRow | RowError] = field(default_factory=lambda: iter(()))
    notes: Told[RowNote] = field(default_factory=Told)
    sheet: str | None = None
    """The sheet that is read; None: no workbook."""
    sheets: tuple[str, ...] = ()
    """All sheets of the workbook."""
    reads: Collection[str] = ()
    """Columns in which a cell that cannot be trusted makes its row an error."""

    def begin(self, header: tuple[str, ...], line: int, reads: Reads | None) -> None:
        """Take the names of the columns; raises UsageError when two are the same."""
        self.header = checked_header(self.source, header, line)
        self.reads = frozenset(header if reads is None else reads(header))


def file_empty(source: Source, what: str) -> UsageError:
    """Return the error of a file without a header or without rows."""
    return UsageError("file_empty", f"{source.path} has no {what}.", file=str(source.path))


def checked_header(source: Source, names: tuple[str, ...], line: int) -> tuple[str, ...]:
    """Return the names of columns; raises UsageError when two are the same."""
    times = Counter(names)
    twice = next((name for name in names if name and times[name] > 1), None)
    if twice is not None:
        shown = in_short(twice)
        text = f"{source.path}, line {line}: two columns are called {shown}; rename one."
        raise UsageError("file_columns", text, file=str(source.path), line=line, column=shown)
    return names
