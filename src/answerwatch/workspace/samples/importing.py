"""Importing answers collected elsewhere: a file is read once, in the transaction that stores it or takes it back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count as numbers_from
from pathlib import Path
from zoneinfo import ZoneInfo

from answerwatch.domain.batches import IMPORTED, BatchStatus
from answerwatch.domain.questions import check_scene
from answerwatch.domain.said import Said
from answerwatch.domain.seen import Seen, content_hash
from answerwatch.domain.texts import storable
from answerwatch.errors import UsageError
from answerwatch.stages.collect.imported import (
    ImportBatch,
    ImportCount,
    ImportedAnswer,
    keep_file,
    parts_of,
    place_of,
    restore_file,
    store_imported,
)
from answerwatch.store.batch import batches
from answerwatch.store.database import Read, Write
from answerwatch.store.sample import imported, listing
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.files.columns import listed
from answerwatch.workspace.files.records import Source
from answerwatch.workspace.files.row_notes import RowError, RowNote, altered_note
from answerwatch.workspace.files.tables import look_through
from answerwatch.workspace.files.told import Told, by_line
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.samples.answer_file import AnswerFile, look_at_answers, read_answers
from answerwatch.workspace.samples.answer_rows import Defaults
from answerwatch.workspace.samples.asked import AskedIds
from answerwatch.workspace.samples.exported import stored_as
from answerwatch.workspace.samples.told_rows import pooled_note, stored_words
from answerwatch.workspace.samples.views import SampleImport, first_row

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
    """What a run through a file found; of answers the first ones are kept, to be shown."""

    rows: int = 0
    repeated: int = 0
    stored: int = 0
    """Rows whose answers are stored already."""
    altered: int = 0
    platforms: dict[str, str] = field(default_factory=dict)
    """With the surface of the first answer."""
    pooled: set[str] = field(default_factory=set)
    """Platforms that got answers of a second surface."""
    scenes: dict[str, None] = field(default_factory=dict)
    first: list[ImportedAnswer] = field(default_factory=list)
    errors: Told[RowError] = field(default_factory=Told)
    notes: Told[RowNote] = field(default_factory=Told)

    @property
    def fresh(self) -> int:
        return self.rows - self.repeated - self.stored


class _NothingStored(Exception):
    """Takes back what was written: there are errors, or nothing is new."""


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
        key = _key(file.source, request, brand)
        known = batches.of_key(read, key)
    run = _Run(file, _defaults(parts, request, brand), skip_errors=request.skip_errors)
    if known or request.dry_run:
        with parts.store().reading() as read:
            deque(run.answers(None if known else read), maxlen=0)
        run.check()
        back = bool(known) and not request.dry_run and _put_back(parts, file.source, known[0].batch_id)
        outcome = _result(request, run, batch_id=known[0].batch_id if known else None, known=bool(known))
        return replace(outcome, restored=back)
    return _store(parts, request, run, key)


def _put_back(parts: Parts, source: Source, batch_id: str) -> bool:
    """Keep the file of a batch again when it is gone; tell whether it was."""
    with parts.store().reading() as read:
        first = listing.find(read, listing.Wanted(batch_id=batch_id, most=1))
        sample = listing.get(read, first[0]["sub_task_id"]) if first else None
    url = None if sample is None else sample["raw_data_url"]
    return url is not None and restore_file(parts.objects, source.path, source.sha256, url)


def _key(source: Source, request: ImportRequest, brand: str) -> str:
    """Return the key of an import: the same file read in another way is another one, whose answers may be others."""
    requests = None if request.requests is None else look_through(request.requests).sha256
    told = (request.platform, request.scene, request.encoding, request.sheet, requests)
    if request.format == "auto" and not request.renamed and not any(told):
        return f"import:{source.sha256}:{brand}"
    renamed = [part for pair in sorted(request.renamed.items()) for part in pair]
    return f"import:{content_hash(source.sha256, brand, request.format, *(one or '' for one in told), *renamed).hex()}"


def _defaults(parts: Parts, request: ImportRequest, brand: str) -> Defaults:
    return Defaults(
        platform=request.platform,
        scene=None if request.scene is None else check_scene(request.scene),
        zone=ZoneInfo(parts.settings.time_zone),
        brand=brand,
        import_name=lru_cache(1024)(parts.platforms().catalogue.import_name),
    )


class _Run:
    """One run through a file: its answers that are new, and what is told of the others."""

    def __init__(self, file: AnswerFile, defaults: Defaults, *, skip_errors: bool) -> None:
        self.file = file
        self.defaults = defaults
        self.reading = read_answers(file, defaults)
        self.found = _Found()
        self._skip_errors = skip_errors
        self._lines = Seen()
        self._asked = AskedIds()

    def anew(self) -> _Run:
        """Return another run through the file: a transaction may be begun again."""
        return _Run(self.file, self.defaults, skip_errors=self._skip_errors)

    def answers(self, read: Read | None) -> Iterator[ImportedAnswer]:
        """Yield answers, each once, and with `read` those that are not stored yet; none once all is in vain."""
        found = self.found
        for part in parts_of(self._good()):
            fresh = [answer for answer in part if self._is_first(answer)]
            stored = self._stored(read, fresh) if read is not None else {}
            found.notes.extend(self._asked.notes(read))
            homes = listing.batches_of(read, list(stored.values())) if read is not None and stored else {}
            for answer in fresh:
                if answer.content_hash in stored:
                    found.stored += 1
                    message = stored_words(stored[answer.content_hash], homes, self.defaults.brand)
                    found.notes.add(RowNote(line=answer.row, reason="stored", message=message))
                    continue
                self._count(answer)
                if self._skip_errors or not found.errors.count:
                    yield answer

    def _stored(self, read: Read, answers: list[ImportedAnswer]) -> dict[bytes, str]:
        """Return the content hashes of those answers that are stored already, with their samples."""
        return imported.known(read, [answer.content_hash for answer in answers]) | stored_as(read, answers)

    def check(self) -> None:
        """Raise UsageError when a column that every row needs is not there at all, or the file holds no answer."""
        columns, path = self.reading.columns, self.file.source.path
        needed = ("question", "answer") if self.defaults.platform is not None else ("question", "answer", "platform")
        missing = [name for name in needed if name not in columns.values()]
        if missing and self.found.rows == 0 and columns:
            text = (
                f"{path} has no column for {', '.join(missing)}; its columns are {listed(columns)}. "
                "Say with --map COLUMN=FIELD which one it is, or give the platform with --platform."
            )
            raise UsageError("answer_columns", text, file=str(path), needed=", ".join(missing), columns=listed(columns))
        if not self.found.rows and not self.found.errors.count:
            raise UsageError("import_nothing", f"{path} holds no answer.", file=str(path))

    def _good(self) -> Iterator[ImportedAnswer]:
        """Yield the answers of the file and keep its errors; too many of them end it, unless they are skipped."""
        found = self.found
        for answer in self.reading.answers:
            error = self._other_question(answer) if isinstance(answer, ImportedAnswer) else answer
            if isinstance(answer, ImportedAnswer) and error is None:
                found.rows += 1
                yield answer
            elif error is not None:
                found.errors.add(error)
                if found.errors.is_full and not self._skip_errors:
                    return

    def _other_question(self, answer: ImportedAnswer) -> RowError | None:
        """Return what is wrong with a row whose question id stood for another question before, by its column."""
        error = self._asked.check(answer)
        if error is None:
            return None
        column = next((name for name, field in self.reading.columns.items() if field == error.column), error.column)
        return replace(error, column=column)

    def _is_first(self, answer: ImportedAnswer) -> bool:
        """Tell whether no earlier row holds the same answer; a note tells of one that repeats."""
        first = self._lines.put(answer.content_hash, answer.row)
        if first == answer.row:
            return True
        self.found.repeated += 1
        message = Said("row_repeats", f"repeats line {first} and is left out", line=first)
        self.found.notes.add(RowNote(line=answer.row, reason="duplicate", message=message))
        return False

    def _count(self, answer: ImportedAnswer) -> None:
        found = self.found
        first = found.platforms.setdefault(answer.platform, answer.surface)
        if answer.surface != first and answer.platform not in found.pooled:
            found.pooled.add(answer.platform)
            found.notes.add(pooled_note(answer, first))
        for remark in answer.remarks:
            found.notes.add(RowNote(line=answer.row, reason="beside", message=remark))
        found.scenes[answer.scene_type] = None
        if len(found.first) < FIRST_ROWS:
            found.first.append(answer)
        if altered := storable(answer.answer).altered:
            found.altered += 1
            found.notes.add(altered_note(answer.row, altered))


def _store(parts: Parts, request: ImportRequest, run: _Run, key: str) -> SampleImport:
    """Read and store the answers in one go, and take everything back when a row is wrong."""
    source, brand = run.file.source, run.defaults.brand
    place = place_of(parts.objects, source.path, source.sha256)

    def work(tx: Write) -> tuple[str, bool]:
        nonlocal run
        if known := batches.of_key(tx, key):
            return known[0].batch_id, False
        run = run.anew()
        now = parts.clock.now()
        batch_id = _free_id(tx, source, brand)
        target = ImportBatch(
            batch_id=batch_id, brand_name=brand, file=place, cleaner_version=parts.cleaner_version, now=now
        )
        count = store_imported(tx, target, run.answers(tx))
        run.check()
        if not count.samples or (run.found.errors.count and not request.skip_errors):
            raise _NothingStored
        if keep_file(parts.objects, source.path) != place:
            text = f"{source.path} changed while it was read; import it again."
            raise UsageError("file_changed", text, file=str(source.path))
        batches.add(tx, _batch(key, run.found, count, target))
        return batch_id, True

    try:
        batch_id, new = parts.store().create(work)
    except _NothingStored:
        return _result(request, run, batch_id=None, known=False)
    return _result(request, run, batch_id=batch_id, known=not new)


def _free_id(read: Read, source: Source, brand: str) -> str:
    """Return `IMPORT_{hash}[_BRAND]`, made of the file's hash so that the same file gets the same ids."""
    letters = "".join(ch for ch in brand if ch.isalnum())[:4].upper()
    stem = f"IMPORT_{source.sha256[:12]}" + (f"_{letters}" if letters else "")
    candidates = (stem if number == 1 else f"{stem}-{number}" for number in numbers_from(1))
    return next(id_ for id_ in candidates if not batches.taken(read, [id_]))


