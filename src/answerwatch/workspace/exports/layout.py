"""What a writer is told of the rows that it gets, and what it tells of them: every format speaks this."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo
from typing import Protocol

from answerwatch.store.exports.columns import Columns
from answerwatch.store.exports.row_set import ValueKind
from answerwatch.workspace.exports.views import CutCell

Say = Callable[[str], str]
"""Puts what is said in a file into the language of its reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutColumn:
    """One column of a file."""

    name: str
    """As the data dictionary has it."""
    title: str
    """What stands in the header."""
    kind: ValueKind
    origin: str
    """Table and column, where its meaning is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How the rows of one file are laid out."""

    name: str
    """What is exported; the name of a sheet."""
    columns: tuple[OutColumn, ...]
    zone: tzinfo
    """Of all moments."""
    zone_name: str
    bom: bool = False
    """A CSV file begins with the mark by which spreadsheet programs know UTF-8."""
    notes: tuple[str, ...] = ()
    """Sentences on the rows as a whole, for formats that have a place for them."""
    say: Say = str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remarks:
    """What became of cells that a format cannot hold as they are."""

    cut: int = 0
    """Cells with a text that was too long."""
    cut_cells: tuple[CutCell, ...] = ()
    """The first of them."""
    altered: int = 0
    """Cells in which characters were replaced."""
    sheets: int | None = None
    """Sheets of rows; None where the format has none."""


class Writer(Protocol):
    """What writes rows in one format."""

    def add(self, columns: Columns) -> None:
        """Write some rows, given as their columns."""
        ...

    def finish(self) -> Remarks:
        """Write what stands behind the rows; the file itself is closed by whoever opened it."""
        ...

    def abandon(self) -> None:
        """Let go of everything but the file, whose content nobody will use."""
        ...
