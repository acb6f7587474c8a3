"""Batches, their sub-tasks and every request sent."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, Index, Integer, Table

from answerwatch.store.schema.base import about, metadata
from answerwatch.store.types import Key, LongText, UtcDateTime, Word

task_batch = Table(
    "task_batch",
    metadata,
    Column(
        "batch_id",
        Key,
        primary_key=True,
        doc="BATCH_YYYYMMDDHHMMSS_XXXX (UTC, first letters of the brand), with -2, -3 ... when taken.",
    ),
    Column("brand_name", Key, nullable=False, doc="Focal brand; '' for an import without one."),
    Column("scene_types", JSON, nullable=False, doc="JSON list of the scenes of its questions."),
    Column("platforms", JSON, nullable=False, doc="JSON list of platform ids."),
    Column("total_questions", Integer, nullable=False, doc="Questions in it."),
    Column("total_sub_tasks", Integer, nullable=False, doc="Sub-tasks in it."),
    Column(
        "completed_sub_tasks",
        Integer,
        nullable=False,
        doc="Sub-tasks that have a sample; moved in the transaction that stores the sample.",
    ),
    Column(
        "failed_sub_tasks",
        Integer,
        nullable=False,
        doc="Sub-tasks that failed for good; moved in the transaction that says so.",
    ),
    Column("batch_status", Word, nullable=False, doc="pending, running, completed, partial or cancelled (states.md)."),
    Column("created_at", UtcDateTime, nullable=False, doc="When it was created."),
    Column("started_at", UtcDateTime, doc="When its first call was claimed; NULL: not yet."),
    Column("completed_at", UtcDateTime, doc="When it came to its end, cancelled too; NULL: not yet."),
    Column("paused_at", UtcDateTime, doc="Since when it is paused; NULL: it is not."),
    Column(
        "stood_s",
        Float,
        doc="Seconds from first call to end left out of its time-out: paused, all parked, no worker; NULL: not ended.",
    ),
    Column(
        "group_id",
        Key,
        nullable=False,
        doc="GROUP_YYYYMMDDHHMMSS_XXXX of those created together; the batch's own id where it was created alone.",
    ),
    Column("parent_batch_id", Key, doc="Batch whose failed sub-tasks it asks again; NULL: none."),
    Column("priority", Integer, nullable=False, doc="Higher goes first."),
    Column("rounds", Integer, nullable=False, doc="Repetitions of every question on every platform."),
    Column(
        "timeout_s",
        Float,
        nullable=False,
        doc="Seconds from the first call, pauses and parked time left out; 0 for an import.",
    ),
    Column("starts_at", UtcDateTime, doc="When its time window begins, nothing of it starts before; NULL: at once."),
    Column(
        "planned",
        JSON(none_as_null=True),
        doc="JSON list: calls, seconds and price by platform, as planned at creation; NULL: an import, or older.",
    ),
    Column("origin", Word, nullable=False, doc="collected or imported."),
    Column(
        "idempotency_key",
        Key,
        unique=True,
        doc="Key of the request, kept by the first batch of a group; NULL: none was given.",
    ),
    Column(
        "request",
        JSON(none_as_null=True),
        doc="JSON object: what was asked for with that key, names resolved; NULL: no key was given, or an import.",
    ),
    Column("file_sha256", Word, doc="SHA-256 of the imported file; NULL: collected."),
    Index(None, "brand_name"),
    Index(None, "batch_status"),
    Index(None, "created_at"),
    Index(None, "group_id"),
    Index(None, "parent_batch_id"),
    **about(
        "Batches: questions x platforms x rounds for one focal brand, or one import.", written_by="batches, collect"
    ),
)

question_usage_log = Table(
    "question_usage_log",
    metadata,
    Column(
        "sub_task_id",
        Key,
        primary_key=True,
        doc="{batch_id}_Q{question_id}_{platform}_R{round}; at most 180 characters.",
    ),
    Column("question_id", Key, nullable=False, doc="The question."),
    Column(
        "question_version",
        Integer,
        nullable=False,
        doc="Version that is asked, frozen when the batch is created; of an import what its file says, 0: nothing.",
    ),
    Column("batch_id", Key, nullable=False, doc="The batch."),
    Column("platform", Key, nullable=False, doc="Platform id."),
    Column("scene_type", Word, nullable=False, doc="Scene of that version."),
    Column("round", Integer, nullable=False, doc="From 1."),
    Column(
        "status",
        Word,
        nullable=False,
        doc="pending, success, failed or cancelled; whether one runs is read from the ledger.",
    ),
    Column("error_type", Word, doc="Why it failed (platforms.md), or batch_timeout; NULL: it did not."),
    Column("error", LongText, doc="The last error, for people; NULL: none."),
    Column("retry_count", Integer, nullable=False, doc="Retries used so far."),
    Column("created_at", UtcDateTime, nullable=False, doc="When it was scheduled."),
    Column("finished_at", UtcDateTime, doc="When it had its outcome; NULL: not yet."),
    Index(None, "batch_id"),
    Index(None, "question_id"),
    **about(
        "Sub-tasks: one row for each call to make, from the moment it is scheduled.", written_by="batches, collect"
    ),
)

call_attempt = Table(
    "call_attempt",
    metadata,
    Column("sub_task_id", Key, primary_key=True, doc="The sub-task."),
    Column("attempt", Integer, primary_key=True, autoincrement=False, doc="From 1; a number is never used twice."),
    Column("started_at", UtcDateTime, nullable=False, doc="When the request went out."),
    Column("ended_at", UtcDateTime, doc="When the reply was whole or the attempt given up; NULL: not known."),
    Column("outcome", Word, nullable=False, doc="answered, failed, interrupted (stopped by ourselves) or late."),
    Column("error_type", Word, doc="Class of the failure (platforms.md); NULL: it did not fail."),
    Column("error", LongText, doc="What was said, secrets taken out; NULL: no failure."),
    Column("http_status", Integer, doc="Status of the reply; NULL: none came."),
    Column("wait_s", Float, doc="Seconds until the next try; NULL: there is none."),
    Column("wait_origin", Word, doc="schedule, the header's name, body, rule or cap; NULL: no next try."),
    Column("cost", Float, doc="Estimated price in the platform's currency; NULL: price or tokens not known."),
    **about("Every request that was sent.", written_by="collect"),
)
