"""Changing one question by hand: a new text or scene makes a version, anything else does not."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from answerwatch.domain.questions import Question
from answerwatch.domain.texts import shortened
from answerwatch.errors import UsageError
from answerwatch.store import questions as bank
from answerwatch.store.database import Read, Write
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.filters import unknown_question
from answerwatch.workspace.questions.importing import after_row, check_rows
from answerwatch.workspace.questions.views import Piece, QuestionRow, WordedVersion

_HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORDS = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+|\s+|.", re.DOTALL)
"""What is compared: one Chinese character, one word, one sign."""

LONGEST_NOTE = 500
"""Characters of a note that its column holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What becomes of a question; None stays as it is."""

    query_text: str | None = None
    scene: str | None = None
    keywords: tuple[str, ...] | None = None
    intent: str | None = None


def stored(read: Read, question_ids: Sequence[str]) -> list[Question]:
    """Return questions in the order of their ids; raises UsageError for one that is unknown."""
    found = {one.question.question_id: one.question for one in bank.find(read, bank.Wanted(ids=question_ids))}
    for question_id in question_ids:
        if question_id not in found:
            raise unknown_question(question_id)
    return list(found.values())


def edit(tx: Write, question_id: str, wanted: Edit, *, by: str, note: str, now: datetime) -> None:
    """Store what an edit changes, nothing where it changes nothing; answers stay with the version that was asked.

    Raises UsageError for a value that cannot be used, and when another question has this text and scene.
    """
    (old,) = stored(tx, [question_id])
    row = QuestionRow(
        line=1,
        question_id=question_id,
        scene_type=wanted.scene,
        query_text=old.query_text if wanted.query_text is None else wanted.query_text.strip(),
        target_keywords=wanted.keywords,
        intent_description=wanted.intent,
    )
    rows, errors = check_rows([row])
    if errors:
        raise refused(errors[0])
    new = after_row(rows[0], old, question_id)
    if new == old:
        return
    reworded = new.version > old.version
    if reworded:
        _refuse_twin(tx, new)
    bank.change(
        tx, [new], reworded=[question_id] if reworded else [], by=by, now=now, note=shortened(note, LONGEST_NOTE) or ""
    )


def _refuse_twin(read: Read, new: Question) -> None:
    for one in bank.find(read, bank.Wanted(scenes=[new.scene_type])):
        known = one.question
        if known.query_text == new.query_text and known.question_id != new.question_id:
            raise known_already(known.question_id)


def known_already(question_id: str) -> UsageError:
    """Return the error of a question that the bank has under another id."""
    text = f"The bank has this question already as {question_id}; change it there."
    return UsageError("question_known", text, question=question_id)


def refused(error: RowError) -> UsageError:
    """Return the error of a value of a question that cannot be used."""
    text = f"The question's {error.column} cannot be used: {error.message}."
    return UsageError("question_bad", text, column=error.column, reason=error.reason, message=error.message)


def worded(read: Read, question_id: str) -> tuple[WordedVersion, ...]:
    """Return the versions of a question, each with what it changed in the text before it and its answers."""
    answers = bank.answers_by_version(read, question_id)
    before = ""
    found: list[WordedVersion] = []
    for one in bank.versions(read, question_id):
        pieces = tuple(compared(before, one.query_text)) if found else (Piece("same", one.query_text),)
        found.append(WordedVersion(version=one, answers=answers.get(one.version, 0), pieces=pieces))
        before = one.query_text
    return tuple(found)


def compared(before: str, after: str) -> Iterator[Piece]:
    """Yield both texts as pieces that are the same, removed or added."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    for kind, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Piece("same", "".join(old[i:j]))
            continue
        if i < j:
            yield Piece("removed", "".join(old[i:j]))
        if k < m:
            yield Piece("added", "".join(new[k:m]))
