"""What is asked of an export and what is told of it. Records only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from answerwatch.store.exports.row_set import Wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest(Wanted):
    """What to export and where to, narrowed by names as people write them."""

    what: str
    """`results`, `samples`, `matches`, `questions`, ... (docs/exporting.md)."""
    file: Path | None
    """None: a stream that the caller holds."""
    format: str | None = None
    """`csv`, `jsonl` or `xlsx`; None: as the name of the file says, `csv` for a stream."""
    columns: tuple[str, ...] | None = None
    """In this order; None: all."""
    headers: str | None = None
    """`words` of the reader's language or `names` of the data dictionary; None: words in XLSX, else names."""
    bom: bool | None = None
    """CSV begins with the mark of UTF-8; None: in a file, where people open it, and not in a stream."""
    force: bool = False
    """Replace a file of this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCell:
    """A text that was too long for a cell."""

    sheet: str
    row: int
    """As the program that shows the sheet counts."""
    column: str
    length: int
    """Characters of the whole text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportView:
    """What was exported."""

    what: str
    file: str | None
    """None: it went into a stream."""
    format: str
    rows: int
    columns: tuple[str, ...]
    """Names of the data dictionary."""
    time_zone: str
    """Of all moments in it."""
    size: int | None
    """Bytes; None for a stream."""
    sha256: str | None
    """None for a stream."""
    sheets: int | None
    """Sheets of rows; None where the format has none."""
    cut: int
    """Texts that were too long for a cell of XLSX and end in a mark."""
    cut_cells: tuple[CutCell, ...]
    """The first of them; the last sheet tells them too."""
    altered: int
    """Cells with characters that XLSX cannot hold; U+FFFD stands for them."""
