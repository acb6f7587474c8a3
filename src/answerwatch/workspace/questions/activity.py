"""Retiring and restoring questions: who did it, when and why is kept in the audit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from answerwatch.domain.questions import RESTORE, RETIRE, Question
from answerwatch.domain.texts import LONGEST_LINE, shortened
from answerwatch.store import audit
from answerwatch.store import questions as bank
from answerwatch.store.audit import AuditEntry
from answerwatch.store.database import Read, Write
from answerwatch.store.upsert import chunks
from answerwatch.workspace.filters import unknown_question


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Who changes questions, when and why."""

    name: str
    now: datetime
    note: str
    """As its column holds it; '' where nobody says why."""


def author(name: str, now: datetime, note: str) -> Author:
    """Return an author whose note can be stored."""
    return Author(name=name, now=now, note=shortened(note.strip(), LONGEST_LINE) or "")


def stored(read: Read, question_ids: Sequence[str]) -> list[Question]:
    """Return questions in the order of their ids; raises UsageError for one that is unknown."""
    found = {one.question.question_id: one.question for one in bank.find(read, bank.Wanted(ids=question_ids))}
    for question_id in question_ids:
        if question_id not in found:
            raise unknown_question(question_id)
    return list(found.values())


def set_active(tx: Write, question_ids: Sequence[str], author: Author, *, active: bool) -> None:
    """Retire or restore questions; those that are so already are left alone. Raises UsageError for an unknown one."""
    changed = [replace(one, is_active=active) for one in stored(tx, question_ids) if one.is_active is not active]
    bank.change(tx, changed, reworded=[], by=author.name, now=author.now)
    note_activity(tx, changed, author)


def note_activity(tx: Write, questions: Iterable[Question], author: Author) -> None:
    """Write into the audit that questions were retired or restored, as they are now."""
    for part in chunks(questions):
        for action, active in ((RETIRE, False), (RESTORE, True)):
            details = [(one.question_id, {"note": author.note}) for one in part if one.is_active is active]
            audit.note(tx, actor=author.name, action=action, details=details)


def activity(read: Read, question_id: str) -> tuple[AuditEntry, ...]:
    """Return when a question was retired and restored, the oldest first."""
    return tuple(audit.of_subject(read, question_id, (RETIRE, RESTORE)))
