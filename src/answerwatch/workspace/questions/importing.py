"""Importing questions: a file is read once, a page of rows at a time, and changes everything or nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from pathlib import Path

from answerwatch.domain.questions import check_scene
from answerwatch.errors import UsageError
from answerwatch.store.bank import questions as bank
from answerwatch.store.database import Read, Store, Write
from answerwatch.store.upsert import chunks
from answerwatch.workspace.authors import Author
from answerwatch.workspace.files.cell_faults import Fault
from answerwatch.workspace.files.columns import QUESTION_COLUMNS, listed, mapper, refuse_unknown, shown_columns
from answerwatch.workspace.files.records import FileFormat, FileRow, Source
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.files.tables import look_through, read_table
from answerwatch.workspace.files.told import by_line
from answerwatch.workspace.questions.activity import note_activity
from answerwatch.workspace.questions.deciding import Decision
from answerwatch.workspace.questions.rows import checked, read_row
from answerwatch.workspace.questions.run import Found, Run
from answerwatch.workspace.questions.views import QuestionChange, QuestionImport, QuestionRow


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
        run, now = begin(tx), store.clock.now()
        for decisions in run.pages():
            if not run.found.is_bad:
                _store(tx, decisions, author, now)
        for part in chunks(run.missing()):
            if whole and run.found.rows and not run.found.is_bad:
                bank.set_active(tx, part, active=False, now=now)
                note_activity(tx, part, author, active=False)
        if run.found.is_bad:
            raise _NothingStored(run)
        return run

    try:
        return store.create(work)
    except _NothingStored as nothing:
        return nothing.run


def _store(tx: Write, decisions: Sequence[Decision], author: Author, now: datetime) -> None:
    """Store what becomes of some rows."""
    new = [one.after for one in decisions if one.old is None]
    changed = [one for one in decisions if one.old is not None and one.after != one.old]
    bank.add(tx, new, by=author.name, now=now, note=author.note)
    reworded = [one.after.question_id for one in changed if one.reworded]
    after = [one.after for one in changed]
    bank.change(tx, after, reworded=reworded, by=author.name, now=now, note=author.note)
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
