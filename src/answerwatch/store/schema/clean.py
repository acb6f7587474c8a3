"""Cleaning: states, attempts, results by generation, every candidate match."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Index, Integer, Table, UniqueConstraint

from answerwatch.store.schema.base import TABLE, flag, metadata
from answerwatch.store.types import Key, LongText, Serial, Short, UtcDateTime, Word

clean_generation = Table(
    "clean_generation",
    metadata,
    Column("generation", Integer, primary_key=True, autoincrement=False),
    Column("lexicon_version", Integer, nullable=False),
    Column("cleaner_version", Word, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("note", Short, nullable=False),
    **TABLE,
)

clean_state = Table(
    "clean_state",
    metadata,
    Column("clean_task_id", Key, primary_key=True),
    Column("source_task_id", Key, nullable=False),
    Column("batch_id", Key, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("current_state", Word, nullable=False),
    Column("state_history", JSON, nullable=False),
    Column("retry_count", Integer, nullable=False),
    Column("last_error", LongText),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Index(None, "current_state"),
    Index(None, "source_task_id"),
    Index(None, "batch_id"),
    **TABLE,
)

clean_attempt = Table(
    "clean_attempt",
    metadata,
    Column("clean_task_id", Key, primary_key=True),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    Column("worker", Key, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    Column("error", LongText),
    **TABLE,
)


def _result_columns() -> list[Column[object]]:
    """Return the columns that the current results and their history share."""
    return [
        Column("clean_task_id", Key, primary_key=True),
        Column("source_task_id", Key, nullable=False),
        Column("batch_id", Key, nullable=False),
        Column("brand_name", Key, nullable=False),
        Column("platform", Key, nullable=False),
        Column("scene_type", Word, nullable=False),
        Column("is_valid", Integer),
        Column("invalid_reason", Word),
        Column("invalid_note", LongText),
        Column("truncated", Integer),
        Column("is_mentioned", Integer),
        Column("mention_count", Integer),
        Column("is_recommended", Integer),
        Column("polarity", Word),
        Column("recommendation_rank", Integer),
        Column("rank_basis", Word),
        Column("is_top_pick", Integer),
        Column("mention_order", Integer),
        Column("has_citation", Integer),
        Column("own_site_cited", Integer),
        Column("clean_state", Word, nullable=False),
        Column("raw_data_url", LongText),
        Column("generation", Integer, nullable=False),
        Column("lexicon_version", Integer, nullable=False),
        Column("cleaner_version", Word, nullable=False),
        Column("cleaned_at", UtcDateTime, nullable=False),
    ]


clean_result = Table(
    "clean_result",
    metadata,
    *_result_columns(),
    UniqueConstraint("source_task_id"),  # the current generation only: one row a sample
    Index(None, "batch_id"),
    Index(None, "brand_name", "scene_type"),
    Index(None, "cleaned_at"),
    **TABLE,
)

clean_result_history = Table(
    "clean_result_history", metadata, *_result_columns(), Index(None, "source_task_id"), **TABLE
)


def _brand_columns() -> list[Column[object]]:
    """Return the columns of one tracked brand's figures in one answer."""
    return [
        Column("clean_task_id", Key, primary_key=True),
        Column("brand_name", Key, primary_key=True),
        Column("source_task_id", Key, nullable=False),
        Column("batch_id", Key, nullable=False),
        Column("platform", Key, nullable=False),
        Column("scene_type", Word, nullable=False),
        Column("is_mentioned", Integer, nullable=False),
        Column("mention_count", Integer, nullable=False),
        Column("is_recommended", Integer),
        Column("polarity", Word),
        Column("recommendation_rank", Integer),
        Column("rank_basis", Word),
        Column("is_top_pick", Integer),
        Column("mention_order", Integer),
        Column("own_site_cited", Integer),
        Column("generation", Integer, nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
    ]


brand_result = Table(
    "brand_result",
    metadata,
    *_brand_columns(),
    Index(None, "brand_name", "batch_id"),
    Index(None, "source_task_id"),
    **TABLE,
)

brand_result_history = Table(
    "brand_result_history", metadata, *_brand_columns(), Index(None, "source_task_id"), **TABLE
)

entity_match_detail = Table(
    "entity_match_detail",
    metadata,
    Column("match_id", Serial, primary_key=True),
    Column("clean_task_id", Key, nullable=False),
    Column("standard_name", Key, nullable=False),
    Column("matched_alias", Key, nullable=False),
    Column("match_position", Integer, nullable=False),
    Column("match_length", Integer, nullable=False),
    *flag("is_valid_match", nullable=False),
    Column("reason", Key, nullable=False),
    Column("region", Word, nullable=False),
    Column("via", Word, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint(
        "clean_task_id",
        "standard_name",
        "match_position",
        "matched_alias",
        name="uq_entity_match_detail_place",  # the usual name would be longer than MySQL allows
    ),
    Index(None, "clean_task_id"),
    **TABLE,
)
