"""Reads back workbooks that were written, by the standard library alone: what is checked must not read it too."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - days of a spreadsheet have no time zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a sheet."""

    value: str | float | datetime
    is_text: bool
    number_format: str
    is_quoted: bool
    """Shown with the mark that keeps a text from becoming a formula when it is edited."""


def read_workbook(path: Path) -> dict[str, list[list[Cell | None]]]:
    """Return the rows of every sheet by its name; a formula in any cell is an error."""
    with zipfile.ZipFile(path) as book:
        assert book.testzip() is None
        forms = list(_forms(book))
        links = _xml(book.read("xl/_rels/workbook.xml.rels"))
        targets = {link.attrib["Id"]: link.attrib["Target"] for link in links}
        sheets = _xml(book.read("xl/workbook.xml")).iter(f"{_MAIN}sheet")
        return {
            sheet.attrib["name"]: list(_rows(book.read("xl/" + targets[sheet.attrib[_OFFICE]]), forms))
            for sheet in sheets
        }


def values(rows: list[list[Cell | None]]) -> list[list[object]]:
    """Return what stands in cells, None where nothing does."""
    return [[None if cell is None else cell.value for cell in row] for row in rows]


def _xml(data: bytes) -> ET.Element:
    return ET.fromstring(data)  # noqa: S314 - the test itself had it written


def _forms(book: zipfile.ZipFile) -> Iterator[tuple[str, bool]]:
    styles = _xml(book.read("xl/styles.xml"))
    formats = {one.attrib["numFmtId"]: one.attrib["formatCode"] for one in styles.iter(f"{_MAIN}numFmt")}
    cells = styles.find(f"{_MAIN}cellXfs")
    assert cells is not None
    for form in cells:
        yield formats.get(form.attrib["numFmtId"], ""), form.attrib.get("quotePrefix") == "1"


def _rows(data: bytes, forms: list[tuple[str, bool]]) -> Iterator[list[Cell | None]]:
    sheet = _xml(data)
    assert next(sheet.iter(f"{_MAIN}f"), None) is None
    for row in sheet.iter(f"{_MAIN}row"):
        cells: list[Cell | None] = []
        for cell in row:
            cells += [None] * (_column(cell.attrib["r"]) - len(cells))
            cells.append(_cell(cell, forms))
        yield cells


def _column(place: str) -> int:
    number = 0
    for letter in place.rstrip("0123456789"):
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _cell(cell: ET.Element, forms: list[tuple[str, bool]]) -> Cell:
    number_format, is_quoted = forms[int(cell.attrib.get("s", 0))]
    is_text = cell.attrib.get("t") == "inlineStr"
    value: str | float | datetime
    if is_text:
        value = "".join(part.text or "" for part in cell.iter(f"{_MAIN}t"))
    else:
        value = float(next(cell.iter(f"{_MAIN}v")).text or "")
        if "yy" in number_format:
            value = _EPOCH + timedelta(seconds=round(value * 86400))
    return Cell(value=value, is_text=is_text, number_format=number_format, is_quoted=is_quoted)
