"""Importing answers collected elsewhere: looked through once for errors, then stored in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from zoneinfo import ZoneInfo

from answerwatch.domain.batches import IMPORTED, BatchStatus
from answerwatch.domain.questions import check_scene
from answerwatch.domain.said import Said
from answerwatch.domain.seen import Seen, mark_of
from answerwatch.domain.texts import storable
from answerwatch.errors import UsageError
from answerwatch.stages.collect.imported import ImportBatch, ImportedAnswer, keep_file, parts_of, store_imported
from answerwatch.store import batches as shelf
from answerwatch.store import imports
from answerwatch.store.database import Read, Write
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.files.records import Source
from answerwatch.workspace.files.row_notes import RowError, RowNote, altered_note
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.samples.reading import AnswerFile, Reading, look_at_answers, read_answers
from answerwatch.workspace.samples.rows import Defaults
from answerwatch.workspace.samples.views import SampleImport, first_row

MOST_ERRORS = 1_000
"""Errors that are told one by one; a file of which nothing can be stored any more is read no further."""
MOST_NOTES = 1_000
FIRST_ROWS = 5
"""Rows that are shown before anything is stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """What to import, and how."""

    path: Path
    format: str
    brand: str | None
    platform: str | None
    scene: str | None
    encoding: str | None
    sheet: str | None
    requests: Path | None
    renamed: Mapping[str, str]
    skip_errors: bool
    dry_run: bool


@dataclass(slots=True)
class _Found:
    """What a look through a file found; of answers the first ones are kept, and what is shown of them."""

    rows: int = 0
    repeated: int = 0
    stored: int = 0
    """Rows whose answers are stored already."""
    altered: int = 0
    bad: int = 0
    platforms: dict[str, None] = field(default_factory=dict)
    scenes: dict[str, None] = field(default_factory=dict)
    questions: Seen = field(default_factory=Seen)
    asked: Seen = field(default_factory=Seen)
    """How often each question was asked on each platform."""
    rounds: int = 0
    first: list[ImportedAnswer] = field(default_factory=list)
    errors: list[RowError] = field(default_factory=list)
    notes: list[RowNote] = field(default_factory=list)

    @property
    def fresh(self) -> int:
        return self.rows - self.repeated - self.stored


def import_samples(parts: Parts, request: ImportRequest) -> SampleImport:
    """Import a file as the request says; raises UsageError for a file that holds no answers."""
    file = look_at_answers(
        request.path,
        wanted=request.format,
        encoding=request.encoding,
        sheet=request.sheet,
        requests=request.requests,
        renamed=request.renamed,
    )
    with parts.store().reading() as read:
        brand = "" if request.brand is None else pick_brand(read, request.brand).standard_name
        known = shelf.of_key(read, _key(file.source, brand))
    defaults = _defaults(parts, request, brand)
    reading = read_answers(file, defaults)
    with parts.store().reading() as read:
        found = _look(None if known else read, reading, request)
    _refuse_columns(file, reading, found, defaults)
    if known or request.dry_run or not found.fresh or (found.bad and not request.skip_errors):
        if not found.rows and not found.bad:
            raise UsageError("import_nothing", f"{request.path} holds no answer.", file=str(request.path))
        return _result(request, file, reading, found, batch_id=known[0].batch_id if known else None, known=bool(known))
    batch_id, new = _store(parts, file, found, defaults=defaults, skip_errors=request.skip_errors)
    return _result(request, file, reading, found, batch_id=batch_id, known=not new)


def _key(source: Source, brand: str) -> str:
    return f"import:{source.sha256}:{brand}"


def _defaults(parts: Parts, request: ImportRequest, brand: str) -> Defaults:
    return Defaults(
        platform=request.platform,
        scene=None if request.scene is None else check_scene(request.scene),
        zone=ZoneInfo(parts.settings.time_zone),
        brand=brand,
        import_name=parts.platforms().catalogue.import_name,
    )


def _look(read: Read | None, reading: Reading, request: ImportRequest) -> _Found:
    """Read the whole file once, counting and checking; with `read` answers that are stored already are found."""
    found = _Found()
    lines = Seen()
    for part in parts_of(_good(reading, found, skip_errors=request.skip_errors)):
        fresh = [answer for answer in part if _is_first(found, lines, answer)]
        stored = imports.known(read, [answer.mark for answer in fresh]) if read is not None else {}
        for answer in fresh:
            if answer.mark in stored:
                found.stored += 1
                text = f"is stored already, as {stored[answer.mark]}, and is left out"
                message = Said("row_stored", text, sample=stored[answer.mark])
                _note(found, RowNote(line=answer.row, reason="stored", message=message))
            else:
                _count(found, answer)
    found.notes.extend(reading.notes[: MOST_NOTES - len(found.notes)])
    return found


def _good(reading: Reading, found: _Found, *, skip_errors: bool) -> Iterator[ImportedAnswer]:
    """Yield the answers of a file and keep its errors; without `skip_errors` too many of them end it."""
    for answer in reading.answers:
        if isinstance(answer, ImportedAnswer):
            found.rows += 1
            yield answer
            continue
        found.bad += 1
        if len(found.errors) < MOST_ERRORS:
            found.errors.append(answer)
        elif not skip_errors:
            return


def _is_first(found: _Found, lines: Seen, answer: ImportedAnswer) -> bool:
    """Tell whether no earlier row holds the same answer; a note tells of one that repeats."""
    first = lines.put(answer.mark, answer.row)
    if first == answer.row:
        return True
    found.repeated += 1
    message = Said("row_repeats", f"repeats line {first} and is left out", line=first)
    _note(found, RowNote(line=answer.row, reason="duplicate", message=message))
    return False


