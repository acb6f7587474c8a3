"""As what an imported file was read: its format, its encoding, its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from answerwatch.interfaces.cli.listing import Listing, show_facts
from answerwatch.interfaces.cli.row_problems import LONGEST_NAME
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line


class ReadFile(Protocol):
    """What imports tell of their file."""

    @property
    def format(self) -> str:
        """Return the format that was found."""

    @property
    def encoding(self) -> str:
        """Return the encoding of its texts."""

    @property
    def delimiter(self) -> str | None:
        """Return what separates the cells of a CSV file; None for others."""

    @property
    def sheet(self) -> str | None:
        """Return the sheet of a workbook that was read; None for others."""

    @property
    def sheets(self) -> Sequence[str]:
        """Return all sheets of the workbook."""

    @property
    def columns(self) -> Sequence[tuple[str, str]]:
        """Return every column with its field, '' where it has none."""


def show_reading(session: Session, file: ReadFile, *, unread: str) -> None:
    """Say as what a file was read; `unread` names the words for a column that has no field."""
    delimiter = {"\t": "Tab"}.get(file.delimiter or "", file.delimiter)
    sheet = None if file.sheet is None else f"{file.sheet} ({len(file.sheets)})"
    show_facts(session, {"format": file.format, "encoding": file.encoding, "delimiter": delimiter, "sheet": sheet})
    if file.columns:
        columns: Listing[tuple[str, str]] = Listing(
            columns=("column", "field"),
            row=lambda session, pair: (one_line(pair[0], LONGEST_NAME), pair[1] or session.say(unread)),
        )
        columns.show(session, file.columns, as_json=False)
