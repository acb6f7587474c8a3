"""Ids of new questions: which are free, and whether one would be mistaken for another."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import count

from answerwatch.domain.questions import id_key
from answerwatch.store.bank import questions as bank
from answerwatch.store.database import Read


def new_ids(read: Read, today: datetime) -> Iterator[str]:
    """Yield ids `QYYYYMMDD_NNN` that the bank has not."""
    prefix = f"Q{today:%Y%m%d}_"
    return (f"{prefix}{number:03d}" for number in count(bank.highest_number(read, prefix) + 1))


def spelt_alike(read: Read, question_id: str) -> str | None:
    """Return the id of a question that differs from this one by case or width alone, None where none does."""
    key = id_key(question_id)
    found = (known for known in bank.maybe_alike(read, key) if known != question_id and id_key(known) == key)
    return next(found, None)