def _count(found: _Found, answer: ImportedAnswer) -> None:
    question = answer.question_id or answer.query_text
    found.platforms |= {answer.platform: None}
    found.scenes |= {answer.scene_type: None}
    found.questions.put(mark_of(question), 1)
    found.rounds = max(found.rounds, found.asked.count(mark_of(question, answer.platform)))
    if len(found.first) < FIRST_ROWS:
        found.first.append(answer)
    if altered := storable(answer.answer).altered:
        found.altered += 1
        _note(found, altered_note(answer.row, altered))


def _note(found: _Found, note: RowNote) -> None:
    if len(found.notes) < MOST_NOTES:
        found.notes.append(note)


def _refuse_columns(file: AnswerFile, reading: Reading, found: _Found, defaults: Defaults) -> None:
    """Raise UsageError when a column that every row needs is not there at all."""
    needed = ("question", "answer") if defaults.platform else ("question", "answer", "platform")
    missing = [name for name in needed if name not in reading.columns.values()]
    if missing and found.rows == 0 and reading.columns:
        path = file.source.path
        text = (
            f"{path} has no column for {', '.join(missing)}; its columns are {', '.join(reading.columns)}. "
            "Say with --map COLUMN=FIELD which one it is, or give the platform with --platform."
        )
        columns = ", ".join(reading.columns)
        raise UsageError("answer_columns", text, file=str(path), needed=", ".join(missing), columns=columns)


def _store(parts: Parts, file: AnswerFile, found: _Found, *, defaults: Defaults, skip_errors: bool) -> tuple[str, bool]:
    """Store the answers and return their batch and whether it is new."""
    source, brand = file.source, defaults.brand
    kept = keep_file(parts.objects, source.path)
    if kept.sha256 != source.sha256:
        raise _changed(source)

    def work(tx: Write) -> tuple[str, bool]:
        if known := shelf.of_key(tx, _key(source, brand)):
            return known[0].batch_id, False
        now = parts.clock.now()
        batch_id = _free_id(tx, source, brand)
        shelf.add(tx, _batch(source, found, batch_id, brand=brand, now=now))
        target = ImportBatch(
            batch_id=batch_id, brand_name=brand, file=kept, cleaner_version=parts.cleaner_version, now=now
        )
        answers = _fresh(tx, file, defaults, skip_errors=skip_errors)
        if store_imported(tx, target, answers).samples != found.fresh:
            raise _changed(source)
        return batch_id, True

    return parts.store().create(work)


def _fresh(tx: Write, file: AnswerFile, defaults: Defaults, *, skip_errors: bool) -> Iterator[ImportedAnswer]:
    """Yield the answers of a file, each once, that are not stored yet."""
    marks = Seen()
    for part in parts_of(_taken(file, defaults, skip_errors=skip_errors)):
        stored = imports.known(tx, [answer.mark for answer in part])
        for answer in part:
            if answer.mark not in stored and marks.count(answer.mark) == 1:
                yield answer


def _taken(file: AnswerFile, defaults: Defaults, *, skip_errors: bool) -> Iterator[ImportedAnswer]:
    for answer in read_answers(file, defaults).answers:
        if isinstance(answer, ImportedAnswer):
            yield answer
        elif not skip_errors:
            raise _changed(file.source)


def _changed(source: Source) -> UsageError:
    text = f"{source.path} changed while it was read, or others stored its answers meanwhile; import it again."
    return UsageError("file_changed", text, file=str(source.path))


def _free_id(read: Read, source: Source, brand: str) -> str:
    """Return `IMPORT_{hash}[_BRAND]`, made of the file's hash so that the same file gets the same ids."""
    letters = "".join(ch for ch in brand if ch.isalnum())[:4].upper()
    stem = f"IMPORT_{source.sha256[:12]}" + (f"_{letters}" if letters else "")
    candidates = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    return next(id_ for id_ in candidates if not shelf.taken(read, [id_]))


def _batch(source: Source, found: _Found, batch_id: str, *, brand: str, now: datetime) -> shelf.Batch:
    return shelf.Batch(
        batch_id=batch_id,
        brand_name=brand,
        scene_types=tuple(sorted(found.scenes)),
        platforms=tuple(sorted(found.platforms)),
        total_questions=len(found.questions),
        total_sub_tasks=found.fresh,
        completed_sub_tasks=found.fresh,
        batch_status=BatchStatus.COMPLETED,
        created_at=now,
        started_at=now,
        completed_at=now,
        group_id=batch_id,
        rounds=found.rounds,
        timeout_s=0.0,
        origin=IMPORTED,
        idempotency_key=_key(source, brand),
        file_sha256=source.sha256,
    )


def _result(
    request: ImportRequest, file: AnswerFile, reading: Reading, found: _Found, *, batch_id: str | None, known: bool
) -> SampleImport:
    stored = batch_id is not None and not known
    table = reading.table
    return SampleImport(
        file=str(request.path),
        sha256=file.source.sha256,
        format=file.format_name,
        encoding=file.source.encoding,
        delimiter=None if table is None else table.delimiter,
        sheet=None if table is None else table.sheet,
        sheets=() if table is None else table.sheets,
        columns=tuple(reading.columns.items()),
        first=tuple(first_row(answer) for answer in found.first),
        rows=found.rows,
        imported=found.fresh if stored else 0,
        duplicates=found.repeated,
        stored_before=found.stored,
        altered=found.altered,
        bad_rows=found.bad,
        errors=tuple(found.errors),
        notes=tuple(sorted(found.notes, key=lambda note: note.line)),
        batch_id=batch_id,
        known=known,
    )
