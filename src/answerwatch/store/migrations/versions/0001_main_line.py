"""The tables of the main line: bank, batches, samples, cleaning, ledger and what is kept for operators."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from answerwatch.store.types import Flag, Key, LongText, Micros, Serial, Short, UtcDateTime, Word

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLE: dict[str, Any] = {
    "mysql_charset": "utf8mb4",
    "mysql_collate": "utf8mb4_bin",
    "mariadb_charset": "utf8mb4",
    "mariadb_collate": "utf8mb4_bin",
}

ANSWER_METRIC = """
    CREATE VIEW answer_metric AS
    SELECT s.sub_task_id, s.batch_id, s.brand_name, s.platform, s.scene_type, s.question_id, s.round,
           r.is_valid, r.is_mentioned, r.is_recommended, r.recommendation_rank, r.has_citation,
           s.collected_at AS created_at
    FROM answer_sample s LEFT JOIN clean_result r ON r.source_task_id = s.sub_task_id
"""


def upgrade() -> None:  # noqa: PLR0915 - a frozen list of statements
    """Make all tables and views."""
    op.create_table(
        "alert",
        sa.Column("alert_id", Serial, nullable=False),
        sa.Column("kind", Word, nullable=False),
        sa.Column("subject", Key, nullable=False),
        sa.Column("cause", Key, nullable=False),
        sa.Column("message", LongText, nullable=False),
        sa.Column("first_at", UtcDateTime(), nullable=False),
        sa.Column("last_at", UtcDateTime(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("acknowledged_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("alert_id", name=op.f("pk_alert")),
        sa.UniqueConstraint("kind", "subject", "cause", name=op.f("uq_alert_kind_subject_cause")),
        **TABLE,
    )
    op.create_table(
        "answer_sample",
        sa.Column("sub_task_id", Key, nullable=False),
        sa.Column("batch_id", Key, nullable=False),
        sa.Column("question_id", Key, nullable=False),
        sa.Column("question_version", sa.Integer(), nullable=False),
        sa.Column("brand_name", Key, nullable=False),
        sa.Column("platform", Key, nullable=False),
        sa.Column("scene_type", Word, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("query_text", LongText, nullable=False),
        sa.Column("raw_response", LongText, nullable=False),
        sa.Column("response_format", Word, nullable=False),
        sa.Column("response_length", sa.Integer(), nullable=False),
        sa.Column("response_time_ms", sa.Integer(), nullable=True),
        sa.Column("raw_data_url", LongText, nullable=True),
        sa.Column("raw_sha256", Word, nullable=True),
        sa.Column("raw_size", sa.Integer(), nullable=True),
        sa.Column("altered_characters", sa.Integer(), nullable=False),
        sa.Column("is_valid", Flag, nullable=True),
        sa.Column("invalid_reason", Word, nullable=True),
        sa.Column("collected_at", UtcDateTime(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("model_asked", Key, nullable=True),
        sa.Column("model_served", Key, nullable=True),
        sa.Column("parameters", sa.JSON(), nullable=True),
        sa.Column("search_asked", Flag, nullable=True),
        sa.Column("searched", Flag, nullable=True),
        sa.Column("finish_reason", Word, nullable=True),
        sa.Column("truncated", Flag, nullable=True),
        sa.Column("filtered", Flag, nullable=True),
        sa.Column("reasoning", LongText, nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.Column("request_id", Key, nullable=True),
        sa.Column("provenance", sa.JSON(), nullable=True),
        sa.CheckConstraint("filtered IN (0, 1)", name=op.f("ck_answer_sample_filtered")),
        sa.CheckConstraint("is_valid IN (0, 1)", name=op.f("ck_answer_sample_is_valid")),
        sa.CheckConstraint("search_asked IN (0, 1)", name=op.f("ck_answer_sample_search_asked")),
        sa.CheckConstraint("searched IN (0, 1)", name=op.f("ck_answer_sample_searched")),
        sa.CheckConstraint("truncated IN (0, 1)", name=op.f("ck_answer_sample_truncated")),
        sa.PrimaryKeyConstraint("sub_task_id", name=op.f("pk_answer_sample")),
        **TABLE,
    )
    op.create_index(op.f("ix_answer_sample_batch_id"), "answer_sample", ["batch_id"], unique=False)
    op.create_index(
        op.f("ix_answer_sample_brand_name_scene_type"), "answer_sample", ["brand_name", "scene_type"], unique=False
    )
    op.create_index(op.f("ix_answer_sample_question_id_round"), "answer_sample", ["question_id", "round"], unique=False)
    op.create_table(
        "audit_event",
        sa.Column("audit_id", Serial, nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("actor", Key, nullable=False),
        sa.Column("action", Word, nullable=False),
        sa.Column("subject", Key, nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("audit_id", name=op.f("pk_audit_event")),
        **TABLE,
    )
    op.create_table(
        "brand",
        sa.Column("brand_id", Key, nullable=False),
        sa.Column("standard_name", Key, nullable=False),
        sa.Column("name_key", Key, nullable=False),
        sa.Column("role", Word, nullable=False),
        sa.Column("is_active", Flag, nullable=False),
        sa.Column("domains", sa.JSON(), nullable=False),
        sa.CheckConstraint("is_active IN (0, 1)", name=op.f("ck_brand_is_active")),
        sa.PrimaryKeyConstraint("brand_id", name=op.f("pk_brand")),
        sa.UniqueConstraint("name_key", name=op.f("uq_brand_name_key")),
        sa.UniqueConstraint("standard_name", name=op.f("uq_brand_standard_name")),
        **TABLE,
    )
    op.create_table(
        "brand_alias",
        sa.Column("brand_id", Key, nullable=False),
        sa.Column("alias", Key, nullable=False),
        sa.Column("kind", Word, nullable=False),
        sa.Column("match_mode", Word, nullable=False),
        sa.Column("is_active", Flag, nullable=False),
        sa.CheckConstraint("is_active IN (0, 1)", name=op.f("ck_brand_alias_is_active")),
        sa.PrimaryKeyConstraint("brand_id", "alias", name=op.f("pk_brand_alias")),
        **TABLE,
    )
    op.create_table(
        "brand_result",
        sa.Column("clean_task_id", Key, nullable=False),
        sa.Column("brand_name", Key, nullable=False),
        sa.Column("source_task_id", Key, nullable=False),
        sa.Column("batch_id", Key, nullable=False),
        sa.Column("platform", Key, nullable=False),
        sa.Column("scene_type", Word, nullable=False),
        sa.Column("is_mentioned", sa.Integer(), nullable=False),
        sa.Column("mention_count", sa.Integer(), nullable=False),
        sa.Column("is_recommended", sa.Integer(), nullable=True),
        sa.Column("polarity", Word, nullable=True),
        sa.Column("recommendation_rank", sa.Integer(), nullable=True),
        sa.Column("rank_basis", Word, nullable=True),
        sa.Column("is_top_pick", sa.Integer(), nullable=True),
        sa.Column("mention_order", sa.Integer(), nullable=True),
        sa.Column("own_site_cited", sa.Integer(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("clean_task_id", "brand_name", name=op.f("pk_brand_result")),
        **TABLE,
    )
    op.create_index(
        op.f("ix_brand_result_brand_name_batch_id"), "brand_result", ["brand_name", "batch_id"], unique=False
    )
    op.create_index(op.f("ix_brand_result_source_task_id"), "brand_result", ["source_task_id"], unique=False)
    op.create_table(
        "brand_result_history",
        sa.Column("clean_task_id", Key, nullable=False),
        sa.Column("brand_name", Key, nullable=False),
        sa.Column("source_task_id", Key, nullable=False),
        sa.Column("batch_id", Key, nullable=False),
        sa.Column("platform", Key, nullable=False),
        sa.Column("scene_type", Word, nullable=False),
        sa.Column("is_mentioned", sa.Integer(), nullable=False),
        sa.Column("mention_count", sa.Integer(), nullable=False),
        sa.Column("is_recommended", sa.Integer(), nullable=True),
        sa.Column("polarity", Word, nullable=True),
        sa.Column("recommendation_rank", sa.Integer(), nullable=True),
        sa.Column("rank_basis", Word, nullable=True),
        sa.Column("is_top_pick", sa.Integer(), nullable=True),
        sa.Column("mention_order", sa.Integer(), nullable=True),
        sa.Column("own_site_cited", sa.Integer(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("clean_task_id", "brand_name", name=op.f("pk_brand_result_history")),
        **TABLE,
    )
    op.create_index(
        op.f("ix_brand_result_history_source_task_id"), "brand_result_history", ["source_task_id"], unique=False
    )
    op.create_table(
        "brand_rule",
        sa.Column("rule_id", Serial, nullable=False),
        sa.Column("brand_id", Key, nullable=False),
        sa.Column("alias", Key, nullable=False),
        sa.Column("kind", Word, nullable=False),
        sa.Column("pattern", Key, nullable=False),
        sa.Column("window", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("rule_id", name=op.f("pk_brand_rule")),
        sa.UniqueConstraint(
            "brand_id", "alias", "kind", "pattern", name=op.f("uq_brand_rule_brand_id_alias_kind_pattern")
        ),
        **TABLE,
    )
    op.create_table(
        "call_attempt",
        sa.Column("sub_task_id", Key, nullable=False),
        sa.Column("attempt", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("outcome", Word, nullable=False),
        sa.Column("error_type", Word, nullable=True),
        sa.Column("error", LongText, nullable=True),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("wait_s", sa.Float(), nullable=True),
        sa.Column("wait_origin", Word, nullable=True),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("sub_task_id", "attempt", name=op.f("pk_call_attempt")),
        **TABLE,
    )
    op.create_table(
        "citation",
        sa.Column("sub_task_id", Key, nullable=False),
        sa.Column("kind", Word, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("url", LongText, nullable=False),
        sa.Column("canonical_url", LongText, nullable=False),
        sa.Column("domain", Key, nullable=False),
        sa.Column("title", LongText, nullable=True),
        sa.Column("origin", Word, nullable=False),
        sa.PrimaryKeyConstraint("sub_task_id", "kind", "position", name=op.f("pk_citation")),
        **TABLE,
    )
    op.create_table(
        "clean_attempt",
        sa.Column("clean_task_id", Key, nullable=False),
        sa.Column("attempt", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("worker", Key, nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("error", LongText, nullable=True),
        sa.PrimaryKeyConstraint("clean_task_id", "attempt", name=op.f("pk_clean_attempt")),
        **TABLE,
    )
    op.create_table(
        "clean_generation",
        sa.Column("generation", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("lexicon_version", sa.Integer(), nullable=False),
        sa.Column("cleaner_version", Word, nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("note", Short, nullable=False),
        sa.PrimaryKeyConstraint("generation", name=op.f("pk_clean_generation")),
        **TABLE,
    )
    op.create_table(
        "clean_result",
        sa.Column("clean_task_id", Key, nullable=False),
        sa.Column("source_task_id", Key, nullable=False),
        sa.Column("batch_id", Key, nullable=False),
        sa.Column("brand_name", Key, nullable=False),
        sa.Column("platform", Key, nullable=False),
        sa.Column("scene_type", Word, nullable=False),
        sa.Column("is_valid", sa.Integer(), nullable=True),
        sa.Column("invalid_reason", Word, nullable=True),
        sa.Column("invalid_note", LongText, nullable=True),
        sa.Column("truncated", sa.Integer(), nullable=True),
        sa.Column("is_mentioned", sa.Integer(), nullable=True),
        sa.Column("mention_count", sa.Integer(), nullable=True),
        sa.Column("is_recommended", sa.Integer(), nullable=True),
        sa.Column("polarity", Word, nullable=True),
        sa.Column("recommendation_rank", sa.Integer(), nullable=True),
        sa.Column("rank_basis", Word, nullable=True),
        sa.Column("is_top_pick", sa.Integer(), nullable=True),
        sa.Column("mention_order", sa.Integer(), nullable=True),
        sa.Column("has_citation", sa.Integer(), nullable=True),
        sa.Column("own_site_cited", sa.Integer(), nullable=True),
        sa.Column("clean_state", Word, nullable=False),
        sa.Column("raw_data_url", LongText, nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("lexicon_version", sa.Integer(), nullable=False),
        sa.Column("cleaner_version", Word, nullable=False),
        sa.Column("cleaned_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("clean_task_id", name=op.f("pk_clean_result")),
        sa.UniqueConstraint("source_task_id", name=op.f("uq_clean_result_source_task_id")),
        **TABLE,
    )
    op.create_index(op.f("ix_clean_result_batch_id"), "clean_result", ["batch_id"], unique=False)
    op.create_index(
        op.f("ix_clean_result_brand_name_scene_type"), "clean_result", ["brand_name", "scene_type"], unique=False
    )
    op.create_index(op.f("ix_clean_result_cleaned_at"), "clean_result", ["cleaned_at"], unique=False)
    op.create_table(
        "clean_result_history",
        sa.Column("clean_task_id", Key, nullable=False),
        sa.Column("source_task_id", Key, nullable=False),
        sa.Column("batch_id", Key, nullable=False),
        sa.Column("brand_name", Key, nullable=False),
        sa.Column("platform", Key, nullable=False),
        sa.Column("scene_type", Word, nullable=False),
        sa.Column("is_valid", sa.Integer(), nullable=True),
        sa.Column("invalid_reason", Word, nullable=True),
        sa.Column("invalid_note", LongText, nullable=True),
        sa.Column("truncated", sa.Integer(), nullable=True),
        sa.Column("is_mentioned", sa.Integer(), nullable=True),
        sa.Column("mention_count", sa.Integer(), nullable=True),
        sa.Column("is_recommended", sa.Integer(), nullable=True),
        sa.Column("polarity", Word, nullable=True),
        sa.Column("recommendation_rank", sa.Integer(), nullable=True),
        sa.Column("rank_basis", Word, nullable=True),
        sa.Column("is_top_pick", sa.Integer(), nullable=True),
        sa.Column("mention_order", sa.Integer(), nullable=True),
        sa.Column("has_citation", sa.Integer(), nullable=True),
        sa.Column("own_site_cited", sa.Integer(), nullable=True),
        sa.Column("clean_state", Word, nullable=False),
        sa.Column("raw_data_url", LongText, nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("lexicon_version", sa.Integer(), nullable=False),
        sa.Column("cleaner_version", Word, nullable=False),
        sa.Column("cleaned_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("clean_task_id", name=op.f("pk_clean_result_history")),
        **TABLE,
    )
    op.create_index(
        op.f("ix_clean_result_history_source_task_id"), "clean_result_history", ["source_task_id"], unique=False
    )
    op.create_table(
        "clean_state",
        sa.Column("clean_task_id", Key, nullable=False),
        sa.Column("source_task_id", Key, nullable=False),
        sa.Column("batch_id", Key, nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("current_state", Word, nullable=False),
        sa.Column("state_history", sa.JSON(), nullable=False),
        sa.Column("retry_count", sa.Integer(), nullable=False),
        sa.Column("last_error", LongText, nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("clean_task_id", name=op.f("pk_clean_state")),
        **TABLE,
    )
    op.create_index(op.f("ix_clean_state_batch_id"), "clean_state", ["batch_id"], unique=False)
    op.create_index(op.f("ix_clean_state_current_state"), "clean_state", ["current_state"], unique=False)
    op.create_index(op.f("ix_clean_state_source_task_id"), "clean_state", ["source_task_id"], unique=False)
    op.create_table(
        "dead_letter",
        sa.Column("dead_id", Serial, nullable=False),
        sa.Column("queue", Word, nullable=False),
        sa.Column("task_id", Key, nullable=False),
        sa.Column("group_id", Key, nullable=False),
        sa.Column("lane", Key, nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("error_type", Word, nullable=False),
        sa.Column("error", LongText, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("failed_at", UtcDateTime(), nullable=False),
        sa.Column("replayed_at", UtcDateTime(), nullable=True),
        sa.Column("replayed_by", Key, nullable=True),
        sa.PrimaryKeyConstraint("dead_id", name=op.f("pk_dead_letter")),
        **TABLE,
    )
    op.create_index(op.f("ix_dead_letter_queue_task_id"), "dead_letter", ["queue", "task_id"], unique=False)
    op.create_table(
        "entity_match_detail",
        sa.Column("match_id", Serial, nullable=False),
        sa.Column("clean_task_id", Key, nullable=False),
        sa.Column("standard_name", Key, nullable=False),
        sa.Column("matched_alias", Key, nullable=False),
        sa.Column("match_position", sa.Integer(), nullable=False),
        sa.Column("match_length", sa.Integer(), nullable=False),
        sa.Column("is_valid_match", Flag, nullable=False),
        sa.Column("reason", Key, nullable=False),
        sa.Column("covered_by", LongText, nullable=True),
        sa.Column("region", Word, nullable=False),
        sa.Column("via", Word, nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("is_valid_match IN (0, 1)", name=op.f("ck_entity_match_detail_is_valid_match")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_entity_match_detail")),
        sa.UniqueConstraint(
            "clean_task_id",
            "standard_name",
            "match_position",
            "matched_alias",
            name=op.f("uq_entity_match_detail_place"),
        ),
        **TABLE,
    )
    op.create_index(
        op.f("ix_entity_match_detail_clean_task_id"), "entity_match_detail", ["clean_task_id"], unique=False
    )
    op.create_table(
        "late_sample",
        sa.Column("sub_task_id", Key, nullable=False),
        sa.Column("attempt", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("batch_id", Key, nullable=False),
        sa.Column("platform", Key, nullable=False),
        sa.Column("raw_response", LongText, nullable=False),
        sa.Column("raw_data_url", LongText, nullable=True),
        sa.Column("raw_sha256", Word, nullable=True),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("received_at", UtcDateTime(), nullable=False),
        sa.Column("why", Short, nullable=False),
        sa.PrimaryKeyConstraint("sub_task_id", "attempt", name=op.f("pk_late_sample")),
        **TABLE,
    )
    op.create_index(op.f("ix_late_sample_batch_id"), "late_sample", ["batch_id"], unique=False)
    op.create_table(
        "lexicon_version",
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("content_hash", Word, nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("changed_by", Key, nullable=False),
        sa.Column("note", Short, nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_lexicon_version")),
        **TABLE,
    )
    op.create_table(
        "mark",
        sa.Column("name", Word, nullable=False),
        sa.Column("value_us", Micros, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_mark")),
        **TABLE,
    )
    op.create_table(
        "question_bank",
        sa.Column("question_id", Key, nullable=False),
        sa.Column("scene_type", Word, nullable=False),
        sa.Column("query_text", LongText, nullable=False),
        sa.Column("target_keywords", sa.JSON(), nullable=False),
        sa.Column("intent_description", LongText, nullable=False),
        sa.Column("is_active", Flag, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("is_active IN (0, 1)", name=op.f("ck_question_bank_is_active")),
        sa.PrimaryKeyConstraint("question_id", name=op.f("pk_question_bank")),
        **TABLE,
    )
    op.create_index(
        op.f("ix_question_bank_scene_type_is_active"), "question_bank", ["scene_type", "is_active"], unique=False
    )
    op.create_table(
        "question_usage_log",
        sa.Column("sub_task_id", Key, nullable=False),
        sa.Column("question_id", Key, nullable=False),
        sa.Column("question_version", sa.Integer(), nullable=False),
        sa.Column("batch_id", Key, nullable=False),
        sa.Column("platform", Key, nullable=False),
        sa.Column("scene_type", Word, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("status", Word, nullable=False),
        sa.Column("error_type", Word, nullable=True),
        sa.Column("error", LongText, nullable=True),
        sa.Column("retry_count", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("sub_task_id", name=op.f("pk_question_usage_log")),
        **TABLE,
    )
    op.create_index(op.f("ix_question_usage_log_batch_id"), "question_usage_log", ["batch_id"], unique=False)
    op.create_index(op.f("ix_question_usage_log_question_id"), "question_usage_log", ["question_id"], unique=False)
    op.create_table(
        "question_version",
        sa.Column("question_id", Key, nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("query_text", LongText, nullable=False),
        sa.Column("scene_type", Word, nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.Column("changed_by", Key, nullable=False),
        sa.Column("note", Short, nullable=False),
        sa.PrimaryKeyConstraint("question_id", "version", name=op.f("pk_question_version")),
        **TABLE,
    )
    op.create_table(
        "task_batch",
        sa.Column("batch_id", Key, nullable=False),
        sa.Column("brand_name", Key, nullable=False),
        sa.Column("scene_types", sa.JSON(), nullable=False),
        sa.Column("platforms", sa.JSON(), nullable=False),
        sa.Column("total_questions", sa.Integer(), nullable=False),
        sa.Column("total_sub_tasks", sa.Integer(), nullable=False),
        sa.Column("completed_sub_tasks", sa.Integer(), nullable=False),
        sa.Column("failed_sub_tasks", sa.Integer(), nullable=False),
        sa.Column("batch_status", Word, nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("completed_at", UtcDateTime(), nullable=True),
        sa.Column("paused_at", UtcDateTime(), nullable=True),
        sa.Column("group_id", Key, nullable=False),
        sa.Column("parent_batch_id", Key, nullable=True),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("timeout_s", sa.Float(), nullable=False),
        sa.Column("origin", Word, nullable=False),
        sa.Column("idempotency_key", Key, nullable=True),
        sa.Column("file_sha256", Word, nullable=True),
        sa.PrimaryKeyConstraint("batch_id", name=op.f("pk_task_batch")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_task_batch_idempotency_key")),
        **TABLE,
    )
    op.create_index(op.f("ix_task_batch_batch_status"), "task_batch", ["batch_status"], unique=False)
    op.create_index(op.f("ix_task_batch_brand_name"), "task_batch", ["brand_name"], unique=False)
    op.create_index(op.f("ix_task_batch_created_at"), "task_batch", ["created_at"], unique=False)
    op.create_index(op.f("ix_task_batch_group_id"), "task_batch", ["group_id"], unique=False)
    op.create_table(
        "work_group",
        sa.Column("queue", Word, nullable=False),
        sa.Column("group_id", Key, nullable=False),
        sa.Column("brand_name", Key, nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("ord", Micros, nullable=False),
        sa.Column("held", Flag, nullable=False),
        sa.Column("budget_us", Micros, nullable=True),
        sa.Column("started_us", Micros, nullable=True),
        sa.Column("deadline_us", Micros, nullable=True),
        sa.Column("idle_since_us", Micros, nullable=True),
        sa.CheckConstraint("held IN (0, 1)", name=op.f("ck_work_group_held")),
        sa.PrimaryKeyConstraint("queue", "group_id", name=op.f("pk_work_group")),
        **TABLE,
    )
    op.create_table(
        "work_lane",
        sa.Column("lane", Key, nullable=False),
        sa.Column("rate", sa.Float(), nullable=True),
        sa.Column("capacity", sa.Integer(), nullable=True),
        sa.Column("in_flight", sa.Integer(), nullable=True),
        sa.Column("tat_us", Micros, nullable=False),
        sa.Column("factor", sa.Float(), nullable=False),
        sa.Column("cut_us", Micros, nullable=False),
        sa.Column("blocked_us", Micros, nullable=False),
        sa.Column("window_us", Micros, nullable=False),
        sa.Column("window_calls", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("breaker", Word, nullable=False),
        sa.Column("breaker_reason", LongText, nullable=True),
        sa.Column("breaker_us", Micros, nullable=False),
        sa.Column("openings", sa.Integer(), nullable=False),
        sa.Column("answer_us", Micros, nullable=True),
        sa.PrimaryKeyConstraint("lane", name=op.f("pk_work_lane")),
        **TABLE,
    )
    op.create_table(
        "work_pile",
        sa.Column("pile_id", Serial, nullable=False),
        sa.Column("queue", Word, nullable=False),
        sa.Column("group_id", Key, nullable=False),
        sa.Column("lane", Key, nullable=False),
        sa.PrimaryKeyConstraint("pile_id", name=op.f("pk_work_pile")),
        sa.UniqueConstraint("queue", "group_id", "lane", name=op.f("uq_work_pile_queue_group_id_lane")),
        **TABLE,
    )
    op.create_index(op.f("ix_work_pile_lane"), "work_pile", ["lane"], unique=False)
    op.create_table(
        "work_task",
        sa.Column("task_id", Key, nullable=False),
        sa.Column("pile_id", Serial, nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.Column("due_us", Micros, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("step", sa.SmallInteger(), nullable=False),
        sa.Column("token", Word, nullable=True),
        sa.Column("worker_id", Key, nullable=True),
        sa.Column("lease_us", Micros, nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("interruptions", sa.Integer(), nullable=False),
        sa.Column("crashes", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_work_task")),
        sqlite_with_rowid=False,
        **TABLE,
    )
    op.create_index(
        op.f("ix_work_task_pile_id_state_due_us_seq"), "work_task", ["pile_id", "state", "due_us", "seq"], unique=False
    )
    op.create_table(
        "worker",
        sa.Column("worker_id", Key, nullable=False),
        sa.Column("host", Key, nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("lock_path", LongText, nullable=False),
        sa.Column("started_us", Micros, nullable=False),
        sa.Column("seen_us", Micros, nullable=False),
        sa.PrimaryKeyConstraint("worker_id", name=op.f("pk_worker")),
        **TABLE,
    )
    op.execute(ANSWER_METRIC)


def downgrade() -> None:
    """Remove all tables and views."""
    op.execute("DROP VIEW answer_metric")
    op.drop_table("worker")
    op.drop_table("work_task")
    op.drop_table("work_pile")
    op.drop_table("work_lane")
    op.drop_table("work_group")
    op.drop_table("task_batch")
    op.drop_table("question_version")
    op.drop_table("question_usage_log")
    op.drop_table("question_bank")
    op.drop_table("mark")
    op.drop_table("lexicon_version")
    op.drop_table("late_sample")
    op.drop_table("entity_match_detail")
    op.drop_table("dead_letter")
    op.drop_table("clean_state")
    op.drop_table("clean_result_history")
    op.drop_table("clean_result")
    op.drop_table("clean_generation")
    op.drop_table("clean_attempt")
    op.drop_table("citation")
    op.drop_table("call_attempt")
    op.drop_table("brand_rule")
    op.drop_table("brand_result_history")
    op.drop_table("brand_result")
    op.drop_table("brand_alias")
    op.drop_table("brand")
    op.drop_table("audit_event")
    op.drop_table("answer_sample")
    op.drop_table("alert")
