"""Importing answers collected elsewhere: looked through once for errors, then stored in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from zoneinfo import ZoneInfo

from answerwatch.domain.batches import IMPORTED, BatchStatus
from answerwatch.domain.questions import check_scene
from answerwatch.domain.said import Said
from answerwatch.domain.texts import storable
from answerwatch.errors import UsageError
from answerwatch.stages.collect.imported import ImportBatch, ImportCount, ImportedAnswer, keep_file, store_imported
from answerwatch.store import batches as shelf
from answerwatch.store.database import Read, Write
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.files.columns import ANSWER_COLUMNS, map_columns, shown_columns
from answerwatch.workspace.files.row_notes import RowError, RowNote, altered_note
from answerwatch.workspace.files.tables import FileRow, Source, Table, look_through, read_table
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.samples.rows import Defaults, fingerprint, read_answer
from answerwatch.workspace.samples.views import SampleImport

MOST_ERRORS = 1_000
"""Errors after which a file is read no further."""
MOST_NOTES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """What to import, and how."""

    path: Path
    format: str
    brand: str | None
    platform: str | None
    scene: str | None
    encoding: str | None
    dry_run: bool


@dataclass(slots=True)
class _Seen:
    """What a look through a file found; no answer is kept."""

    header: tuple[str, ...] = ()
    mapping: dict[str, str] = field(default_factory=dict)
    rows: int = 0
    duplicates: int = 0
    altered: int = 0
    platforms: dict[str, None] = field(default_factory=dict)
    scenes: dict[str, None] = field(default_factory=dict)
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each question was asked on each platform."""
    errors: list[RowError] = field(default_factory=list)
    notes: list[RowNote] = field(default_factory=list)

    @property
    def stored(self) -> int:
        return self.rows - self.duplicates


def import_samples(parts: Parts, request: ImportRequest) -> SampleImport:
    """Import a file as the request says; raises UsageError for a file that is no table of answers."""
    source = look_through(request.path, encoding=request.encoding, file_format=request.format)
    with parts.store().reading() as read:
        brand = "" if request.brand is None else pick_brand(read, request.brand).standard_name
        known = shelf.of_key(read, _key(source, brand))
    defaults = _defaults(parts, request)
    seen = _look(source, defaults)
    if known or request.dry_run or seen.errors:
        return _result(request, source, seen, batch_id=known[0].batch_id if known else None, known=bool(known))
    if not seen.stored:
        raise UsageError("import_nothing", f"{request.path} holds no answer.", file=str(request.path))
    batch_id, new = _store(parts, source, seen, defaults=defaults, brand=brand)
    return _result(request, source, seen, batch_id=batch_id, known=not new)


def _key(source: Source, brand: str) -> str:
    return f"import:{source.sha256}:{brand}"


def _defaults(parts: Parts, request: ImportRequest) -> Defaults:
    return Defaults(
        platform=request.platform,
        scene=None if request.scene is None else check_scene(request.scene),
        zone=ZoneInfo(parts.settings.time_zone),
        import_name=parts.platforms().catalogue.import_name,
    )


def _answers(table: Table, defaults: Defaults) -> Iterator[ImportedAnswer | RowError]:
    """Yield the rows of a file; the mapping of a JSONL file follows the keys of each row."""
    for row in table.rows:
        if isinstance(row, FileRow):
            yield read_answer(row, _mapping(table, row), defaults)
        else:
            yield row


def _mapping(table: Table, row: FileRow) -> dict[str, str]:
    return map_columns(row.values if table.delimiter is None else table.header, ANSWER_COLUMNS)


def _look(source: Source, defaults: Defaults) -> _Seen:
    """Read the whole file once, counting and checking."""
    table = read_table(source)
    seen = _Seen()
    prints: dict[bytes, int] = {}
    for answer in _answers(table, defaults):
        if isinstance(answer, RowError):
            seen.errors.append(answer)
            if len(seen.errors) >= MOST_ERRORS:
                break
            continue
        seen.rows += 1
        first = prints.setdefault(fingerprint(answer), answer.row)
        if first == answer.row:
            _count(seen, answer)
        else:
            seen.duplicates += 1
            message = Said("row_repeats", f"repeats line {first} and is left out", line=first)
            _note(seen, RowNote(line=answer.row, reason="duplicate", message=message))
    seen.header, seen.mapping = table.header, map_columns(table.header, ANSWER_COLUMNS)
    seen.notes.extend(table.notes)
    _refuse_columns(source, seen, defaults)
    return seen


