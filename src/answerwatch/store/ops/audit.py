"""The audit: who did what to which subject, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from answerwatch.clock import from_micros
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.ops import audit_event


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One thing that somebody did."""

    at: datetime
    actor: str
    action: str
    subject: str
    detail: Mapping[str, object]


def note(tx: Write, *, actor: str, action: str, details: Sequence[tuple[str, Mapping[str, object]]]) -> None:
    """Write an entry for each subject with its details, in the transaction of what they speak of."""
    at = from_micros(tx.now_us())
    rows = [
        {"at": at, "actor": actor, "action": action, "subject": subject, "detail": dict(detail)}
        for subject, detail in details
    ]
    tx.insert(audit_event, rows)


def of_subject(read: Read, subject: str, actions: Sequence[str]) -> list[AuditEntry]:
    """Return what was done to a subject, the oldest first."""
    query = select(
        audit_event.c.at, audit_event.c.actor, audit_event.c.action, audit_event.c.subject, audit_event.c.detail
    )
    mine = (audit_event.c.subject == subject) & audit_event.c.action.in_(actions)
    return [AuditEntry(**row._asdict()) for row in read.all(query.where(mine).order_by(audit_event.c.audit_id))]
