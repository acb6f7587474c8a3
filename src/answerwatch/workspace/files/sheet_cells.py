"""Cells of a sheet as the texts that people see in them; what cannot be trusted becomes a sentence on what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import ClassVar

from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.workspace.files.kinds import damaged
from answerwatch.workspace.files.limits import LONGEST_ROW
from answerwatch.workspace.files.workbook_limits import MOST_COLUMNS, MOST_ROWS
from answerwatch.workspace.files.workbooks import Workbook, unescaped
from answerwatch.workspace.files.xml_pieces import whole

Row = tuple[int, dict[int, "str | Said"]]
"""Number of a row and its cells that hold anything, by column from 0."""

EXACT_DIGITS = 15
"""Digits of a number that spreadsheet programs keep."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_PLACE = re.compile(r"([A-Za-z]{1,3})[0-9]{1,7}")
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - cells hold the time of a clock on the wall
_EPOCH_1904 = datetime(1904, 1, 1)  # noqa: DTZ001 - the same
_LEAP = 60
"""The first system counts a 29 February 1900, which there never was."""


def column_number(letters: str) -> int:
    """Return the number of a column from 0.

    >>> column_number("A"), column_number("AB")
    (0, 27)
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def column_letters(number: int) -> str:
    """Return the letters of a column, counted from 0."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


