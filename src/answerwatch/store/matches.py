"""Every candidate match (`entity_match_detail`), accepted or rejected, and every pronoun that stands for a brand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select

from answerwatch.store.database import Read, Write
from answerwatch.store.schema.clean import entity_match_detail


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """One candidate or pronoun; `raw[match_position : match_position + match_length]` is exactly what was matched."""

    clean_task_id: str
    standard_name: str
    matched_alias: str
    match_position: int
    match_length: int
    is_valid_match: int
    reason: str
    covered_by: str | None = None
    """What won over a rejected candidate: a longer name, an exclude phrase or another word."""
    region: str
    via: str
    created_at: datetime


def add(tx: Write, rows: Sequence[MatchRow], *, instead_of: Sequence[str] = ()) -> None:
    """Store candidates; tasks in `instead_of` lose those that they had."""
    if instead_of:
        tx.run(delete(entity_match_detail).where(entity_match_detail.c.clean_task_id.in_(instead_of)))
    tx.insert(entity_match_detail, [{name: getattr(row, name) for name in MatchRow.__slots__} for row in rows])


def of_task(read: Read, clean_task_id: str) -> list[MatchRow]:
    """Return the candidates of one task in the order of the text."""
    query = (
        select(entity_match_detail)
        .where(entity_match_detail.c.clean_task_id == clean_task_id)
        .order_by(entity_match_detail.c.match_position, entity_match_detail.c.match_length.desc())
    )
    names = MatchRow.__slots__
    return [MatchRow(**{name: getattr(row, name) for name in names}) for row in read.all(query)]
