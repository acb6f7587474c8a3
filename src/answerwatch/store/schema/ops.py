"""Dead letters, alerts, audit and small marks."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Index, Integer, Table, UniqueConstraint

from answerwatch.store.schema.base import TABLE, metadata
from answerwatch.store.types import Key, LongText, Micros, Serial, UtcDateTime, Word

dead_letter = Table(
    "dead_letter",
    metadata,
    Column("dead_id", Serial, primary_key=True),
    Column("queue", Word, nullable=False),
    Column("task_id", Key, nullable=False),
    Column("group_id", Key, nullable=False),
    Column("lane", Key, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("error_type", Word, nullable=False),
    Column("error", LongText, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("failed_at", UtcDateTime, nullable=False),
    Column("replayed_at", UtcDateTime),
    Column("replayed_by", Key),
    Index(None, "queue", "task_id"),
    **TABLE,
)

alert = Table(
    "alert",
    metadata,
    Column("alert_id", Serial, primary_key=True),
    Column("kind", Word, nullable=False),
    Column("subject", Key, nullable=False),
    Column("cause", Key, nullable=False),  # one row per cause: a storm only counts up
    Column("message", LongText, nullable=False),
    Column("first_at", UtcDateTime, nullable=False),
    Column("last_at", UtcDateTime, nullable=False),
    Column("count", Integer, nullable=False),
    Column("acknowledged_at", UtcDateTime),
    UniqueConstraint("kind", "subject", "cause"),
    **TABLE,
)

audit_event = Table(
    "audit_event",
    metadata,
    Column("audit_id", Serial, primary_key=True),
    Column("at", UtcDateTime, nullable=False),
    Column("actor", Key, nullable=False),
    Column("action", Word, nullable=False),
    Column("subject", Key, nullable=False),
    Column("detail", JSON, nullable=False),
    **TABLE,
)

mark = Table(
    "mark",
    metadata,
    Column("name", Word, primary_key=True),
    Column("value_us", Micros, nullable=False),
    **TABLE,
)
"""Single numbers that processes share, such as the time of the last sweep."""
