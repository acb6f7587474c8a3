"""Importing questions: a file is read once, a page of rows at a time, and changes everything or nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from pathlib import Path

from answerwatch.domain.questions import check_scene
from answerwatch.errors import UsageError
from answerwatch.store import questions as bank
from answerwatch.store.database import Read, Store, Write
from answerwatch.store.upsert import IN_LIST, chunks
from answerwatch.workspace.files.cell_faults import Fault
from answerwatch.workspace.files.columns import QUESTION_COLUMNS, listed, mapper, refuse_unknown, shown_columns
from answerwatch.workspace.files.records import FileFormat, FileRow, Source
from answerwatch.workspace.files.row_notes import RowError, RowNote, altered_note
from answerwatch.workspace.files.tables import look_through, read_table
from answerwatch.workspace.files.told import Told, by_line
from answerwatch.workspace.questions.activity import Author, note_activity
from answerwatch.workspace.questions.deciding import Decider, Decision, Known, stored_alike
from answerwatch.workspace.questions.new_ids import new_ids
from answerwatch.workspace.questions.rows import checked, read_row
from answerwatch.workspace.questions.views import QuestionChange, QuestionImport, QuestionRow

MOST_CHANGES = 1_000
"""Changes that are told one by one."""
MOST_MISSING = 100
"""Ids of missing questions that are told."""
ROWS_TOGETHER = IN_LIST
CHARACTERS_TOGETHER = 2_000_000
"""Characters of questions that are looked up and stored in one go at most, and that are told as changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """What to import, and how."""

    path: Path
    apply: bool = False
    encoding: str | None = None
    scene: str | None = None
    """Of rows that name none."""
    sheet: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Column -> field, where the caller says so."""
    whole: bool = False
    """The file is the whole bank: active questions that are in no row are retired."""


@dataclass(slots=True)
class Found:
    """What a run through rows found; of changes, errors and notes the first ones are kept."""

    rows: int = 0
    new: int = 0
    changed: int = 0
    new_versions: int = 0
    unchanged: int = 0
    repeated: int = 0
    missing: int = 0
    missing_first: list[str] = field(default_factory=list)
    changes: list[QuestionChange] = field(default_factory=list)
    characters: int = 0
    """Of the changes that are kept: long texts must not add up in memory."""
    errors: Told[RowError] = field(default_factory=Told)
    notes: Told[RowNote] = field(default_factory=Told)

    @property
    def is_bad(self) -> bool:
        """Tell whether a row cannot be taken, so that nothing is stored."""
        return self.errors.count > 0

    def count(self, line: int, decision: Decision) -> None:
        """Count a row that was decided about."""
        if decision.old is None:
            self.new += 1
        elif decision.reworded:
            self.new_versions += 1
        elif decision.after != decision.old:
            self.changed += 1
        else:
            self.unchanged += 1
            return
        if len(self.changes) >= MOST_CHANGES or self.characters >= CHARACTERS_TOGETHER:
            return
        if (change := decision.change(line)) is not None:
            self.changes.append(change)
            self.characters += len(change.query_text) + sum(len(str((one.before, one.after))) for one in change.fields)


class _NothingStored(Exception):
    """Takes back what was written: there are errors."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run


class _File:
    """The rows of a file as questions; which column is what is known once they were read."""

    def __init__(self, source: Source, request: ImportRequest) -> None:
        self._mapped = mapper(QUESTION_COLUMNS, request.renamed)
        self.table = read_table(source, self._mapped)
        self._renamed = request.renamed
        self._scene = None if request.scene is None else check_scene(request.scene)
        self._by_row = source.format in (FileFormat.JSON, FileFormat.JSONL)
        if not self._by_row:
            self._check()

    @property
    def mapping(self) -> dict[str, str]:
        """Return column -> field for the columns met so far."""
        return self._mapped(self.table.header)

    def rows(self) -> Iterator[QuestionRow | RowError]:
        """Yield the rows; raises UsageError for a file of JSON without a question in any row."""
        mapping = {} if self._by_row else self.mapping
        for row in self.table.rows:
            if not isinstance(row, FileRow):
                yield row
                continue
            if self._by_row:
                mapping = self._mapped(tuple(row.values))
            yield read_row(row, mapping, self._scene)
        if self._by_row:
            self._check()

    def _check(self) -> None:
        """Raise UsageError when the file has no column for the question, or lacks one that the caller names."""
        header, path = self.table.header, self.table.source.path
        if not header:
            return
        refuse_unknown(self.table, self._renamed)
        if "query_text" not in self.mapping.values():
            there = listed(header)
            text = (
                f"{path} has no column for the question; name one query_text or 问题, or say with "
                f"--map COLUMN=query_text which one it is. Its columns are: {there}."
            )
            raise UsageError("question_columns", text, file=str(path), columns=there)


