"""Answers as they were received."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, Index, Integer, Table

from answerwatch.store.schema.base import TABLE, flag, metadata
from answerwatch.store.types import Key, LongText, Short, UtcDateTime, Word

answer_sample = Table(
    "answer_sample",
    metadata,
    Column("sub_task_id", Key, primary_key=True),
    Column("batch_id", Key, nullable=False),
    Column("question_id", Key, nullable=False),
    Column("question_version", Integer, nullable=False),
    Column("brand_name", Key, nullable=False),
    Column("platform", Key, nullable=False),
    Column("scene_type", Word, nullable=False),
    Column("round", Integer, nullable=False),
    Column("query_text", LongText, nullable=False),
    Column("raw_response", LongText, nullable=False),
    Column("response_format", Word, nullable=False),
    Column("response_length", Integer, nullable=False),
    Column("response_time_ms", Integer),
    Column("raw_data_url", LongText),
    Column("raw_sha256", Word),
    Column("raw_size", Integer),
    Column("altered_characters", Integer, nullable=False),
    *flag("is_valid"),
    Column("invalid_reason", Word),
    Column("collected_at", UtcDateTime, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("model_asked", Key),
    Column("model_served", Key),
    Column("parameters", JSON),
    *flag("search_asked"),
    *flag("searched"),
    Column("finish_reason", Word),
    *flag("truncated"),
    *flag("filtered"),
    Column("reasoning", LongText),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("cost", Float),
    Column("request_id", Key),
    Column("provenance", JSON),  # other columns of an imported row
    Index(None, "batch_id"),
    Index(None, "brand_name", "scene_type"),
    Index(None, "question_id", "round"),
    **TABLE,
)

late_sample = Table(
    "late_sample",
    metadata,
    Column("sub_task_id", Key, primary_key=True),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    Column("batch_id", Key, nullable=False),
    Column("platform", Key, nullable=False),
    Column("raw_response", LongText, nullable=False),
    Column("raw_data_url", LongText),
    Column("raw_sha256", Word),
    Column("http_status", Integer),
    Column("received_at", UtcDateTime, nullable=False),
    Column("why", Short, nullable=False),
    Index(None, "batch_id"),
    **TABLE,
)

citation = Table(
    "citation",
    metadata,
    Column("sub_task_id", Key, primary_key=True),
    Column("kind", Word, primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("url", LongText, nullable=False),
    Column("canonical_url", LongText, nullable=False),
    Column("domain", Key, nullable=False),
    Column("title", LongText),
    Column("origin", Word, nullable=False),
    **TABLE,
)
