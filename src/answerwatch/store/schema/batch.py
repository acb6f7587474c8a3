"""Batches, their sub-tasks and every request sent."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, Index, Integer, Table

from answerwatch.store.schema.base import TABLE, metadata
from answerwatch.store.types import Key, LongText, UtcDateTime, Word

task_batch = Table(
    "task_batch",
    metadata,
    Column("batch_id", Key, primary_key=True),
    Column("brand_name", Key, nullable=False),
    Column("scene_types", JSON, nullable=False),
    Column("platforms", JSON, nullable=False),
    Column("total_questions", Integer, nullable=False),
    Column("total_sub_tasks", Integer, nullable=False),
    Column("completed_sub_tasks", Integer, nullable=False),
    Column("failed_sub_tasks", Integer, nullable=False),
    Column("batch_status", Word, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("started_at", UtcDateTime),
    Column("completed_at", UtcDateTime),
    Column("paused_at", UtcDateTime),
    Column("group_id", Key, nullable=False),
    Column("parent_batch_id", Key),
    Column("priority", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("timeout_s", Float, nullable=False),
    Column("origin", Word, nullable=False),  # collected | imported
    Column("idempotency_key", Key, unique=True),
    Column("file_sha256", Word),
    Index(None, "brand_name"),
    Index(None, "batch_status"),
    Index(None, "created_at"),
    Index(None, "group_id"),
    **TABLE,
)

question_usage_log = Table(
    "question_usage_log",
    metadata,
    Column("sub_task_id", Key, primary_key=True),
    Column("question_id", Key, nullable=False),
    Column("question_version", Integer, nullable=False),
    Column("batch_id", Key, nullable=False),
    Column("platform", Key, nullable=False),
    Column("scene_type", Word, nullable=False),
    Column("round", Integer, nullable=False),
    Column("status", Word, nullable=False),
    Column("error_type", Word),
    Column("error", LongText),
    Column("retry_count", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime),
    Index(None, "batch_id"),
    Index(None, "question_id"),
    **TABLE,
)

call_attempt = Table(
    "call_attempt",
    metadata,
    Column("sub_task_id", Key, primary_key=True),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    Column("outcome", Word, nullable=False),  # answered | failed | interrupted | adopted | late
    Column("error_type", Word),
    Column("error", LongText),
    Column("http_status", Integer),
    Column("wait_s", Float),
    Column("wait_origin", Word),
    Column("cost", Float),
    **TABLE,
)