class SheetReader:
    """Gathers the rows of a sheet. Rows and cells that are formatted but empty cost nothing that stays."""

    def __init__(self, book: Workbook) -> None:
        """Read a sheet of `book`."""
        self._book = book
        self._rows: list[tuple[int, dict[int, str | Said | int]]] = []
        """Rows with the places of texts that cells share: one text may stand in all of them, and be long."""
        self._line = 0
        self._column = -1
        self._cells: dict[int, str | Said | int] = {}
        self._type = self._style = ""
        self._has_formula = self._takes = self._in_reading = False
        self._parts: list[str] | None = None
        self._length = 0

    def taken(self) -> Iterator[Row]:
        """Yield the rows that were gathered since the last time and hold anything."""
        rows, self._rows = self._rows, []
        for line, cells in rows:
            read: dict[int, str | Said] = {}
            length = 0
            for column, cell in cells.items():
                value = self._book.texts.get(cell) if isinstance(cell, int) else cell
                length += len(value)
                if length > LONGEST_ROW:
                    raise self._long_row(line)
                read[column] = value
            if any(isinstance(cell, Said) or cell.strip() for cell in read.values()):
                yield line, read

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin a row, a cell or a part of one."""
        if name == "c":
            self._begin_cell(attributes)
        elif name in ("v", "t"):
            self._takes = not self._in_reading
            if self._takes and self._parts is None:
                self._parts = []
        elif name == "f":
            self._has_formula = True
        elif name == "rPh":
            self._in_reading = True
        elif name == "row":
            self._begin_row(attributes.get("r"))

    def end(self, name: str) -> None:
        """End a row, a cell or a part of one."""
        if name == "c":
            if self._parts is not None or self._has_formula:
                value = self._value()
                if value != "":
                    self._cells[self._column] = value
        elif name in ("v", "t"):
            self._takes = False
        elif name == "rPh":
            self._in_reading = False
        elif name == "row" and self._cells:
            self._rows.append((self._line, self._cells))
            self._cells = {}

    def text(self, text: str) -> None:
        """Take a piece of a cell."""
        if self._takes and self._parts is not None:
            self._length += len(text)
            if self._length > LONGEST_ROW:
                raise self._long_row(self._line)
            self._parts.append(text)

    def _long_row(self, line: int) -> UsageError:
        return damaged(self._book.path, _long_row(line))

    def _begin_row(self, told: str | None) -> None:
        number = self._line + 1 if told is None else whole(told)
        if number is None or not self._line < number <= MOST_ROWS:
            raise damaged(self._book.path, _bad_row(self._line, in_short(told or number)))
        self._line = number
        self._column, self._cells, self._length = -1, {}, 0

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        told = attributes.get("r")
        place = None if told is None else _PLACE.fullmatch(told)
        self._column = column_number(place[1]) if place else self._column + 1
        if (told is not None and not place) or self._column >= MOST_COLUMNS or self._column in self._cells:
            raise damaged(self._book.path, _bad_cell(self._line, in_short(told or self._column)))
        self._type, self._style = attributes.get("t", "n"), attributes.get("s", "")
        self._has_formula, self._parts = False, None

    def _value(self) -> str | Said | int:
        """Return what the cell shows; '' where it shows nothing."""
        text = "".join(self._parts or ())
        if self._has_formula and not text and not (self._type == "str" and self._parts is not None):
            return _no_result()
        read = self._READ.get(self._type, SheetReader._number)
        return read(self, text) if text else ""

    def _shared(self, text: str) -> int:
        number = whole(text.strip())
        if number is None or number >= len(self._book.texts):
            raise damaged(self._book.path, _bad_text(self._line, in_short(text)))
        return number

    def _inline(self, text: str) -> str:
        return unescaped(text)

    def _truth(self, text: str) -> str:
        return "TRUE" if text.strip().lower() in ("1", "true") else "FALSE"

    def _error(self, text: str) -> Said:
        shown = in_short(text)
        return Said("cell_error", f"it shows the error {shown}; mend it in a spreadsheet program", error=shown)

    def _moment(self, text: str) -> str:
        return text.replace("T", " ").removesuffix("Z")

    def _number(self, text: str) -> str | Said:
        style = whole(self._style or "0")
        if style is None or 0 < self._book.styles <= style:
            raise damaged(self._book.path, _bad_style(self._line, in_short(self._style)))
        if style in self._book.dates:
            return moment_text(text, with_time=self._book.dates[style], from_1904=self._book.from_1904)
        return number_text(text, percent=style in self._book.percents)

    _READ: ClassVar[dict[str, Callable[[SheetReader, str], str | Said | int]]] = {
        "s": _shared, "str": _inline, "inlineStr": _inline, "b": _truth, "e": _error, "d": _moment,
    }  # fmt: skip
    """Types of cells that are no numbers."""


def _long_row(line: int) -> Said:
    text = f"row {line:,} has more than {LONGEST_ROW:,} characters"
    return Said("damaged_long", text, line=line, longest=f"{LONGEST_ROW:,}")


def _bad_row(line: int, row: str) -> Said:
    return Said("damaged_row", f"row {line:,} is followed by a row {row}", line=line, row=row)


def _bad_cell(line: int, cell: str) -> Said:
    return Said("damaged_cell", f"row {line:,} has a cell {cell}", line=line, cell=cell)


def _bad_text(line: int, text: str) -> Said:
    return Said("damaged_text", f"row {line:,} names a text {text} that is not there", line=line, text=text)


def _bad_style(line: int, style: str) -> Said:
    return Said("damaged_style", f"row {line:,} has a cell of a style {style}", line=line, style=style)


def _no_result() -> Said:
    text = "it holds a formula without its result; open the file in a spreadsheet program and save it"
    return Said("cell_formula", text)


def number_text(text: str, *, percent: bool = False) -> str | Said:
    """Return a number as it is shown, or what is wrong with it.

    >>> number_text("20260701.0"), number_text("0.5", percent=True), str(number_text("2.02607E+16"))[:20]
    ('20260701', '50%', 'it holds 2.02607E+16')
    """
    value = float(text) if _NUMBER.fullmatch(text := text.strip()) else float("inf")
    if abs(value) == float("inf"):
        return Said("cell_number", f"it holds {in_short(text)!r}, which is no number", value=in_short(text))
    if percent:
        return f"{value * 100:.10g}%"
    if abs(value) >= 10**EXACT_DIGITS:
        shown = in_short(text)
        told = f"it holds {shown}, of which a spreadsheet keeps {EXACT_DIGITS} digits; give ids as text"
        return Said("cell_digits", told, value=shown, digits=EXACT_DIGITS)
    return str(int(value)) if value.is_integer() else f"{value:.15g}"


def moment_text(text: str, *, with_time: bool, from_1904: bool) -> str | Said:
    """Return a number of days as a date, with the time where it is shown or is not midnight.

    >>> moment_text("46204.5", with_time=True, from_1904=False), moment_text("44742", with_time=False, from_1904=True)
    ('2026-07-01 12:00:00', '2026-07-01')
    """
    try:
        days = float(text) if _NUMBER.fullmatch(text := text.strip()) else -1
        if days < 0:
            raise ValueError(text)  # noqa: TRY301 - a moment before the first one is as wrong as no number
        if days < 1 and not from_1904:
            return str(timedelta(seconds=round(days * 86400)))
        if days < _LEAP and not from_1904:
            days += 1
        epoch = _EPOCH_1904 if from_1904 else _EPOCH
        moment = epoch + timedelta(seconds=round(days * 86400))
    except (ValueError, OverflowError):
        return Said("cell_moment", f"it holds {in_short(text)!r}, which is no moment", value=in_short(text))
    plain = not with_time and (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return moment.strftime("%Y-%m-%d") if plain else moment.strftime("%Y-%m-%d %H:%M:%S")
