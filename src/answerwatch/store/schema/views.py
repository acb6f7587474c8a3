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
    Column("sub_task_id", Key, doc="The sample (its sub-task id)."),
    Column("batch_id", Key, doc="The batch."),
    Column("brand_name", Key, doc="Focal brand of the batch; '' where there is none."),
    Column("platform", Key, doc="Platform id."),
    Column("scene_type", Word, doc="Scene of the question."),
    Column("question_id", Key, doc="The question."),
    Column("round", Integer, doc="From 1."),
    Column("is_valid", Integer, doc="From clean_result; NULL: not cleaned yet, or cleaning failed."),
    Column("is_mentioned", Integer, doc="From clean_result; NULL as there, or not cleaned yet."),
    Column("is_recommended", Integer, doc="From clean_result; NULL as there, or not cleaned yet."),
    Column("recommendation_rank", Integer, doc="From clean_result; NULL as there, or not cleaned yet."),
    Column("has_citation", Integer, doc="From clean_result; NULL as there, or not cleaned yet."),
    Column("created_at", UtcDateTime, doc="collected_at of the sample."),
    info={"meaning": "One row for each sample with the focal brand's metrics of the current generation."},
)
