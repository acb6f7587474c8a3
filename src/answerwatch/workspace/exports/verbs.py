"""Exports: rows as they are stored, streamed from one snapshot into a file. No figure is computed here."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

from answerwatch.domain.said import Said
from answerwatch.errors import UsageError
from answerwatch.store.database import Read
from answerwatch.store.exports.columns import Columns
from answerwatch.store.exports.row_set import RowSet, Wanted
from answerwatch.store.exports.row_sets import ROW_SETS
from answerwatch.store.exports.streaming import count_rows, stream_rows
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.exports.layout import Layout, OutColumn, Say, Writer
from answerwatch.workspace.exports.views import ExportRequest, ExportView
from answerwatch.workspace.exports.writers import FORMATS
from answerwatch.workspace.files.fresh_file import fresh_file
from answerwatch.workspace.filters import known_batches, known_platform, known_question, known_scene, offered
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.questions.branded import flags_by_newest

STREAM_FORMAT = "csv"
"""Of a stream when none is asked for."""
WORDS, NAMES = "words", "names"
"""What headers can be."""
_ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".xlsx": "xlsx"}
"""How files of a format end."""

Progress = Callable[[int, int], None]
"""Told now and then how many rows are written, of how many."""


def _same(name: str) -> str:
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class ForReaders:
    """What a file says to those who open it, which the caller knows to say in their language."""

    title: Callable[[str], str] = _same
    """Makes the header of a column of its name."""
    say: Say = str


PLAIN = ForReaders()
"""Headers are the names of the data dictionary, notes are English."""


class Exports:
    """Verbs on exports."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def rows(
        self,
        request: ExportRequest,
        *,
        stream: BinaryIO | None = None,
        readers: ForReaders = PLAIN,
        progress: Progress | None = None,
    ) -> ExportView:
        """Write rows into the file of the request, or else into `stream`, and return what was written.

        The file appears under its name when it is whole. Rows are those of one moment, whoever writes meanwhile, and
        memory does not grow with them. Raises UsageError for something unknown or a name that is taken, ServiceError
        when the file cannot be written.
        """
        rows = _row_set(request.what)
        job = _Job(
            rows=rows,
            names=_columns(rows, request.columns),
            format=_format(request),
            wanted=self._wanted(rows, request),
            progress=progress,
        )
        layout = self._layout(job, request, readers)
        if request.file is None:
            if stream is None:
                raise TypeError("an export without a file needs a stream")
            return self._write(job, layout, stream, None)
        with fresh_file(request.file, force=request.force) as file:
            view = self._write(job, layout, file, request.file)
        with request.file.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return replace(view, size=file.tell(), sha256=digest)

    def _write(self, job: _Job, layout: Layout, file: BinaryIO, path: Path | None) -> ExportView:
        written = 0
        store = self._parts.store()
        with (
            _writer(job.format, file, layout, None if path is None else Path(file.name)) as writer,
            store.reading() as read,
            closing(stream_rows(read, job.rows, job.names, job.wanted)) as parts,
        ):
            total = count_rows(read, job.rows, job.wanted) if job.progress else 0
            with_flags = _with_flags(read, job)
            for part in parts:
                writer.add(with_flags(part))
                written += len(part[0])
                if job.progress:
                    job.progress(written, total)
            remarks = writer.finish()
        return ExportView(
            what=job.rows.name,
            file=None if path is None else str(path),
            format=job.format,
            rows=written,
            columns=tuple(job.names),
            time_zone=layout.zone_name,
            size=None,
            sha256=None,
            sheets=remarks.sheets,
            cut=remarks.cut,
            cut_cells=remarks.cut_cells,
            altered=remarks.altered,
        )

    def _layout(self, job: _Job, request: ExportRequest, readers: ForReaders) -> Layout:
        zone_name = self._parts.settings.time_zone
        by_people = request.file is not None
        title = readers.title if _headers(request.headers, job.format) == WORDS else _same
        return Layout(
            name=job.rows.name,
            columns=tuple(
                OutColumn(name=one.name, title=title(one.name), kind=one.kind, origin=one.origin)
                for one in job.rows.facts(job.names)
            ),
            zone=ZoneInfo(zone_name),
            zone_name=zone_name,
            bom=by_people if request.bom is None else request.bom,
            notes=tuple(map(readers.say, _notes(job.rows.name, zone_name))),
            say=readers.say,
        )

    def _wanted(self, rows: RowSet, request: ExportRequest) -> Wanted:
        """Return the filters, names resolved; raises UsageError for one that these rows do not have or do not know."""
        asked = request.given()
        for name in asked.keys() - rows.narrowed.keys():
            known = ", ".join(rows.narrowed)
            text = f"Exports of {rows.name} cannot be narrowed by {name}; they can by: {known}."
            raise UsageError("export_filter", text, what=rows.name, filter=name, known=known)
        if request.since is not None and request.until is not None and request.until <= request.since:
            raise UsageError("window_empty", "Nothing lies between --since and --until: the end comes first.")
        with self._parts.store().reading() as read:
            return Wanted(**{name: self._known(read, name, value) for name, value in asked.items()})

    def _known(self, read: Read, name: str, value: Any) -> Any:  # noqa: ANN401 - what a filter takes
        """Return the value of a filter as rows have it; raises UsageError for a name that nobody knows."""
        match name:
            case "batches":
                return known_batches(read, value)
            case "brands":
                return [pick_brand(read, one).standard_name for one in value]
            case "platforms":
                platforms = self._parts.platforms()
                return [known_platform(read, platforms, one) for one in value]
            case "scenes":
                return [known_scene(read, one) for one in value]
            case "questions":
                return [known_question(read, one) for one in value]
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """An export with everything looked up."""

    rows: RowSet
    names: tuple[str, ...]
    format: str
    wanted: Wanted
    progress: Progress | None


