"""What goes to the terminal: tables for people, JSON for machines, one line for an error.

People's text follows the terminal's encoding: what it cannot show becomes `?` and that is said once.
JSON is always UTF-8, whatever the locale says.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from typing import Any, TextIO

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from answerwatch.messages import catalogue

_REPLACE = "answerwatch.replace"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

PIPED_WIDTH = 100
"""Columns of a table that goes into a file or another program."""
SAMPLE = "cli.sample"
"""The message of characters that a stream must have for a language to be of use on it."""
NARROWEST = 14
"""Columns that a foldable cell keeps when it needs them: beside an id, which is never folded, words would be torn."""


class Terminal:
    """Standard output and error of one command."""

    def __init__(self) -> None:
        """Prepare both streams; nothing is written yet."""
        self._replaced = False
        self.zone: tzinfo | None = None
        codecs.register_error(_REPLACE, self._replace)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors=_REPLACE)
        self.out = _console(sys.stdout)
        self.err = _console(sys.stderr)

    def _replace(self, error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        self._replaced = True
        return "?" * (error.end - error.start), error.end

    def can_show_language(self, language: str) -> bool:
        """Tell whether both streams have the characters of a language."""
        return all(can_show(catalogue(language)[SAMPLE], stream) for stream in (sys.stdout, sys.stderr))

    @property
    def replaced(self) -> bool:
        """Tell whether something could not be shown in the terminal's encoding."""
        return self._replaced

    def say(self, text: str) -> None:
        """Print a line for people."""
        self.out.print(Text(printable(text)))

    def warn(self, text: str) -> None:
        """Print a line for people on standard error."""
        self.err.print(Text(printable(text)))

    def show(self, what: RenderableType) -> None:
        """Print something that knows how to lay itself out."""
        self.out.print(what, soft_wrap=False)

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[object]],
        *,
        title: str | None = None,
        whole: Sequence[int] = (),
    ) -> None:
        """Print a table; None is shown as an empty cell, figures on the right.

        Columns whose places are named in `whole` hold ids: they are never folded, so that they can be pasted.
        """
        table = Table(title=title, title_justify="left", header_style="bold", pad_edge=False, box=box.SIMPLE_HEAD)
        shown = [[self.cell(value) for value in row] for row in rows]
        needed = 0
        for index, name in enumerate(columns):
            right = bool(shown) and all(_is_number(row[index]) for row in shown)
            longest = max(cell_len(text) for text in (name, *(row[index] for row in shown)))
            least = longest if index in whole else min(NARROWEST, longest)
            needed += least + 3
            table.add_column(
                name,
                justify="right" if right else "left",
                overflow="fold",
                min_width=least or None,
                no_wrap=index in whole,
            )
        for row in shown:
            table.add_row(*(Text(text) for text in row))
        if needed > self.out.width:
            table.width = needed  # a width that is asked of the console is cut to the console's: columns would vanish
        self.out.print(table, soft_wrap=False, crop=False)

    def facts(self, rows: Iterable[tuple[str, object]]) -> None:
        """Print names with their values, a line each."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for name, value in rows:
            grid.add_row(Text(name), Text(self.cell(value)))
        self.out.print(grid, soft_wrap=False)

    def cell(self, value: object) -> str:
        """Return a value as it stands in a table; None is an empty cell."""
        if value is None:
            return ""
        if isinstance(value, float):
            return f"{value:.3f}"
        if isinstance(value, datetime):
            return _in_zone(value, self.zone).strftime("%Y-%m-%d %H:%M:%S")
        if isinstance(value, (list, tuple)):
            return ", ".join(self.cell(item) for item in value)
        return printable(str(value))

    def json(self, value: object) -> None:
        """Print a view, or several, as one JSON document in UTF-8."""
        self.raw(to_json(self.plain(value)) + b"\n")

    def plain(self, value: object) -> Any:  # noqa: ANN401 - any JSON value
        """Return a view, or several, as JSON values."""
        from answerwatch.domain.plain import to_plain  # noqa: PLC0415 - keeps --help quick

        return to_plain(value)

    def flush(self) -> None:
        """Let a reader of our output have what was written so far."""
        sys.stdout.flush()

    def raw(self, data: bytes) -> None:
        """Write bytes to standard output, past the terminal's encoding."""
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _in_zone(moment: datetime, zone: tzinfo | None) -> datetime:
    """Return a moment on the clocks of a zone; at the ends of the calendar, which the zone may not reach, in UTC."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


class _Console(Console):
    """A console that leaves a closed pipe to the entry point."""

    def on_broken_pipe(self) -> None:
        """Pass the error on; rich would leave the process with exit code 1."""
        raise  # noqa: PLE0704 - rich calls this inside its handler of BrokenPipeError


def _console(stream: TextIO) -> Console:
    wide = None if stream.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    return _Console(file=stream, highlight=False, soft_wrap=True, emoji=False, markup=False, width=wide)


def can_show(text: str, stream: TextIO) -> bool:
    """Tell whether the encoding of a stream has all characters of the text."""
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def printable(text: str) -> str:
    """Return the text with control characters made visible: what a platform answered must not drive the terminal."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\r\n", "\n"))


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).replace("-", "", 1).replace("%", "", 1).isdigit() or cell == ""


def to_json(value: object) -> bytes:
    """Return JSON values as a document; it is ASCII with escapes where a text holds what UTF-8 cannot."""
    import json  # noqa: PLC0415 - tables and help do without JSON

    import orjson  # noqa: PLC0415 - the same

    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2)
    except TypeError:  # a lone surrogate, as in the name of a folder that is no text
        return json.dumps(value, indent=2).encode()
