"""When each active question was first asked and last answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func, select

from answerwatch.domain.batches import UsageStatus
from answerwatch.store.database import Read
from answerwatch.store.schema.bank import question_bank
from answerwatch.store.schema.batch import question_usage_log


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One active question; None: never."""

    question_id: str
    scene_type: str
    query_text: str
    updated_at: datetime
    first_asked: datetime | None
    last_success: datetime | None


def active(read: Read) -> Iterator[Asked]:
    """Yield all active questions in id order; nothing else may be asked of the snapshot until they were read."""
    usage, bank = question_usage_log.c, question_bank.c
    answered = func.max(case((usage.status == UsageStatus.SUCCESS, usage.finished_at)))
    asked = (
        select(usage.question_id, func.min(usage.created_at).label("first_asked"), answered.label("last_success"))
        .group_by(usage.question_id)
        .subquery()
    )
    query = (
        select(
            bank.question_id, bank.scene_type, bank.query_text, bank.updated_at, asked.c.first_asked,
            asked.c.last_success,
        )
        .outerjoin_from(question_bank, asked, asked.c.question_id == bank.question_id)
        .where(bank.is_active == 1)
        .order_by(bank.question_id)
    )  # fmt: skip
    return (Asked(**row._asdict()) for row in read.stream(query))
