"""Rows of a lexicon file: what each says of a brand, a name or a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NoReturn, TypeVar

from answerwatch.domain.brands import RuleKind
from answerwatch.domain.lexicon_changes import Part
from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.workspace.brands.edits import WIDEST_WINDOW, AliasFields, BrandFields, RuleFields
from answerwatch.workspace.brands.files.words import entry_of, kind_of, mode_of, role_of
from answerwatch.workspace.files.cell_faults import Fault, is_active, no_text, refuse_endless
from answerwatch.workspace.files.cells import clean_cell
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.row_notes import RowError, missing_cell

T = TypeVar("T")

_APART = re.compile(r"[,，;；、|\s]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconTable:
    """How one table of a lexicon file is read."""

    mapping: Mapping[str, str]
    """Column -> field."""
    sheet: str | None = None
    """Sheet of a workbook; None where the file is one table."""
    entry: Part | None = None
    """What rows are that do not say it; None: names where they have a text, else brands."""

    def error(self, line: int, fault: Fault) -> RowError:
        """Return what is wrong with a row, its column as the file names it; in a workbook it is told with its sheet."""
        error = fault.in_row(line, self.mapping)
        return replace(error, column=f"{self.sheet}: {error.column}") if self.sheet else error


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconRow:
    """One row of a lexicon file."""

    line: int
    table: LexiconTable
    """Where it stands."""
    entry: Part
    brand: str
    """The brand as the row names it."""
    text: str
    """The name or phrase; '' for the brand itself."""
    fields: BrandFields | AliasFields | RuleFields


def read_row(row: FileRow, table: LexiconTable) -> LexiconRow | RowError:
    """Return what a row of a file says, or what is wrong with it."""
    try:
        return _row(_cells(row, table), row.line, table)
    except Fault as fault:
        return table.error(row.line, fault)


def brand_of(row: FileRow, table: LexiconTable) -> str | None:
    """Return the brand that a row is about as a whole, also where something else in it is wrong; None: of no brand."""
    cells = _cells(row, table)
    try:
        told = entry_of(_text(cells, "entry")) or table.entry or (Part.ALIAS if _text(cells, "text") else Part.BRAND)
        return (_text(cells, "brand") or None) if told is Part.BRAND else None
    except Fault:
        return None


def _cells(row: FileRow, table: LexiconTable) -> dict[str, object]:
    return {field: row.values.get(column) for column, field in table.mapping.items()}


def _row(cells: Mapping[str, object], line: int, table: LexiconTable) -> LexiconRow:
    brand, text = _text(cells, "brand"), _text(cells, "text")
    told = _word(cells, "entry", entry_of) or table.entry or (Part.ALIAS if text else Part.BRAND)
    if not brand:
        raise Fault("brand", "missing", missing_cell())
    if told is Part.BRAND:
        text = ""
    elif not text:
        raise Fault("text", "missing", missing_cell())
    return LexiconRow(line=line, table=table, entry=told, brand=brand, text=text, fields=_fields(cells, told))


def _fields(cells: Mapping[str, object], entry: Part) -> BrandFields | AliasFields | RuleFields:
    active = is_active(cells.get("is_active"))
    if entry is Part.BRAND:
        return BrandFields(role=_word(cells, "role", role_of), domains=_domains(cells), is_active=active)
    if entry is Part.ALIAS:
        kind, mode = _word(cells, "kind", kind_of), _word(cells, "match_mode", mode_of)
        return AliasFields(kind=kind, match_mode=mode, is_active=active)
    return RuleFields(
        kind=RuleKind(entry), alias=_text(cells, "for_alias") or None, window=_window(cells), is_active=active
    )


def _text(cells: Mapping[str, object], field: str) -> str:
    """Return the text of a cell, '' for an empty one; raises Fault for JSON that is neither text nor number."""
    value = cells.get(field)
    if isinstance(value, list | dict | bool):
        raise Fault(field, "bad_value", no_text(value))
    refuse_endless(field, value)
    return "" if value is None else clean_cell(str(value))


def _word(cells: Mapping[str, object], field: str, meaning: Callable[[str], T | None]) -> T | None:
    text = _text(cells, field)
    if not text:
        return None
    found = meaning(text)
    if found is None:
        _refuse(field, text)
    return found


def _refuse(field: str, text: str) -> NoReturn:
    shown = in_short(text)
    message = Said("row_word", f"{shown!r} is no word for it; docs/lexicon.md lists them", value=shown)
    raise Fault(field, "bad_value", message)


def _window(cells: Mapping[str, object]) -> int | None:
    text = _text(cells, "window").removesuffix(".0")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > len(str(WIDEST_WINDOW)):
        shown = in_short(text)
        message = Said(
            "row_window", f"a window has 1 to {WIDEST_WINDOW} characters, not {shown!r}",
            widest=WIDEST_WINDOW, value=shown,
        )  # fmt: skip
        raise Fault("window", "bad_value", message)
    return int(text)


def _domains(cells: Mapping[str, object]) -> tuple[str, ...] | None:
    value = cells.get("domains")
    if isinstance(value, list):
        return tuple(clean_cell(str(one)) for one in value)
    text = _text(cells, "domains")
    return tuple(filter(None, _APART.split(text))) if text else None
