"""Rows of a lexicon file: what each says of a brand, a name or a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from answerwatch.domain.brands import RuleKind
from answerwatch.domain.lexicon_changes import Part
from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.workspace.brands.edits import WIDEST_WINDOW, AliasFields, BrandFields, RuleFields
from answerwatch.workspace.brands.files.words import entry_of, kind_of, mode_of, role_of
from answerwatch.workspace.files.columns import read_flag
from answerwatch.workspace.files.row_notes import RowError, missing_cell
from answerwatch.workspace.files.tables import FileRow, clean_cell

T = TypeVar("T")

MOST_ERRORS = 1_000
"""Rows of a file that cannot be taken; after so many the rest is not looked at."""

_APART = re.compile(r"[,，;；、|\s]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconRow:
    """One row of a lexicon file."""

    line: int
    sheet: str | None
    """Sheet of a workbook; None where the file is one table."""
    entry: Part
    brand: str
    """The brand as the row names it."""
    text: str
    """The name or phrase; '' for the brand itself."""
    fields: BrandFields | AliasFields | RuleFields


class _Fault(Exception):
    """What is wrong with a cell."""

    def __init__(self, field: str, reason: str, message: Said) -> None:
        super().__init__(message)
        self.field, self.reason, self.message = field, reason, message


def read_row(
    row: FileRow, mapping: Mapping[str, str], *, entry: Part | None = None, sheet: str | None = None
) -> LexiconRow | RowError:
    """Return what a row of a file says, or what is wrong with it; `entry` is what rows are that do not say it."""
    cells = {field: row.values.get(column) for column, field in mapping.items()}
    try:
        return _row(cells, row.line, entry, sheet)
    except _Fault as fault:
        return row_error(row.line, sheet, fault.field, fault.reason, fault.message)


def brand_of(row: FileRow, mapping: Mapping[str, str], *, entry: Part | None = None) -> str | None:
    """Return the brand that a row is about as a whole, also where something else in it is wrong; None: of no brand."""
    cells = {field: row.values.get(column) for column, field in mapping.items()}
    told = entry_of(_text(cells, "entry")) or entry or (Part.ALIAS if _text(cells, "text") else Part.BRAND)
    return (_text(cells, "brand") or None) if told is Part.BRAND else None


def row_error(line: int, sheet: str | None, field: str, reason: str, message: Said) -> RowError:
    """Return what is wrong with a row; in a workbook the column is told with its sheet."""
    return RowError(line=line, column=f"{sheet}: {field}" if sheet else field, reason=reason, message=message)


def _row(cells: Mapping[str, object], line: int, entry: Part | None, sheet: str | None) -> LexiconRow:
    brand, text = _text(cells, "brand"), _text(cells, "text")
    told = _word(cells, "entry", entry_of) or entry or (Part.ALIAS if text else Part.BRAND)
    if not brand:
        raise _Fault("brand", "missing", missing_cell())
    if told is Part.BRAND:
        text = ""
    elif not text:
        raise _Fault("text", "missing", missing_cell())
    return LexiconRow(line=line, sheet=sheet, entry=told, brand=brand, text=text, fields=_fields(cells, told))


def _fields(cells: Mapping[str, object], entry: Part) -> BrandFields | AliasFields | RuleFields:
    active = _flag(cells)
    if entry is Part.BRAND:
        return BrandFields(role=_word(cells, "role", role_of), domains=_domains(cells), is_active=active)
    if entry is Part.ALIAS:
        kind, mode = _word(cells, "kind", kind_of), _word(cells, "match_mode", mode_of)
        return AliasFields(kind=kind, match_mode=mode, is_active=active)
    return RuleFields(
        kind=RuleKind(entry), alias=_text(cells, "for_alias") or None, window=_window(cells), is_active=active
    )


def _text(cells: Mapping[str, object], field: str) -> str:
    value = cells.get(field)
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
    shown = text[:40]
    message = Said("row_word", f"{shown!r} is no word for it; docs/lexicon.md lists them", value=shown)
    raise _Fault(field, "bad_value", message)


def _flag(cells: Mapping[str, object]) -> bool | None:
    try:
        return read_flag(cells.get("is_active"))
    except ValueError:
        word = in_short(_text(cells, "is_active"))
        message = Said("row_no_flag", f"{word!r} is neither yes nor no", value=word)
        raise _Fault("is_active", "bad_value", message) from None


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
        raise _Fault("window", "bad_value", message)
    return int(text)


def _domains(cells: Mapping[str, object]) -> tuple[str, ...] | None:
    value = cells.get("domains")
    if isinstance(value, list):
        return tuple(clean_cell(str(one)) for one in value)
    text = _text(cells, "domains")
    return tuple(filter(None, _APART.split(text))) if text else None
