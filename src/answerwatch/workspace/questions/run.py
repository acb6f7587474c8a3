"""One run through rows of questions: what each does to the bank, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from answerwatch.store.bank import questions as bank
from answerwatch.store.database import Read, Write
from answerwatch.store.upsert import IN_LIST
from answerwatch.workspace.files.cell_faults import Fault
from answerwatch.workspace.files.row_notes import RowError, RowNote, altered_note
from answerwatch.workspace.files.told import Told
from answerwatch.workspace.questions.deciding import Decider, Decision, Known, after_row, is_reworded, stored_alike
from answerwatch.workspace.questions.new_ids import new_ids
from answerwatch.workspace.questions.views import QuestionChange, QuestionRow

MOST_CHANGES = 1_000
"""Changes that are told one by one."""
MOST_MISSING = 100
"""Ids of missing questions that are told."""
ROWS_TOGETHER = IN_LIST
CHARACTERS_TOGETHER = 2_000_000
"""Characters of questions that are looked up and stored in one go at most, and that are told as changes."""


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
            if old is None:
                texts.append(row.query_text)
            elif is_reworded(old, after_row(row, old, old.question_id)):
                texts.append(row.query_text)
                reworded.append(old.question_id)
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
        found.notes.extend(decision.notes)
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