def _with_flags(read: Read, job: _Job) -> Callable[[Columns], Columns]:
    """Return what puts flags into rows, in the places of the values that they are worked out from."""
    if not job.rows.flags.keys() & set(job.names):
        return lambda part: part
    makers = {"branded": flags_by_newest(read)}
    places = {place: makers[name] for place, name in enumerate(job.names) if name in job.rows.flags}
    return lambda part: [places[place](values) if place in places else values for place, values in enumerate(part)]


@contextmanager
def _writer(format_: str, file: BinaryIO, layout: Layout, part: Path | None) -> Iterator[Writer]:
    """Give a writer, which lets go of what it holds when the block fails."""
    writer = FORMATS[format_](file, layout, part)
    try:
        yield writer
    except BaseException:
        writer.abandon()
        raise


def _row_set(what: str) -> RowSet:
    """Return the rows of a name; raises UsageError where there are none of it."""
    if what not in ROW_SETS:
        near = offered(what, ROW_SETS, ROW_SETS)
        text = f"There is nothing called {what!r} to export; there are: {near}."
        raise UsageError("export_unknown", text, what=what, near=near)
    return ROW_SETS[what]


def _columns(rows: RowSet, wanted: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the names of the wanted columns, each once; raises UsageError for one that the rows do not have."""
    names = rows.names if wanted is None else tuple(dict.fromkeys(wanted))
    for name in names:
        if name not in rows.names:
            near = offered(name, rows.names, rows.names)
            text = f"Exports of {rows.name} have no column {name!r}; they have: {near}."
            raise UsageError("export_column", text, what=rows.name, column=name, near=near)
    if not names:
        raise UsageError("export_no_column", "Name at least one column, or none to have all.")
    return names


def _format(request: ExportRequest) -> str:
    """Return the format of an export; raises UsageError where it cannot be told, or the name of the file lies."""
    told = None if request.file is None else _ENDINGS.get(request.file.suffix.lower())
    format_ = request.format or (STREAM_FORMAT if request.file is None else told)
    known = ", ".join(FORMATS)
    if format_ is None:
        text = f"The name of {request.file} does not say its format; end it in one of {known}, or give --format."
        raise UsageError("export_format_untold", text, file=str(request.file), known=known)
    if format_ not in FORMATS:
        text = f"There is no format {format_!r} of exports; use one of {known}."
        raise UsageError("export_format", text, format=format_, known=known)
    if told not in (None, format_):
        text = f"{request.file} ends like {told} and was asked for as {format_}; change the name or the format."
        raise UsageError("export_format_other", text, file=str(request.file), told=told, format=format_)
    return format_


def _headers(asked: str | None, format_: str) -> str:
    """Return what headers are; raises UsageError for a word that means nothing, or words in JSONL."""
    if asked not in (None, WORDS, NAMES):
        text = f"Headers are {WORDS} or {NAMES}, not {asked!r}."
        raise UsageError("export_headers", text, asked=asked)
    if asked == WORDS and format_ == "jsonl":
        text = "Keys of JSONL are names of the data dictionary always; leave --headers out, or take csv or xlsx."
        raise UsageError("export_headers_jsonl", text)
    return asked or (WORDS if format_ == "xlsx" else NAMES)


def _notes(what: str, zone_name: str) -> tuple[Said, ...]:
    """Return what is to be known of the rows as a whole."""
    meaning = Said.word("row_set", what)
    return (
        Said("export_rows", f"One row of {what}: {meaning}", what=what, meaning=meaning),
        Said("export_zone", f"Times are those of {zone_name}.", zone=zone_name),
        Said("export_source", "Answers were written by AI; platform and time stand beside each."),
    )
