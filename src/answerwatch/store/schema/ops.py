"""Dead letters, alerts, audit and small marks."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Index, Integer, Table, UniqueConstraint

from answerwatch.store.schema.base import about, metadata
from answerwatch.store.types import Key, LongText, Micros, Serial, UtcDateTime, Word

dead_letter = Table(
    "dead_letter",
    metadata,
    Column("dead_id", Serial, primary_key=True, doc="Counted up."),
    Column("queue", Word, nullable=False, doc="collect or clean."),
    Column("task_id", Key, nullable=False, doc="The task."),
    Column("group_id", Key, nullable=False, doc="The batch."),
    Column("lane", Key, nullable=False, doc="The lane."),
    Column("payload", JSON, nullable=False, doc="JSON object: step, failures, interruptions, http_status."),
    Column("error_type", Word, nullable=False, doc="Class of the failure."),
    Column("error", LongText, nullable=False, doc="What was said, for people."),
    Column("attempts", Integer, nullable=False, doc="Attempts that were made."),
    Column("failed_at", UtcDateTime, nullable=False, doc="When it was given up."),
    Column("replayed_at", UtcDateTime, doc="When it was put back to work; NULL: it waits for a person."),
    Column("replayed_by", Key, doc="Who did that; NULL: nobody yet."),
    Index(None, "queue", "task_id"),
    **about("Work that failed for good, until a person replays or drops it.", written_by="engine"),
)

alert = Table(
    "alert",
    metadata,
    Column("alert_id", Serial, primary_key=True, doc="Counted up."),
    Column("kind", Word, nullable=False, doc="What happened (operations.md)."),
    Column("subject", Key, nullable=False, doc="What it is about: a lane, a batch, a queue."),
    Column("cause", Key, nullable=False, doc="What makes it another alert: a reason word."),
    Column("message", LongText, nullable=False, doc="The last one, for people, in English or as a platform said it."),
    Column(
        "said",
        JSON(none_as_null=True),
        doc="JSON object: the message's name in the catalogues, its text and its facts; NULL: it stands as it came.",
    ),
    Column("first_at", UtcDateTime, nullable=False, doc="When it was raised first."),
    Column("last_at", UtcDateTime, nullable=False, doc="When it was raised last."),
    Column("count", Integer, nullable=False, doc="How often it was raised."),
    Column("acknowledged_at", UtcDateTime, doc="When a person said that it is seen; NULL: open."),
    UniqueConstraint("kind", "subject", "cause"),
    **about(
        "What needs a person: one row for each cause, so that a storm only counts up.",
        written_by="engine, collect, clean, alerts",
    ),
)

api_key = Table(
    "api_key",
    metadata,
    Column("key_id", Serial, primary_key=True, doc="Counted up."),
    Column("name", Key, nullable=False, unique=True, doc="What it is for; people choose it."),
    Column("key_hash", Key, nullable=False, unique=True, doc="SHA-256 of the key, in hexadecimal digits."),
    Column("starts_with", Word, nullable=False, doc="Its first characters, so that people know it again."),
    Column("scope", Word, nullable=False, doc="read, or write: that too."),
    Column("created_at", UtcDateTime, nullable=False, doc="When."),
    Column("created_by", Key, nullable=False, doc="Who: the setting `actor`."),
    Column("used_at", UtcDateTime, doc="When it was used last, to a minute; NULL: never."),
    Column("revoked_at", UtcDateTime, doc="When it was taken back; NULL: it holds."),
    **about("Keys to the HTTP interface: what is kept does not give one back.", written_by="keys, serve"),
)

audit_event = Table(
    "audit_event",
    metadata,
    Column("audit_id", Serial, primary_key=True, doc="Counted up."),
    Column("at", UtcDateTime, nullable=False, doc="When."),
    Column("actor", Key, nullable=False, doc="Who: the setting `actor`."),
    Column("action", Word, nullable=False, doc="What was done."),
    Column("subject", Key, nullable=False, doc="To what."),
    Column("detail", JSON, nullable=False, doc="JSON object with the rest."),
    Index(None, "subject"),
    **about("What people did that cannot be seen from the data.", written_by="dead letters, questions"),
)

mark = Table(
    "mark",
    metadata,
    Column(
        "name",
        Word,
        primary_key=True,
        doc="last_sweep, clean_duties, lexicon (a change of it): when anybody did that last. "
        "name_candidates: by which rules names were looked for.",
    ),
    Column("value_us", Micros, nullable=False, doc="The number."),
    **about("Single numbers that processes share.", written_by="engine"),
)
"""Single numbers that processes share, such as the time of the last sweep."""
