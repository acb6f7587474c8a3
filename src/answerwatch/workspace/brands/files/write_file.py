"""Writing the lexicon into a file that can be imported again: CSV, JSONL, or a workbook with three sheets."""

from __future__ import annotations

import csv
import hashlib
import io
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import orjson

from answerwatch.domain.brands import AliasKind, Brand, MatchMode, Role, RuleKind
from answerwatch.domain.lexicon_changes import Part
from answerwatch.errors import UsageError
from answerwatch.workspace.brands.files.words import SHEETS, header, sheet_name, written
from answerwatch.workspace.brands.views import LexiconExport
from answerwatch.workspace.files.columns import LEXICON_COLUMNS
from answerwatch.workspace.files.fresh_file import fresh_file
from answerwatch.workspace.files.guard import guarded
from answerwatch.workspace.files.workbook_limits import MOST_ROWS

_FIELDS = tuple(LEXICON_COLUMNS)

Entry: TypeAlias = Mapping[str, object]
"""One entry of the lexicon by field; what it has not is left out."""


def write_lexicon(path: Path, brands: Sequence[Brand], *, language: str, force: bool) -> LexiconExport:
    """Write brands, names and rules, also those out of use; columns and words of CSV and XLSX are in `language`.

    Raises UsageError for a name that ends in none of the formats, or that is taken and not to be replaced (`force`).
    """
    write = _writer(path)
    entries = list(_entries(brands))
    with fresh_file(path, force=force) as file:
        data = write(entries, language)
        file.write(data)
    return LexiconExport(file=str(path), rows=len(entries), sha256=hashlib.sha256(data).hexdigest())


def _writer(path: Path) -> Callable[[Sequence[Entry], str], bytes]:
    writers = {".csv": _csv, ".jsonl": _jsonl, ".xlsx": _xlsx}
    found = writers.get(path.suffix.lower())
    if found is None:
        text = f"{path} ends in no format of a lexicon; name it .xlsx, .csv or .jsonl."
        raise UsageError("lexicon_format", text, file=str(path))
    return found


def _entries(brands: Iterable[Brand]) -> Iterator[Entry]:
    for brand in brands:
        yield {
            "entry": Part.BRAND, "brand": brand.standard_name, "role": brand.role, "domains": brand.domains,
            "is_active": brand.is_active,
        }  # fmt: skip
        for alias in brand.aliases:
            yield {
                "entry": Part.ALIAS, "brand": brand.standard_name, "text": alias.text, "kind": alias.kind,
                "match_mode": alias.match_mode, "is_active": alias.is_active,
            }  # fmt: skip
        for rule in brand.rules:
            yield {
                "entry": Part(rule.kind), "brand": brand.standard_name, "text": rule.pattern, "for_alias": rule.alias,
                "window": rule.window, "is_active": rule.is_active,
            }  # fmt: skip


def _jsonl(entries: Sequence[Entry], _language: str) -> bytes:
    return b"".join(orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE) for entry in entries)


def _csv(entries: Sequence[Entry], language: str) -> bytes:
    """Return a table for people: with a mark that tells spreadsheets its encoding, and guarded against formulas."""
    file = io.StringIO(newline="")
    table = csv.writer(file)
    table.writerow(header(_FIELDS, language))
    for entry in entries:
        table.writerow([guarded(_cell(entry.get(field), language)) for field in _FIELDS])
    return file.getvalue().encode("utf-8-sig")


def _cell(value: object, language: str) -> str:
    return "; ".join(value) if isinstance(value, tuple) else written(value, language)


_CHOICES: Mapping[str, Sequence[object]] = {
    "entry": tuple(RuleKind),
    "kind": tuple(AliasKind),
    "match_mode": tuple(MatchMode),
    "role": tuple(Role),
    "is_active": (True, False),
}
"""Fields whose words a workbook offers in a list."""


def _xlsx(entries: Sequence[Entry], language: str) -> bytes:
    from answerwatch.workspace.files.workbook_writing import (  # noqa: PLC0415 - few commands write workbooks
        close_workbook,
        new_workbook,
    )

    file = io.BytesIO()
    with tempfile.TemporaryDirectory(prefix="answerwatch-") as scratch:
        book = new_workbook(file, scratch)
        formats = {"head": book.add_format({"bold": True}), "text": book.add_format({"quote_prefix": True})}
        for name, (part, fields) in SHEETS.items():
            mine = [entry for entry in entries if _is_on(entry, part)]
            _sheet(book.add_worksheet(sheet_name(name, language)), mine, fields, language, formats)
        close_workbook(book)
    return file.getvalue()


def _is_on(entry: Entry, part: Part | None) -> bool:
    """Return whether an entry stands on the sheet of a part; that of no part is the one for rules."""
    return entry["entry"] is part if part is not None else entry["entry"] in (Part.EXCLUDE, Part.REQUIRE)


def _sheet(
    sheet: Any,  # noqa: ANN401 - XlsxWriter has no types
    entries: Sequence[Entry],
    fields: tuple[str, ...],
    language: str,
    formats: Mapping[str, object],
) -> None:
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(fields) - 1, 20)
    for column, (name, field) in enumerate(zip(header(fields, language), fields, strict=True)):
        sheet.write_string(0, column, name, formats["head"])
        if field in _CHOICES:
            words = [written(value, language) for value in _CHOICES[field]]
            sheet.data_validation(1, column, MOST_ROWS - 1, column, {"validate": "list", "source": words})
    for line, entry in enumerate(entries, start=1):
        for column, field in enumerate(fields):
            value = entry.get(field)
            if isinstance(value, int) and not isinstance(value, bool):
                sheet.write_number(line, column, value)
            elif text := _cell(value, language):
                # A text that a program would take for a formula is marked as a text there, too.
                sheet.write_string(line, column, text, formats["text"] if guarded(text) != text else None)
