"""When each active question was first asked and last answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func, select, update

from answerwatch.domain.batches import UsageStatus
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.bank import question_bank
from answerwatch.store.schema.batch import question_usage_log
from answerwatch.store.upsert import chunks


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


def retire(tx: Write, question_ids: Sequence[str], now: datetime) -> None:
    """Leave questions out of new batches."""
    for part in chunks(sorted(question_ids)):
        these = question_bank.c.question_id.in_(part)
        tx.run(update(question_bank).where(these).values(is_active=0, updated_at=now))
