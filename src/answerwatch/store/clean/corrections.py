"""What people set right in readings (`correction`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, select, update

from answerwatch.domain.corrections import Correction, Field
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.batch import question_usage_log as usage
from answerwatch.store.schema.clean import correction
from answerwatch.store.upsert import chunks

_HOLDS: ColumnElement[bool] = correction.c.withdrawn_at.is_(None)


def add(tx: Write, new: Correction, *, generation: int | None) -> int:
    """Write a correction, take back the one that it replaces, and return its number."""
    replaced = _HOLDS & (correction.c.sub_task_id == new.sub_task_id) & (correction.c.brand_name == new.brand_name)
    replaced &= correction.c.field == new.field
    if new.spot is not None:
        replaced &= (correction.c.position == new.spot[0]) & (correction.c.length == new.spot[1])
    tx.run(update(correction).where(replaced).values(withdrawn_at=new.created_at, withdrawn_by=new.created_by))
    position, length = new.spot or (None, None)
    row = {
        "sub_task_id": new.sub_task_id, "brand_name": new.brand_name, "field": new.field, "value": new.value,
        "position": position, "length": length, "read_value": new.read_value, "generation": generation,
        "note": new.note, "created_at": new.created_at, "created_by": new.created_by,
        "withdrawn_at": None, "withdrawn_by": None,
    }  # fmt: skip
    tx.insert(correction, [row])
    mine = (correction.c.sub_task_id == new.sub_task_id) & (correction.c.created_at == new.created_at)
    query = select(correction.c.correction_id).where(mine).order_by(correction.c.correction_id.desc()).limit(1)
    return int(tx.scalar(query))


def withdraw(tx: Write, correction_id: int, by: str, now: datetime) -> bool:
    """Take a correction back; return whether there was one that held."""
    mine = _HOLDS & (correction.c.correction_id == correction_id)
    return tx.run(update(correction).where(mine).values(withdrawn_at=now, withdrawn_by=by)) == 1


def get(read: Read, correction_id: int) -> Correction | None:
    """Return a correction that holds, None where there is none."""
    row = read.first(select(correction).where(_HOLDS, correction.c.correction_id == correction_id))
    return None if row is None else _correction(row)


def of_samples(read: Read, sub_task_ids: Sequence[str]) -> dict[str, list[Correction]]:
    """Return the corrections that hold by sample, the oldest first."""
    found: dict[str, list[Correction]] = defaultdict(list)
    for part in chunks(sub_task_ids):
        query = select(correction).where(_HOLDS, correction.c.sub_task_id.in_(part))
        for row in read.all(query.order_by(correction.c.correction_id)):
            found[row.sub_task_id].append(_correction(row))
    return dict(found)


def find(
    read: Read,
    *,
    batch_ids: Sequence[str] | None = None,
    brand: str | None = None,
    after: int = 0,
    most: int | None = None,
) -> list[Correction]:
    """Return corrections that hold by their numbers; of a brand only where one is given."""
    query = select(correction).where(_HOLDS, correction.c.correction_id > after)
    if brand is not None:
        query = query.where(correction.c.brand_name == brand)
    query = query.order_by(correction.c.correction_id).limit(most)
    if batch_ids is None:
        return [_correction(row) for row in read.all(query)]
    found: list[Correction] = []
    for part in chunks(batch_ids):
        mine = select(usage.c.sub_task_id).where(usage.c.batch_id.in_(part))
        found += [_correction(row) for row in read.all(query.where(correction.c.sub_task_id.in_(mine)))]
    return sorted(found, key=lambda one: one.correction_id)[:most]


def _correction(row: Row[Any]) -> Correction:
    return Correction(
        correction_id=row.correction_id,
        sub_task_id=row.sub_task_id,
        brand_name=row.brand_name,
        field=Field(row.field),
        value=row.value,
        spot=None if row.position is None else (row.position, row.length),
        read_value=row.read_value,
        note=row.note,
        created_at=row.created_at,
        created_by=row.created_by,
    )
