"""Views: facts that are shown under another name, never computed twice."""

from __future__ import annotations

from sqlalchemy import Column, Integer, MetaData, Table

from answerwatch.store.types import Key, UtcDateTime, Word

VIEWS: dict[str, str] = {
    "answer_metric": """
        SELECT s.sub_task_id, s.batch_id, s.brand_name, s.platform, s.scene_type, s.question_id, s.round,
               r.is_valid, r.is_mentioned, r.is_recommended, r.recommendation_rank, r.has_citation,
               s.collected_at AS created_at
        FROM answer_sample s LEFT JOIN clean_result r ON r.source_task_id = s.sub_task_id
    """,
}
"""Name and query of every view. A sample that is not cleaned yet is a row whose metrics are NULL."""

answer_metric = Table(
    "answer_metric",
    MetaData(),  # not of the shared MetaData: create_all must not make a table of it
    Column("sub_task_id", Key),
    Column("batch_id", Key),
    Column("brand_name", Key),
    Column("platform", Key),
    Column("scene_type", Word),
    Column("question_id", Key),
    Column("round", Integer),
    Column("is_valid", Integer),
    Column("is_mentioned", Integer),
    Column("is_recommended", Integer),
    Column("recommendation_rank", Integer),
    Column("has_citation", Integer),
    Column("created_at", UtcDateTime),
)
