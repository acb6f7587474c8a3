"""Workbooks for tests, written as XML, so that they can hold what no library writes."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_FORMATS = {1: 14, 2: 22, 3: 9, 4: 164}
"""Styles of cells: 1 a date, 2 a moment, 3 a percentage, 4 a Chinese date."""


def text(value: str, place: str = "") -> str:
    """Return a cell that holds a text."""
    return f'<c{_place(place)} t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'


def cell(value: str, *, kind: str = "n", style: int = 0, formula: str = "", place: str = "") -> str:
    """Return a cell with a type, a style and a formula."""
    inner = f"<f>{escape(formula)}</f>" if formula else ""
    return f'<c{_place(place)} t="{kind}" s="{style}">{inner}<v>{escape(value)}</v></c>'


def _place(place: str) -> str:
    return f' r="{place}"' if place else ""


def write_workbook(
    path: Path,
    sheets: Mapping[str, Sequence[Sequence[str]] | str],
    *,
    merged: Sequence[str] = (),
    from_1904: bool = False,
    shared: str = "",
    before: str = "",
    hidden: Sequence[str] = (),
) -> Path:
    """Write sheets of cells (`text`, `cell`) or of ready XML; `before` stands in front of each sheet's root."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        names = [
            f'<sheet name={quoteattr(name)} sheetId="{number}" r:id="r{number}"'
            f' state="{"hidden" if name in hidden else "visible"}"/>'
            for number, name in enumerate(sheets, start=1)
        ]
        book = f'<workbookPr date1904="{int(from_1904)}"/><sheets>{"".join(names)}</sheets>'
        archive.writestr("xl/workbook.xml", f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINK}">{book}</workbook>')
        links = "".join(
            f'<Relationship Id="r{number}" Type="{_LINK}/worksheet" Target="worksheets/sheet{number}.xml"/>'
            for number in range(1, len(sheets) + 1)
        )
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{links}</Relationships>")
        styles = "".join(f'<xf numFmtId="{_FORMATS.get(number, 0)}"/>' for number in range(5))
        custom = (
            '<numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/></numFmts>'
        )
        cells = f'<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>{styles}</cellXfs>'
        archive.writestr("xl/styles.xml", f'<styleSheet xmlns="{_MAIN}">{custom}{cells}</styleSheet>')
        if shared:
            archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{_MAIN}">{shared}</sst>')
        merges = "".join(f'<mergeCell ref="{ref}"/>' for ref in merged)
        for number, rows in enumerate(sheets.values(), start=1):
            data = rows if isinstance(rows, str) else "".join(f"<row>{''.join(row)}</row>" for row in rows)
            xml = (
                f'<worksheet xmlns="{_MAIN}"><sheetData>{data}</sheetData><mergeCells>{merges}</mergeCells></worksheet>'
            )
            archive.writestr(f"xl/worksheets/sheet{number}.xml", before + xml)
    return path
