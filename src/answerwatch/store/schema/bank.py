"""Question bank and lexicon."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Index, Integer, Table, UniqueConstraint

from answerwatch.store.schema.base import TABLE, flag, metadata
from answerwatch.store.types import Key, LongText, Serial, Short, UtcDateTime, Word

question_bank = Table(
    "question_bank",
    metadata,
    Column("question_id", Key, primary_key=True),
    Column("scene_type", Word, nullable=False),
    Column("query_text", LongText, nullable=False),
    Column("target_keywords", JSON, nullable=False),
    Column("intent_description", LongText, nullable=False),
    *flag("is_active", nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Index(None, "scene_type", "is_active"),
    **TABLE,
)

question_version = Table(
    "question_version",
    metadata,
    Column("question_id", Key, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("query_text", LongText, nullable=False),
    Column("scene_type", Word, nullable=False),
    Column("changed_at", UtcDateTime, nullable=False),
    Column("changed_by", Key, nullable=False),
    Column("note", Short, nullable=False),
    **TABLE,
)

brand = Table(
    "brand",
    metadata,
    Column("brand_id", Key, primary_key=True),
    Column("standard_name", Key, nullable=False, unique=True),
    Column("name_key", Key, nullable=False, unique=True),
    Column("role", Word, nullable=False),
    *flag("is_active", nullable=False),
    Column("domains", JSON, nullable=False),
    **TABLE,
)

brand_alias = Table(
    "brand_alias",
    metadata,
    Column("brand_id", Key, primary_key=True),
    Column("alias", Key, primary_key=True),
    Column("kind", Word, nullable=False),
    Column("match_mode", Word, nullable=False),
    *flag("is_active", nullable=False),
    **TABLE,
)

brand_rule = Table(
    "brand_rule",
    metadata,
    Column("rule_id", Serial, primary_key=True),
    Column("brand_id", Key, nullable=False),
    Column("alias", Key, nullable=False),  # '' means every alias: a NULL would not be unique
    Column("kind", Word, nullable=False),
    Column("pattern", Key, nullable=False),
    Column("window", Integer),
    UniqueConstraint("brand_id", "alias", "kind", "pattern"),
    **TABLE,
)

lexicon_version = Table(
    "lexicon_version",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("content_hash", Word, nullable=False),
    Column("content", JSON, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("changed_by", Key, nullable=False),
    Column("note", Short, nullable=False),
    **TABLE,
)