def _batch(key: str, found: _Found, count: ImportCount, target: ImportBatch) -> batches.Batch:
    return batches.Batch(
        batch_id=target.batch_id,
        brand_name=target.brand_name,
        scene_types=tuple(sorted(found.scenes)),
        platforms=tuple(sorted(found.platforms)),
        total_questions=count.questions,
        total_sub_tasks=count.samples,
        completed_sub_tasks=count.samples,
        batch_status=BatchStatus.COMPLETED,
        created_at=target.now,
        started_at=target.now,
        completed_at=target.now,
        group_id=target.batch_id,
        rounds=count.rounds,
        timeout_s=0.0,
        origin=IMPORTED,
        idempotency_key=key,
        file_sha256=target.file.sha256,
    )


def _result(request: ImportRequest, run: _Run, *, batch_id: str | None, known: bool) -> SampleImport:
    stored = batch_id is not None and not known
    file, found, table = run.file, run.found, run.reading.table
    return SampleImport(
        file=str(request.path),
        sha256=file.source.sha256,
        format=file.format_name,
        encoding=file.source.encoding,
        delimiter=None if table is None else table.delimiter,
        sheet=None if table is None else table.sheet,
        sheets=() if table is None else table.sheets,
        columns=tuple(run.reading.columns.items()),
        first=tuple(first_row(answer) for answer in found.first),
        rows=found.rows,
        imported=found.fresh if stored else 0,
        duplicates=found.repeated,
        stored_before=found.stored,
        altered=found.altered,
        bad_rows=found.errors.count,
        errors=by_line(found.errors),
        notes=by_line(found.notes, run.reading.notes),
        batch_id=batch_id,
        known=known,
    )
