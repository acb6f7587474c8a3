"""The audit: who did what to which subject."""

from __future__ import annotations

from collections.abc import Mapping

from answerwatch.clock import from_micros
from answerwatch.store.database import Write
from answerwatch.store.schema.ops import audit_event


def note(tx: Write, *, actor: str, action: str, subject: str, detail: Mapping[str, object]) -> None:
    """Write one entry, in the transaction of what it speaks of."""
    row = {
        "at": from_micros(tx.now_us()), "actor": actor, "action": action, "subject": subject, "detail": dict(detail),
    }  # fmt: skip
    tx.insert(audit_event, [row])
