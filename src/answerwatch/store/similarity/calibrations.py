"""Thresholds of scorers as a workspace measured them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import select

from answerwatch.domain.similarity import scorer_key
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.similarity import similarity_calibration
from answerwatch.store.upsert import upsert

Values = dict[str, Any]
"""One calibration by the names of its columns."""


def get(read: Read, scorer_id: str, purpose: str) -> Values | None:
    """Return the calibration of a scorer for one purpose; None where there is none."""
    table = similarity_calibration.c
    query = select(similarity_calibration).where(table.scorer_key == scorer_key(scorer_id), table.purpose == purpose)
    row = read.first(query)
    return None if row is None else row._asdict()


def listed(read: Read) -> list[Values]:
    """Return all, by scorer and purpose."""
    table = similarity_calibration.c
    query = select(similarity_calibration).order_by(table.scorer_name, table.purpose, table.created_at)
    return [row._asdict() for row in read.all(query)]


def put(tx: Write, measured: Values, now: datetime) -> None:
    """Store a calibration instead of the one that its scorer had for this purpose.

    `measured` has all columns but the key of the scorer and the moment.
    """
    row = {**measured, "scorer_key": scorer_key(measured["scorer_id"]), "created_at": now}
    key = ("scorer_key", "purpose")
    upsert(tx, similarity_calibration, [row], key=key, update=[name for name in row if name not in key])