def _count(seen: _Seen, answer: ImportedAnswer) -> None:
    seen.platforms |= {answer.platform: None}
    seen.scenes |= {answer.scene_type: None}
    seen.asked[answer.question_id or answer.query_text, answer.platform] += 1
    if altered := storable(answer.answer).altered:
        seen.altered += 1
        _note(seen, altered_note(answer.row, altered))


def _note(seen: _Seen, note: RowNote) -> None:
    if len(seen.notes) < MOST_NOTES:
        seen.notes.append(note)


def _refuse_columns(source: Source, seen: _Seen, defaults: Defaults) -> None:
    """Raise UsageError when a column that every row needs is not there at all."""
    needed = ("question", "answer") if defaults.platform else ("question", "answer", "platform")
    missing = [field for field in needed if field not in seen.mapping.values()]
    if missing and seen.rows == 0 and seen.header:
        text = (
            f"{source.path} has no column for {', '.join(missing)}; its columns are {', '.join(seen.header)}. "
            "Rename one, or give the platform with --platform."
        )
        raise UsageError("columns_missing", text, file=str(source.path), needed=", ".join(missing))


def _store(parts: Parts, source: Source, seen: _Seen, *, defaults: Defaults, brand: str) -> tuple[str, bool]:
    """Store the answers and return their batch and whether it is new."""
    kept = keep_file(parts.objects, source.path)
    if kept.sha256 != source.sha256:
        raise _changed(source)

    def work(tx: Write) -> tuple[str, bool]:
        if known := shelf.of_key(tx, _key(source, brand)):
            return known[0].batch_id, False
        now = parts.clock.now()
        batch_id = _free_id(tx, source, brand)
        shelf.add(tx, _batch(source, seen, batch_id, brand=brand, now=now))
        target = ImportBatch(
            batch_id=batch_id, brand_name=brand, file=kept, cleaner_version=parts.cleaner_version, now=now
        )
        _check_count(source, seen, store_imported(tx, target, _unique(source, defaults)))
        return batch_id, True

    return parts.store().create(work)


def _unique(source: Source, defaults: Defaults) -> Iterator[ImportedAnswer]:
    """Yield the answers of a file that had no errors, each once."""
    prints: set[bytes] = set()
    for answer in _answers(read_table(source), defaults):
        if isinstance(answer, RowError):
            raise _changed(source)
        mark = fingerprint(answer)
        if mark not in prints:
            prints.add(mark)
            yield answer


def _check_count(source: Source, seen: _Seen, count: ImportCount) -> None:
    if count.samples != seen.stored:
        raise _changed(source)


def _changed(source: Source) -> UsageError:
    text = f"{source.path} changed while it was read; import it again."
    return UsageError("file_changed", text, file=str(source.path))


def _free_id(read: Read, source: Source, brand: str) -> str:
    """Return `IMPORT_{hash}[_BRAND]`, made of the file's hash so that the same file gets the same ids."""
    letters = "".join(ch for ch in brand if ch.isalnum())[:4].upper()
    stem = f"IMPORT_{source.sha256[:12]}" + (f"_{letters}" if letters else "")
    candidates = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    return next(id_ for id_ in candidates if not shelf.taken(read, [id_]))


def _batch(source: Source, seen: _Seen, batch_id: str, *, brand: str, now: datetime) -> shelf.Batch:
    return shelf.Batch(
        batch_id=batch_id,
        brand_name=brand,
        scene_types=tuple(sorted(seen.scenes)),
        platforms=tuple(sorted(seen.platforms)),
        total_questions=len({question for question, _ in seen.asked}),
        total_sub_tasks=seen.stored,
        completed_sub_tasks=seen.stored,
        batch_status=BatchStatus.COMPLETED,
        created_at=now,
        started_at=now,
        completed_at=now,
        group_id=batch_id,
        rounds=max(seen.asked.values()),
        timeout_s=0.0,
        origin=IMPORTED,
        idempotency_key=_key(source, brand),
        file_sha256=source.sha256,
    )


def _result(request: ImportRequest, source: Source, seen: _Seen, *, batch_id: str | None, known: bool) -> SampleImport:
    stored = batch_id is not None and not known
    return SampleImport(
        file=str(request.path),
        sha256=source.sha256,
        format=source.format,
        encoding=source.encoding,
        columns=shown_columns(seen.header, seen.mapping),
        rows=seen.rows,
        imported=seen.stored if stored else 0,
        duplicates=seen.duplicates,
        altered=seen.altered,
        errors=tuple(seen.errors),
        notes=tuple(sorted(seen.notes, key=lambda note: note.line)),
        batch_id=batch_id,
        known=known,
    )
