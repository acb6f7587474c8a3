"""Retiring and restoring questions: who did it, when and why is kept in the audit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from answerwatch.domain.questions import RESTORE, RETIRE, Question
from answerwatch.store.bank import questions as bank
from answerwatch.store.database import Read, Write
from answerwatch.store.ops import audit
from answerwatch.store.ops.audit import AuditEntry
from answerwatch.store.upsert import chunks
from answerwatch.workspace.authors import Author
from answerwatch.workspace.filters import unknown_question


def stored(read: Read, question_ids: Sequence[str]) -> list[Question]:
    """Return questions in the order of their ids; raises UsageError for one that is unknown.

    In a transaction that may change them nobody else does before its end.
    """
    wanted = bank.Wanted(ids=question_ids, lock=isinstance(read, Write))
    found = {one.question.question_id: one.question for one in bank.find(read, wanted)}
    for question_id in question_ids:
        if question_id not in found:
            raise unknown_question(question_id)
    return list(found.values())


def set_active(tx: Write, question_ids: Sequence[str], author: Author, now: datetime, *, active: bool) -> None:
    """Retire or restore questions; those that are so already are left alone. Raises UsageError for an unknown one."""
    changed = [one for one in stored(tx, question_ids) if one.is_active is not active]
    bank.set_active(tx, [one.question_id for one in changed], active=active, now=now)
    note_activity(tx, [one.question_id for one in changed], author, active=active)


def note_activity(tx: Write, question_ids: Iterable[str], author: Author, *, active: bool) -> None:
    """Write into the audit that questions were retired or restored."""
    for part in chunks(question_ids):
        details = [(question_id, {"note": author.note}) for question_id in part]
        audit.note(tx, actor=author.name, action=RESTORE if active else RETIRE, details=details)


def activity(read: Read, question_id: str) -> tuple[AuditEntry, ...]:
    """Return when a question was retired and restored, the oldest first."""
    return tuple(audit.of_subject(read, question_id, (RETIRE, RESTORE)))
