"""What each row of an import does to the bank: the decisions of docs/questions.md, one after another.

Rows are compared with the bank as it was before the import and with the rows before them, so that a dry run and the
import itself decide alike. What was met is kept as hashes of a few bytes: a file may have a million rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from answerwatch.domain.questions import OTHER, UNRELATED_BELOW, Question, id_key, likeness
from answerwatch.domain.said import Said
from answerwatch.domain.seen import Seen, content_hash
from answerwatch.domain.texts import in_short
from answerwatch.workspace.files.cell_faults import Fault
from answerwatch.workspace.files.row_notes import RowNote
from answerwatch.workspace.files.word_lists import cell_words, words_cell
from answerwatch.workspace.files.workbook_limits import in_cell
from answerwatch.workspace.questions.views import QuestionChange, QuestionFieldChange, QuestionRow

FIELDS = ("query_text", "scene_type", "target_keywords", "intent_description", "is_active")
"""What a row can change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the bank has that some rows may be about."""

    by_id: Mapping[str, Question]
    by_text: Mapping[str, Sequence[Question]]
    asked: frozenset[str]
    """Ids of those questions of `by_id` that stand in a batch or an import."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What becomes of a row that can be taken."""

    after: Question
    old: Question | None
    """The stored question; None: it is new."""
    notes: tuple[RowNote, ...] = ()
    """What people should know of the row."""

    @property
    def reworded(self) -> bool:
        """Tell whether a stored question gets a new version."""
        return is_reworded(self.old, self.after)

    def change(self, line: int) -> QuestionChange | None:
        """Return what is told of it; None where nothing is changed."""
        old, after = self.old, self.after
        if old == after:
            return None
        changed = () if old is None else [name for name in FIELDS if getattr(old, name) != getattr(after, name)]
        return QuestionChange(
            line=line,
            question_id=after.question_id,
            kind="new" if old is None else "new_version" if self.reworded else "changed",
            scene_type=after.scene_type,
            query_text=after.query_text,
            fields=tuple(QuestionFieldChange(name, getattr(old, name), getattr(after, name)) for name in changed),
        )


class _Ids:
    """Lines of the ids that were met.

    New ids are also known by what ids share that differ by case or width alone. Most are spelt that way already (in
    capitals), so that one table does for both; a number in it is twice the line, and one more for a new id.
    """

    def __init__(self) -> None:
        self._lines = Seen()
        self._odd = Seen()
        """New ids that are spelt otherwise."""

    def line_of(self, question_id: str) -> int:
        """Return the line of an id, 0 where it was not met."""
        return self._lines.get(content_hash(question_id)) // 2

    def put(self, question_id: str, line: int, *, is_new: bool) -> None:
        """Note an id; raises Fault when it was met, or when it is new and spelt like another one."""
        id_hash = content_hash(question_id)
        if first := self._lines.get(id_hash) // 2:
            message = Said("row_twice", f"{question_id} stands in line {first} too", id=question_id, line=first)
            raise Fault("question_id", "duplicate_id", message)
        if is_new:
            self._put_new(question_id, line)
        self._lines.put(id_hash, 2 * line + is_new)

    def _put_new(self, question_id: str, line: int) -> None:
        key = id_key(question_id)
        alike = self._odd.get(content_hash(key)) if len(self._odd) else 0
        if key != question_id:
            alike = alike or self.line_of(key)
        if alike:
            text = f"{question_id} differs from the id in line {alike} by case or width alone"
            raise Fault("question_id", "id_alike", Said("row_id_alike", text, id=question_id, line=alike))
        if key != question_id:
            self._odd.put(content_hash(key), line)

    def line_alike(self, question_id: str) -> int:
        """Return the line with a new id that differs from a stored one by case or width alone, 0 where none does."""
        key = id_key(question_id)
        twice = self._lines.get(content_hash(key)) if key != question_id else 0
        if twice % 2:
            return twice // 2
        line = self._odd.get(content_hash(key)) if len(self._odd) else 0
        return 0 if line and line == self.line_of(question_id) else line


