"""What goes to the terminal: tables for people, JSON for machines, one line for an error.

People's text follows the terminal's encoding: what it cannot show becomes `?` and that is said once.
JSON is always UTF-8, whatever the locale says.
"""

from __future__ import annotations

import codecs
import dataclasses
import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Any

import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

_REPLACE = "answerwatch.replace"


class Terminal:
    """Standard output and error of one command."""

    def __init__(self) -> None:
        """Prepare both streams; nothing is written yet."""
        self._replaced = False
        codecs.register_error(_REPLACE, self._replace)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors=_REPLACE)
        self.out = Console(file=sys.stdout, highlight=False, soft_wrap=True, emoji=False, markup=False)
        self.err = Console(file=sys.stderr, highlight=False, soft_wrap=True, emoji=False, markup=False)

    def _replace(self, error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        self._replaced = True
        return "?" * (error.end - error.start), error.end

    @property
    def replaced(self) -> bool:
        """Tell whether something could not be shown in the terminal's encoding."""
        return self._replaced

    def say(self, text: str) -> None:
        """Print a line for people."""
        self.out.print(Text(text))

    def warn(self, text: str) -> None:
        """Print a line for people on standard error."""
        self.err.print(Text(text))

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None) -> None:
        """Print a table; None is shown as an empty cell, figures on the right."""
        table = Table(title=title, title_justify="left", header_style="bold", pad_edge=False)
        shown = [[_cell(value) for value in row] for row in rows]
        for index, name in enumerate(columns):
            right = bool(shown) and all(_is_number(row[index]) for row in shown)
            table.add_column(name, justify="right" if right else "left", overflow="fold")
        for row in shown:
            table.add_row(*(Text(cell) for cell in row))
        self.out.print(table, soft_wrap=False)

    def json(self, value: object) -> None:
        """Print one JSON document in UTF-8."""
        self.raw(to_json(value, indent=True) + b"\n")

    def json_line(self, value: object) -> None:
        """Print one line of JSON Lines in UTF-8."""
        self.raw(to_json(value) + b"\n")

    def raw(self, data: bytes) -> None:
        """Write bytes to standard output, past the terminal's encoding."""
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    return str(value)


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).replace("-", "", 1).replace("%", "", 1).isdigit() or cell == ""


def to_json(value: object, *, indent: bool = False) -> bytes:
    """Return a value of ours as JSON in UTF-8; NaN never occurs in figures and would become null."""
    return orjson.dumps(plain(value), option=orjson.OPT_INDENT_2 if indent else 0)


def plain(value: Any) -> Any:  # noqa: ANN401 - any value of ours may come, any JSON value goes out
    """Return dataclasses, enums, moments, tuples and mappings as plain JSON values; lone surrogates become U+FFFD."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8") if _has_surrogate(value) else value
    return value


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= ch <= "\udfff" for ch in text) if not text.isascii() else False
