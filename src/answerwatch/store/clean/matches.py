"""Every candidate match (`entity_match_detail`), accepted or rejected, and every pronoun that stands for a brand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import String, bindparam, delete, insert, select

from answerwatch.domain.ids import clean_task_id
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.clean import clean_state, entity_match_detail
from answerwatch.store.types import UtcDateTime
from answerwatch.store.upsert import chunks


class MatchRow(NamedTuple):
    """One candidate or pronoun; `raw[match_position : match_position + match_length]` is exactly what was matched.

    Most of what cleaning stores: a named tuple is made, and turned into a row, in a third of a data class's time.
    """

    clean_task_id: str
    standard_name: str
    matched_alias: str
    match_position: int
    match_length: int
    is_valid_match: int
    reason: str
    region: str
    via: str
    created_at: datetime
    covered_by: str | None = None
    """What won over a rejected candidate: a longer name, an exclude phrase or another word."""


def add(tx: Write, rows: Sequence[MatchRow], *, instead_of: Sequence[str] = ()) -> None:
    """Store candidates; tasks in `instead_of` lose those that they had."""
    if instead_of:
        tx.run(delete(entity_match_detail).where(entity_match_detail.c.clean_task_id.in_(instead_of)))
    tx.insert(entity_match_detail, [row._asdict() for row in rows])


_COPIED = {
    "clean_task_id": clean_state.c.source_task_id + bindparam("suffix", type_=String),
    **{name: entity_match_detail.c[name] for name in MatchRow._fields if name not in ("clean_task_id", "created_at")},
    "created_at": bindparam("now", type_=UtcDateTime),
}

_COPY = insert(entity_match_detail).from_select(
    list(_COPIED),
    select(*_COPIED.values())
    .select_from(entity_match_detail)
    .join(clean_state, clean_state.c.clean_task_id == entity_match_detail.c.clean_task_id)
    .where(entity_match_detail.c.clean_task_id.in_(bindparam("tasks", expanding=True)))
    .order_by(entity_match_detail.c.match_id),
)


def copy(tx: Write, task_ids: Sequence[str], generation: int, now: datetime) -> None:
    """Give the candidates of tasks to those of the same answers in another generation too."""
    tx.run(_COPY, {"tasks": task_ids, "suffix": clean_task_id("", generation), "now": now})


def of_task(read: Read, clean_task_id: str) -> list[MatchRow]:
    """Return the candidates of one task in the order of the text."""
    query = (
        select(entity_match_detail)
        .where(entity_match_detail.c.clean_task_id == clean_task_id)
        .order_by(entity_match_detail.c.match_position, entity_match_detail.c.match_length.desc())
    )
    return [MatchRow(*(getattr(row, name) for name in MatchRow._fields)) for row in read.all(query)]


def of_tasks(read: Read, clean_task_ids: Sequence[str]) -> dict[str, list[MatchRow]]:
    """Return the candidates of some tasks, by task."""
    found: dict[str, list[MatchRow]] = {id_: [] for id_ in clean_task_ids}
    columns = [entity_match_detail.c[name] for name in MatchRow._fields]
    for part in chunks(clean_task_ids):
        query = select(*columns).where(entity_match_detail.c.clean_task_id.in_(part))
        for row in read.all(query):
            found[row.clean_task_id].append(MatchRow._make(row))
    return found
