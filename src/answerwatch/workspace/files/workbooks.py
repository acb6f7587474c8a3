"""Workbooks (XLSX): which sheets there are, how numbers are shown, and the texts that cells share.

openpyxl gives either what a formula says or its last result, so that a formula without a result looks like an empty
cell; it holds all shared texts in memory and fails at formats that other programs write. What is needed here is less.
"""

from __future__ import annotations

import posixpath
import re
import tempfile
import zipfile
from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.workspace.files.archives import BROKEN, checked_members
from answerwatch.workspace.files.kinds import damaged
from answerwatch.workspace.files.limits import LARGEST_PART, LONGEST_ROW, MOST_TEXTS
from answerwatch.workspace.files.xml_pieces import parse_whole, whole

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
"""Two halves of a character, each of which was written for itself."""
_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_DATES = frozenset([*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)])
"""Numbers of built-in formats that show moments, those of East Asian versions too."""
_PERCENTS = frozenset([9, 10])


class Texts:
    """Texts that cells share, on disk: a sheet of answers has nearly as many as cells."""

    def __init__(self) -> None:
        """Begin without a text."""
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the workbook
        self._ends = array("Q", [0])

    def add(self, text: str) -> None:
        """Put a text behind the others."""
        data = text.encode("utf-8", "surrogatepass")
        self._file.write(data)
        self._ends.append(self._ends[-1] + len(data))

    def __len__(self) -> int:
        """Return how many texts there are."""
        return len(self._ends) - 1

    def get(self, number: int) -> str:
        """Return a text by its place from 0; raises IndexError."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        start, end = self._ends[number : number + 2]
        self._file.seek(start)
        return self._file.read(end - start).decode("utf-8", "surrogatepass")

    def close(self) -> None:
        """Remove the texts."""
        self._file.close()


def unescaped(text: str) -> str:
    """Return a text of a cell with the characters that XML cannot hold, which are written like `_x000D_`."""
    if "_x" not in text:
        return text
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return _PAIR.sub(lambda found: found[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), plain)


class TextReader:
    """Gathers texts of `si` elements, rich ones too; readings of characters (`rPh`) are left out."""

    def __init__(self, texts: Texts, path: Path) -> None:
        """Put what is found into `texts`; `path` is named in errors."""
        self._texts = texts
        self._path = path
        self._parts: list[str] = []
        self._length = 0
        self._in_text = False
        self._in_reading = False

    def start(self, name: str, _: dict[str, str]) -> None:
        """Begin a text or a part of one."""
        if name == "si":
            self._parts, self._length = [], 0
        elif name == "rPh":
            self._in_reading = True
        elif name == "t":
            self._in_text = not self._in_reading

    def end(self, name: str) -> None:
        """End a text or a part of one."""
        if name == "si":
            if len(self._texts) >= MOST_TEXTS:
                text = f"its cells share more than {MOST_TEXTS:,} texts"
                raise damaged(self._path, Said("damaged_texts", text, most=f"{MOST_TEXTS:,}"))
            self._texts.add(unescaped("".join(self._parts)))
        elif name == "rPh":
            self._in_reading = False
        elif name == "t":
            self._in_text = False

    def text(self, text: str) -> None:
        """Take a piece of a text, up to the length that cells may have."""
        if self._in_text and self._length <= LONGEST_ROW:
            self._parts.append(text)
            self._length += len(text)


class _Attributes:
    """Keeps the elements of some names with their attributes, and the names of the elements around them."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self._around: list[str] = []
        self.found: list[tuple[str, str, dict[str, str]]] = []
        """Name, name of the element around it, attributes."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in self._names:
            self.found.append((name, self._around[-1] if self._around else "", attributes))
        self._around.append(name)

    def end(self, _: str) -> None:
        self._around.pop()

    def text(self, _: str) -> None:
        pass


class Workbook:
    """An open workbook."""

    def __init__(self, archive: zipfile.ZipFile, path: Path, texts: Texts) -> None:
        """Read everything but the sheets; raises UsageError for a workbook that is damaged or too large."""
        self.path = path
        self.texts = texts
        self._archive = archive
        names = checked_members(archive, path)
        self._members = {name.replace("\\", "/").lower(): name for name in names}
        book = self._attributes("xl/workbook.xml", "sheet", "workbookPr")
        self.from_1904 = any(one.get("date1904") in ("1", "true") for name, _, one in book if name == "workbookPr")
        links = {one.get("Id", ""): one for _, _, one in self._attributes("xl/_rels/workbook.xml.rels", "Relationship")}
        self.sheets = self._find_sheets([one for name, _, one in book if name == "sheet"], links)
        """Sheet -> file inside; hidden ones last."""
        self.styles = 0
        """How many styles there are; 0: cells are shown as they are, whatever style they name."""
        self.dates, self.percents = self._find_formats()
        """Styles, by number, that show numbers as moments or as percent."""

    def read_texts(self) -> None:
        """Read the texts that cells share."""
        if "xl/sharedstrings.xml" in self._members:
            with self.open("xl/sharedStrings.xml") as stream:
                parse_whole(stream, TextReader(self.texts, self.path), self.path)

    def open(self, name: str) -> IO[bytes]:
        """Return a file inside; raises UsageError when there is none."""
        try:
            return self._archive.open(self._members[name.lower()])
        except KeyError:
            part = in_short(name, 100)
            raise damaged(self.path, Said("damaged_missing", f"{part} is missing", part=part)) from None

    def _attributes(self, member: str, *names: str) -> list[tuple[str, str, dict[str, str]]]:
        reader = _Attributes(*names)
        with self.open(member) as stream:
            info = self._archive.getinfo(self._members[member.lower()])
            if info.file_size > LARGEST_PART:
                size = f"{info.file_size:,}"
                text = f"{member} has {size} bytes"
                raise damaged(self.path, Said("damaged_part", text, part=member, size=size))
            parse_whole(stream, reader, self.path)
        return reader.found

    def _find_sheets(self, sheets: list[dict[str, str]], links: dict[str, dict[str, str]]) -> dict[str, str]:
        shown: dict[str, str] = {}
        hidden: dict[str, str] = {}
        for one in sheets:
            id_ = next((value for key, value in one.items() if key.rpartition(":")[2] == "id"), "")
            link = links.get(id_, {})
            if link.get("Type", "").endswith("/worksheet"):
                place = posixpath.normpath(posixpath.join("/xl", link.get("Target", ""))).lstrip("/")
                name = one.get("name", "")
                if name in shown or name in hidden:
                    text = f"two of its sheets are called {in_short(name)}"
                    raise damaged(self.path, Said("damaged_sheets", text, sheet=in_short(name)))
                (shown if one.get("state", "visible") == "visible" else hidden)[name] = place
        return shown | hidden

    def _find_formats(self) -> tuple[dict[int, bool], frozenset[int]]:
        """Return styles of moments, with whether they show the time, and styles of percent."""
        if "xl/styles.xml" not in self._members:
            return {}, frozenset()
        found = self._attributes("xl/styles.xml", "numFmt", "xf")
        codes = {
            number: _QUOTED.sub("", one.get("formatCode", "")).lower()
            for name, _, one in found
            if name == "numFmt" and (number := whole(one.get("numFmtId", ""))) is not None
        }
        styles = [one.get("numFmtId", "0") for name, around, one in found if name == "xf" and around == "cellXfs"]
        numbers = [whole(number) or 0 for number in styles]
        self.styles = len(numbers)
        dates = {
            place: _shows_time(number, codes.get(number))
            for place, number in enumerate(numbers)
            if _is_date(number, codes.get(number))
        }
        percents = (
            place for place, number in enumerate(numbers) if number in _PERCENTS or "%" in codes.get(number, "")
        )
        return dates, frozenset(percents)


def _is_date(number: int, code: str | None) -> bool:
    if code is None:
        return number in _DATES
    return "general" not in code and any(letter in code.partition(";")[0] for letter in "ymdhs年月日")


def _shows_time(number: int, code: str | None) -> bool:
    return number in (18, 19, 20, 21, 22, 45, 46, 47) if code is None else "h" in code or "s" in code


@contextmanager
def open_workbook(path: Path) -> Iterator[Workbook]:
    """Open a workbook and close it; raises UsageError when it is damaged, however late that is noticed."""
    try:
        with zipfile.ZipFile(path) as archive, closing(Texts()) as texts:
            yield Workbook(archive, path, texts)
    except BROKEN as error:
        raise damaged(path, str(error)) from error


def sheet_of(book: Workbook, name: str) -> str:
    """Return a sheet of this name; raises UsageError naming those that there are."""
    if name in book.sheets:
        return name
    there = in_short("、".join(book.sheets), 200)
    text = f"{book.path} has no sheet {name!r}; it has {there}."
    raise UsageError("sheet_unknown", text, file=str(book.path), sheet=name, sheets=there)