class Run:
    """One run through rows: what each does to the bank, and what is told of it."""

    def __init__(
        self,
        read: Read,
        rows: Iterable[QuestionRow | RowError],
        now: datetime,
        mapping: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """Run through `rows`, compared with the bank as `read` has it; `now` is the day of new ids.

        `mapping` tells column -> field, so that errors name columns as the file does.
        """
        self.found = Found()
        self._mapping = mapping
        self._read = read
        self._rows = rows
        self._was_empty = bank.count(read) == 0
        self._decider = Decider(new_ids(read, now))

    def pages(self) -> Iterator[list[Decision]]:
        """Yield what becomes of the rows, some at a time; after too many errors the rest is left unread."""
        for part in self._parts():
            known = self._known(part)
            yield [decision for row in part if (decision := self._decide(row, known)) is not None]
            if self.found.errors.is_full:
                return

    def _parts(self) -> Iterator[list[QuestionRow]]:
        part: list[QuestionRow] = []
        characters = 0
        for row in self._rows:
            self.found.rows += 1
            if isinstance(row, RowError):
                self.found.errors.add(row)
            else:
                part.append(row)
                characters += len(row.query_text) + len(row.intent_description or "")
            if len(part) >= ROWS_TOGETHER or characters >= CHARACTERS_TOGETHER or self.found.errors.is_full:
                yield part
                part, characters = [], 0
        yield part

    def _known(self, part: Sequence[QuestionRow]) -> Known:
        """Return what the bank has of the rows; an empty one was empty before the import, and is not asked."""
        if self._was_empty:
            return Known(by_id={}, by_text={}, asked=frozenset())
        ids = [row.question_id for row in part if row.question_id is not None]
        wanted = bank.Wanted(ids=ids, lock=isinstance(self._read, Write))
        by_id = {one.question.question_id: one.question for one in bank.find(self._read, wanted)}
        texts, reworded = [], []
        for row in part:
            old = by_id.get(row.question_id or "")
            if old is None or (old.scene_type, old.query_text) != (row.scene_type or old.scene_type, row.query_text):
                texts.append(row.query_text)
                reworded += [] if old is None else [old.question_id]
        return Known(
            by_id=by_id,
            by_text=bank.of_texts(self._read, texts),
            asked=frozenset(bank.asked(self._read, reworded)),
        )

    def _decide(self, row: QuestionRow, known: Known) -> Decision | None:
        found = self.found
        try:
            decision = self._decider.decide(row, known)
        except Fault as fault:
            found.errors.add(fault.in_row(row.line, self._mapping()))
            return None
        if row.altered:
            found.notes.add(altered_note(row.line, row.altered))
        if isinstance(decision, RowNote):
            found.repeated += 1
            found.notes.add(decision)
            return None
        found.notes.add(decision.note)
        found.count(row.line, decision)
        return decision

    def missing(self) -> Iterator[str]:
        """Yield the active questions that the bank has and the rows have not, counted; to be gone through at the end.

        New ids that are spelt like stored ones are refused on the way, each once.
        """
        found = self.found
        refused: set[int] = {error.line for error in found.errors}
        if self._was_empty:
            return
        for question_id, active in bank.ids(self._read):
            if found.errors.is_full:
                return
            if (line := self._decider.line_alike(question_id)) and line not in refused:
                refused.add(line)
                found.errors.add(stored_alike(question_id).in_row(line, self._mapping()))
            if active and not self._decider.line_of(question_id):
                found.missing += 1
                if len(found.missing_first) < MOST_MISSING:
                    found.missing_first.append(question_id)
                yield question_id


def import_questions(store: Store, request: ImportRequest, author: Author) -> QuestionImport:
    """Import a file as the request says; raises UsageError for a file that cannot be read as a table of questions."""
    source = look_through(request.path, encoding=request.encoding, sheet=request.sheet)
    opened: list[_File] = []  # one, or more where somebody else was quicker and all begins anew

    def begin(read: Read) -> Run:
        file = _File(source, request)
        opened.append(file)
        return Run(read, file.rows(), store.clock.now(), lambda: file.mapping)

    run = go_through(store, begin, author if request.apply else None, whole=request.whole)
    if request.whole and not run.found.rows:
        text = f"{request.path} holds no question; as the whole bank it would retire all."
        raise UsageError("question_none", text, file=str(request.path))
    return _result(request, opened[-1], run.found, applied=request.apply and not run.found.is_bad)


def import_rows(store: Store, rows: Sequence[QuestionRow], author: Author | None) -> tuple[QuestionChange, ...]:
    """Do with rows what `import_questions` does with those of a file; without an author nothing is stored.

    Raises Fault for the first row that cannot be taken.
    """
    numbered = [replace(checked(row), line=number) for number, row in enumerate(rows, start=1)]
    run = go_through(store, lambda read: Run(read, numbered, store.clock.now()), author)
    for error in run.found.errors:
        raise Fault(error.column, error.reason, error.message)
    return tuple(run.found.changes)


def go_through(store: Store, begin: Callable[[Read], Run], author: Author | None, *, whole: bool = False) -> Run:
    """Return a run that went through its rows; with an author what they change is stored, unless one is bad.

    With `whole` active questions that are in no row are retired then, but never all because there is no row.
    """
    if author is None:
        with store.reading() as read:
            run = begin(read)
            deque(chain(run.pages(), run.missing()), maxlen=0)
            return run

    def work(tx: Write) -> Run:
        run = begin(tx)
        for decisions in run.pages():
            if not run.found.is_bad:
                _store(tx, decisions, author)
        for part in chunks(run.missing()):
            if whole and run.found.rows and not run.found.is_bad:
                bank.set_active(tx, part, active=False, now=author.now)
                note_activity(tx, part, author, active=False)
        if run.found.is_bad:
            raise _NothingStored(run)
        return run

    try:
        return store.create(work)
    except _NothingStored as nothing:
        return nothing.run


def _store(tx: Write, decisions: Sequence[Decision], author: Author) -> None:
    """Store what becomes of some rows."""
    new = [one.after for one in decisions if one.old is None]
    changed = [one for one in decisions if one.old is not None and one.after != one.old]
    bank.add(tx, new, by=author.name, now=author.now, note=author.note)
    reworded = [one.after.question_id for one in changed if one.reworded]
    after = [one.after for one in changed]
    bank.change(tx, after, reworded=reworded, by=author.name, now=author.now, note=author.note)
    moved = [one.after for one in changed if one.old is not None and one.old.is_active is not one.after.is_active]
    for active in (False, True):
        note_activity(tx, [one.question_id for one in moved if one.is_active is active], author, active=active)


def _result(request: ImportRequest, file: _File, found: Found, *, applied: bool) -> QuestionImport:
    table = file.table
    return QuestionImport(
        file=str(request.path),
        format=str(table.source.format),
        encoding=table.source.encoding,
        delimiter=table.delimiter,
        sheet=table.sheet,
        sheets=table.sheets,
        columns=shown_columns(table.header, file.mapping),
        rows=found.rows,
        new=found.new,
        changed=found.changed,
        new_versions=found.new_versions,
        unchanged=found.unchanged,
        repeated=found.repeated,
        bad_rows=found.errors.count,
        missing=None if found.is_bad else found.missing,
        missing_first=() if found.is_bad else tuple(found.missing_first),
        retires_missing=request.whole,
        changes=tuple(found.changes),
        errors=by_line(found.errors),
        notes=by_line(found.notes, table.notes),
        applied=applied,
    )
