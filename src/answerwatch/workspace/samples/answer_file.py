"""The answers of a file: its format is found, and each row or record becomes an answer, an error or a note."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from answerwatch.domain.said import Said
from answerwatch.errors import UsageError
from answerwatch.stages.collect.imported import ImportedAnswer
from answerwatch.workspace.files.columns import ANSWER_COLUMNS, Mapper, mapper, refuse_unknown
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.files.json_rows import Numbered, json_lines, json_records
from answerwatch.workspace.files.records import FileFormat, FileRow, Source, Table
from answerwatch.workspace.files.row_notes import RowError, RowNote
from answerwatch.workspace.files.tables import look_through, read_table
from answerwatch.workspace.files.told import Told
from answerwatch.workspace.samples.answer_rows import Defaults, read_answer
from answerwatch.workspace.samples.known_formats import CONVERSATIONS, FORMATS, ROWS, format_of
from answerwatch.workspace.samples.vendor_json.protocol import Format, Record
from answerwatch.workspace.samples.vendor_json.requests import read_requests

_BY_NAME = {one.NAME: one for one in FORMATS}
KNOWN_FORMATS = ("auto", ROWS, *(one for one in FileFormat if one is not FileFormat.ZIP), *_BY_NAME)
"""What `--format` takes: formats of files with rows, and formats of answers by name."""

Renamed = Mapping[str, str]
"""Column -> field, where the caller says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFile:
    """A file of answers that was looked through."""

    source: Source
    format: Format | None
    """None: rows."""
    path: tuple[str, ...]
    """Where records lie in a JSON document."""
    questions: Mapping[str, str]
    """Questions of a file of requests, by their ids; empty without one."""
    renamed: Renamed
    mapped: Mapper
    """Maps the columns of its rows and records."""

    @property
    def format_name(self) -> str:
        """Return the format as it is shown: its name, or that of a file with rows."""
        return self.source.format if self.format is None else self.format.NAME


@dataclass(slots=True)
class Reading:
    """One run through the answers of a file; columns and notes are whole at its end."""

    answers: Iterator[ImportedAnswer | RowError]
    table: Table | None
    """What is known of a table; None: records."""
    columns: dict[str, str] = field(default_factory=dict)
    """Every column, or name in a record, with its field; '' where it is kept beside the answer."""
    notes: Told[RowNote] = field(default_factory=Told)


def look_at_answers(
    path: Path, *, wanted: str, encoding: str | None, sheet: str | None, requests: Path | None, renamed: Renamed
) -> AnswerFile:
    """Look through a file and find its format; raises UsageError when it is none, or another than `wanted`."""
    if wanted not in KNOWN_FORMATS:
        known = ", ".join(KNOWN_FORMATS)
        text = f"Files of format {wanted!r} cannot be imported; use {known}."
        raise UsageError("format_unknown", text, format=wanted, known=known)
    file_format = wanted if wanted in list(FileFormat) else "auto"
    source = look_through(path, encoding=encoding, file_format=file_format, sheet=sheet)
    if sheet is not None and source.format is not FileFormat.XLSX:
        text = f"{path} is no workbook and has no sheets; leave --sheet out."
        raise UsageError("sheet_none", text, file=str(path))
    mapped = mapper(ANSWER_COLUMNS, renamed)
    found, where = _find_format(source, _BY_NAME.get(wanted), rows_only=wanted == ROWS)
    return AnswerFile(
        source=source,
        format=found,
        path=where,
        questions={} if requests is None else read_requests(requests),
        renamed=renamed,
        mapped=mapped,
    )


def _find_format(source: Source, wanted: Format | None, *, rows_only: bool) -> tuple[Format | None, tuple[str, ...]]:
    """Return the format and where its records lie; None and the items of a list for rows."""
    found: tuple[Format | None, tuple[str, ...]] = (None, (ITEM,))
    if source.format is FileFormat.JSONL and not rows_only:
        first = next((one for _, one in json_lines(source) if not isinstance(one, Said)), {})
        found = (format_of(first), ())
    elif source.format in (FileFormat.JSON, FileFormat.ZIP):
        found = _find_in_document(source, rows_only=rows_only)
    if wanted is not None and found[0] is not wanted:
        text = f"{source.path} does not look like {wanted.NAME}; leave --format out to have it found."
        raise UsageError("format_other", text, file=str(source.path), format=wanted.NAME)
    return found


