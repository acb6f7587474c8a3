"""Alerts: what needs a person. One row per cause, so that a storm only counts up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, false, func, select, true, update

from answerwatch.clock import from_micros
from answerwatch.domain.alerts import AlertKind
from answerwatch.domain.ids import KEY_LENGTH
from answerwatch.domain.said import Said
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.ops import alert
from answerwatch.store.upsert import chunks, insert_new


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One cause for a person to look at something."""

    alert_id: int
    kind: str
    """A word of AlertKind, or one that an older version knew."""
    subject: str
    """What it is about: a lane, a batch, a task."""
    message: str
    """A `Said` where it can be said in every language."""
    first_at: datetime
    last_at: datetime
    count: int
    acknowledged_at: datetime | None


def ring(tx: Write, *, kind: AlertKind, subject: str, cause: str, message: str) -> bool:
    """Raise an alert, or count it up when its cause (a reason word, an id) is known; return whether it is a new one.

    A cause that comes again after a person acknowledged it is open again.
    """
    return _ring(tx, _key(kind, subject, cause), message, reopened=true())


def ring_on(
    tx: Write, *, kind: AlertKind, subject: str, cause: str, message: str, gone_after: timedelta | None = None
) -> bool:
    """Raise an alert about something that lasts, or count it up; return whether it is a new one.

    What a person acknowledged stays so while it lasts. Not seen for `gone_after` it was gone, and is open when it comes
    again; None: the caller knows that it has lasted.
    """
    reopened = false() if gone_after is None else alert.c.last_at < from_micros(tx.now_us()) - gone_after
    return _ring(tx, _key(kind, subject, cause), message, reopened=reopened)


def _key(kind: AlertKind, subject: str, cause: str) -> dict[str, str]:
    return {"kind": str(kind), "subject": subject[:KEY_LENGTH], "cause": cause[:KEY_LENGTH]}


def _ring(tx: Write, key: Mapping[str, str], message: str, *, reopened: ColumnElement[bool]) -> bool:
    now = from_micros(tx.now_us())
    told = {"message": str(message), "said": message.to_row() if isinstance(message, Said) else None}
    row = {
        **key, **told,
        "first_at": now, "last_at": now, "count": 1, "acknowledged_at": None,
    }  # fmt: skip
    if insert_new(tx, alert, [row]) == 1:
        return True
    same = [alert.c[name] == value for name, value in key.items()]
    tx.run(update(alert).where(*same, reopened).values(acknowledged_at=None))
    tx.run(update(alert).where(*same).values(count=alert.c.count + 1, last_at=now, **told))
    return False


def every(read: Read, *, open_only: bool = True, most: int = 50) -> list[Alert]:
    """Return alerts, at most so many, newest first."""
    query = select(alert).order_by(alert.c.last_at.desc(), alert.c.alert_id.desc()).limit(most)
    if open_only:
        query = query.where(alert.c.acknowledged_at.is_(None))
    return [_alert(row) for row in read.all(query)]


def _alert(row: Row[Any]) -> Alert:
    values = row._asdict()
    del values["cause"]
    said = values.pop("said")
    return Alert(**values | {"message": row.message if said is None else Said.of_row(said)})


def count_open(read: Read) -> int:
    """Return how many alerts wait for a person."""
    return int(read.scalar(select(func.count()).select_from(alert).where(alert.c.acknowledged_at.is_(None))))


def known(read: Read, alert_ids: Sequence[int]) -> set[int]:
    """Return those of the ids that are alerts, open or not."""
    query = select(alert.c.alert_id)
    return {
        row.alert_id for part in chunks(set(alert_ids)) for row in read.all(query.where(alert.c.alert_id.in_(part)))
    }


def acknowledge(tx: Write, alert_ids: Sequence[int] | None = None) -> int:
    """Mark alerts as seen by a person (all open ones without ids) and return how many were open."""
    query = update(alert).where(alert.c.acknowledged_at.is_(None)).values(acknowledged_at=from_micros(tx.now_us()))
    if alert_ids is None:
        return tx.run(query)
    return sum(tx.run(query.where(alert.c.alert_id.in_(part))) for part in chunks(set(alert_ids)))