class Decider:
    """Decides about the rows of one import in their order."""

    def __init__(self, new_ids: Iterator[str]) -> None:
        """Begin; `new_ids` are for questions without one."""
        self._new_ids = new_ids
        self._ids = _Ids()
        self._texts = Seen()
        """Line of every question, by scene and text."""
        self._left = Seen()
        """Line of every question that gets another text or scene, by those that it had."""
        self.line_of = self._ids.line_of
        self.line_alike = self._ids.line_alike

    def decide(self, row: QuestionRow, known: Known) -> Decision | RowNote:
        """Return what becomes of a row, or the note on one that is left out; raises Fault for one that is refused."""
        if row.question_id is None:
            if first := self._texts.get(content_hash(row.scene_type or OTHER, row.query_text)):
                message = Said("row_repeats", f"repeats line {first} and is left out", line=first)
                return RowNote(line=row.line, reason="duplicate", message=message)
            old = self._by_text(row, known)
            question_id = old.question_id if old else self._free_id()
        else:
            question_id = row.question_id
            old = known.by_id.get(question_id)
        self._ids.put(question_id, row.line, is_new=old is None)
        after = after_row(row if old is None else _as_stored(row, old), old, question_id)
        text_hash = content_hash(after.scene_type, after.query_text)
        first = self._texts.put(text_hash, row.line)
        reworded = is_reworded(old, after)
        if old is None or reworded:
            self._refuse_twin(after, known, text_hash, 0 if first == row.line else first)
        if old is not None and reworded:
            if after.query_text != old.query_text and question_id in known.asked:
                _refuse_unrelated(old, after)
            self._left.put(content_hash(old.scene_type, old.query_text), row.line)
        return Decision(after=after, old=old, notes=tuple(_retired(row, old)))

    def _by_text(self, row: QuestionRow, known: Known) -> Question | None:
        """Return the stored question that a row without an id is about; raises Fault where that cannot be told.

        Questions that an earlier row was about do not count: the import has stored them by now, a dry run has not.
        """
        scene = row.scene_type or OTHER
        if line := self._left.get(content_hash(scene, row.query_text)):
            text = f"line {line} changes the question that has this text; write the id"
            raise Fault("query_text", "text_left", Said("row_text_left", text, line=line))
        there = [one for one in known.by_text.get(row.query_text, ()) if not self.line_of(one.question_id)]
        for one in there:
            if one.scene_type == scene:
                return one
        if row.scene_type is None and there:
            ids = ", ".join(f"{one.question_id} {one.scene_type}" for one in there[:5])
            text = f"the bank has this text in other scenes ({ids}); write the scene or the id"
            raise Fault("scene_type", "scene_untold", Said("row_scene_untold", text, questions=ids))
        return None

    def _refuse_twin(self, after: Question, known: Known, text_hash: bytes, line: int) -> None:
        """Raise Fault when another question, of the file (in `line`) or of the bank, has this text and scene."""
        if line:
            text = f"line {line} asks the same in the same scene"
            raise Fault("query_text", "text_twice", Said("row_text_twice", text, line=line))
        for one in known.by_text.get(after.query_text, ()):
            if one.scene_type == after.scene_type and one.question_id != after.question_id:
                if self._left.get(text_hash):
                    return
                text = f"the bank has this question as {one.question_id}; write that id, or none"
                raise Fault("question_id", "text_known", Said("row_text_known", text, question=one.question_id))

    def _free_id(self) -> str:
        return next(id_ for id_ in self._new_ids if not self.line_of(id_))


def _refuse_unrelated(old: Question, after: Question) -> None:
    """Raise Fault when an id that was asked would stand for another question: its answers would seem to be of both."""
    if likeness(old.query_text, after.query_text) >= UNRELATED_BELOW:
        return
    id_, before = old.question_id, in_short(old.query_text)
    text = (
        f"{id_} was asked as “{before}”, and this is another question; give it an id of its own, "
        f"or reword that one with `questions edit`"
    )
    raise Fault("question_id", "id_reused", Said("row_id_reused", text, id=id_, before=before))


def _retired(row: QuestionRow, old: Question | None) -> Iterator[RowNote]:
    """Yield the note on a row that is about a retired question and does not say whether to ask it again."""
    if old is None or old.is_active or row.is_active is not None:
        return
    id_ = old.question_id
    message = Said("row_retired", f"{id_} is retired and stays so; `questions restore` asks it again", id=id_)
    yield RowNote(line=row.line, reason="retired", message=message)


def stored_alike(question_id: str) -> Fault:
    """Return what is wrong with a new id that differs from one of the bank by case or width alone."""
    text = f"the bank has {question_id}, which differs by case or width alone; write it as it is there"
    return Fault("question_id", "id_alike", Said("row_id_stored_alike", text, id=question_id))


def _as_stored(row: QuestionRow, old: Question) -> QuestionRow:
    """Return a row with the stored values where it says the same as far as the cell of a workbook can hold them."""
    text, words, intent = row.query_text, row.target_keywords, row.intent_description
    if words is not None and words == cell_words(in_cell(words_cell(old.target_keywords))):
        words = old.target_keywords
    if intent is not None and in_cell(intent) == in_cell(old.intent_description):
        intent = old.intent_description
    if in_cell(text) == in_cell(old.query_text):
        text = old.query_text
    return replace(row, query_text=text, target_keywords=words, intent_description=intent)


def after_row(row: QuestionRow, old: Question | None, question_id: str) -> Question:
    """Return the question as the row wants it; what the row leaves out stays."""
    base = old or Question(question_id=question_id, scene_type=OTHER, query_text=row.query_text)
    after = Question(
        question_id=question_id,
        scene_type=row.scene_type or base.scene_type,
        query_text=row.query_text,
        target_keywords=base.target_keywords if row.target_keywords is None else row.target_keywords,
        intent_description=base.intent_description if row.intent_description is None else row.intent_description,
        is_active=base.is_active if row.is_active is None else row.is_active,
        version=base.version,
    )
    return replace(after, version=base.version + 1) if is_reworded(old, after) else after


def is_reworded(old: Question | None, after: Question) -> bool:
    """Tell whether a stored question gets another text or scene, which makes a version of it."""
    return old is not None and (after.scene_type, after.query_text) != (old.scene_type, old.query_text)
