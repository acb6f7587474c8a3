"""Adding and changing one question by hand: a new text or scene makes a version, anything else does not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import NoReturn

from answerwatch.domain.questions import Question
from answerwatch.errors import UsageError
from answerwatch.store.bank import questions as bank
from answerwatch.store.database import Read, Write
from answerwatch.workspace.authors import Author
from answerwatch.workspace.files.cell_faults import Fault
from answerwatch.workspace.questions.activity import activity, stored
from answerwatch.workspace.questions.deciding import after_row, is_reworded
from answerwatch.workspace.questions.new_ids import new_ids, spelt_alike
from answerwatch.workspace.questions.rows import checked
from answerwatch.workspace.questions.text_diff import compared
from answerwatch.workspace.questions.views import Piece, QuestionHistory, QuestionRow, WordedVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What becomes of a question; None stays as it is."""

    query_text: str | None = None
    scene: str | None = None
    keywords: tuple[str, ...] | None = None
    intent: str | None = None


def add(tx: Write, row: QuestionRow, author: Author, now: datetime) -> str:
    """Store a new question and return its id.

    Raises UsageError for a value that cannot be used, an id that is taken (also by one that is spelt alike), and when
    the bank has a question with this text and scene.
    """
    try:
        row = checked(row)
    except Fault as fault:
        refuse(fault)
    if row.question_id is not None:
        if bank.find(tx, bank.Wanted(ids=[row.question_id])):
            raise known_already(row.question_id)
        if alike := spelt_alike(tx, row.question_id):
            text = (
                f"The bank has {alike}, which differs from {row.question_id} by case or width alone; take another id."
            )
            raise UsageError("question_alike", text, question=row.question_id, known=alike)
    free = (id_ for id_ in new_ids(tx, now) if not spelt_alike(tx, id_))
    new = after_row(row, None, row.question_id or next(free))
    _refuse_twin(tx, new)
    bank.add(tx, [new], by=author.name, now=now, note=author.note)
    return new.question_id


def edit(tx: Write, question_id: str, wanted: Edit, author: Author, now: datetime) -> None:
    """Store what an edit changes, nothing where it changes nothing; answers stay with the version that was asked.

    Raises UsageError for a value that cannot be used, and when another question has this text and scene.
    """
    (old,) = stored(tx, [question_id])
    row = QuestionRow(
        line=1,
        question_id=None,  # which may be one that nobody can give to a new question any more
        scene_type=wanted.scene,
        query_text="?" if wanted.query_text is None else wanted.query_text,  # what is stored is not judged again
        target_keywords=wanted.keywords,
        intent_description=wanted.intent,
    )
    try:
        row = checked(row)
    except Fault as fault:
        refuse(fault)
    if wanted.query_text is None:
        row = replace(row, query_text=old.query_text)
    new = after_row(row, old, question_id)
    if new == old:
        return
    reworded = [question_id] if is_reworded(old, new) else []
    if reworded:
        _refuse_twin(tx, new)
    bank.change(tx, [new], reworded=reworded, by=author.name, now=now, note=author.note)


def _refuse_twin(read: Read, new: Question) -> None:
    for known in bank.of_texts(read, [new.query_text]).get(new.query_text, ()):
        if known.scene_type == new.scene_type and known.question_id != new.question_id:
            raise known_already(known.question_id)


def known_already(question_id: str) -> UsageError:
    """Return the error of a question that the bank has under another id."""
    text = f"The bank has this question already as {question_id}; change it there."
    return UsageError("question_known", text, question=question_id)


def refuse(fault: Fault) -> NoReturn:
    """Raise UsageError for a value of a question that cannot be used."""
    text = f"The question's {fault.column} cannot be used: {fault.message}."
    raise UsageError("question_bad", text, column=fault.column, reason=fault.reason, message=fault.message) from fault


def history(read: Read, question_id: str) -> QuestionHistory:
    """Return the versions of a question, each with what it changed in the text before it, and who retired it when.

    Raises UsageError when the bank has no such question.
    """
    stored(read, [question_id])
    answers = bank.answers_by_version(read, question_id)
    before = ""
    found: list[WordedVersion] = []
    for one in bank.versions(read, question_id):
        pieces = tuple(compared(before, one.query_text)) if found else (Piece("same", one.query_text),)
        found.append(WordedVersion(version=one, answers=answers.get(one.version, 0), pieces=pieces))
        before = one.query_text
    return QuestionHistory(versions=tuple(found), activity=activity(read, question_id))