def _find_in_document(source: Source, *, rows_only: bool) -> tuple[Format | None, tuple[str, ...]]:
    paths = dict.fromkeys(path for one in FORMATS for path in one.PATHS if path)
    for path in (*paths, ()):
        first = next((one for _, one in _in_document(source, path) if not isinstance(one, Said)), None)
        found = None if first is None or rows_only else format_of(first, path)
        if found is not None:
            return found, path
        if first is not None and path in ((ITEM,), ()) and source.format is not FileFormat.ZIP:
            return None, path
    text = f"{source.path} holds no answers of a format that is known."
    raise UsageError("format_none", text, file=str(source.path))


def read_answers(file: AnswerFile, defaults: Defaults) -> Reading:
    """Begin a run through a file."""
    if file.format is None and file.path == (ITEM,):
        table = read_table(file.source)
        reading = Reading(answers=iter(()), table=table, notes=table.notes)
        reading.answers = _of_table(file, table, reading, defaults)
        return reading
    reading = Reading(answers=iter(()), table=None)
    reading.answers = _of_records(file, reading, defaults)
    return reading


def _of_table(
    file: AnswerFile, table: Table, reading: Reading, defaults: Defaults
) -> Iterator[ImportedAnswer | RowError]:
    mapped = file.mapped
    by_row = table.source.format in (FileFormat.JSON, FileFormat.JSONL)
    if not by_row:
        reading.columns = dict.fromkeys(table.header, "") | mapped(table.header)
        refuse_unknown(table, file.renamed)
    for row in table.rows:
        if isinstance(row, RowError):
            yield row
        else:
            yield read_answer(row, mapped(tuple(row.values) if by_row else table.header), defaults)
    if by_row:
        reading.columns = dict.fromkeys(table.header, "") | mapped(table.header)
        refuse_unknown(table, file.renamed)


def _of_records(file: AnswerFile, reading: Reading, defaults: Defaults) -> Iterator[ImportedAnswer | RowError]:
    find = _one_row if file.format is None else file.format.answers
    number = 0
    for place, record in _records(file):
        if isinstance(record, Said):
            yield RowError(line=place, column="", reason="bad_json", message=record)
            continue
        for found in find(record):
            number += 1
            line = number if file.format is not None and file.format.MANY else place
            if isinstance(found, Said):
                reading.notes.add(RowNote(line=line, reason="no_answer", message=found))
                continue
            values = _with_question(file, found)
            mapping = file.mapped(tuple(values))
            reading.columns |= dict.fromkeys(values, "") | mapping
            yield read_answer(FileRow(line=line, values=values), mapping, defaults)


def _records(file: AnswerFile) -> Iterator[Numbered]:
    if file.source.format is FileFormat.JSONL:
        return json_lines(file.source)
    return _in_document(file.source, file.path)


def _in_document(source: Source, path: tuple[str, ...]) -> Iterator[Numbered]:
    return json_records(source, path, members=CONVERSATIONS.search)


def _one_row(record: Record) -> Iterator[dict[str, object] | Said]:
    yield dict(record)


def _with_question(file: AnswerFile, values: dict[str, object]) -> dict[str, object]:
    """Return an answer with the question of its request; raises UsageError when the file of requests is missing."""
    if file.format is None or values.get("question"):
        return values
    if not file.questions:
        text = (
            f"{file.source.path} ({file.format.NAME}) holds answers without their questions; "
            "give the file of requests with --requests FILE."
        )
        raise UsageError("requests_missing", text, file=str(file.source.path), format=file.format.NAME)
    return {**values, "question": file.questions.get(str(values.get("external_id")))}
