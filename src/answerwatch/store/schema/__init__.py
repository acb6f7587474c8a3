"""All tables, by subject. Names of tables and columns are contract (docs/data-dictionary.md)."""

from answerwatch.store.schema.bank import (
    brand,
    brand_alias,
    brand_rule,
    lexicon_version,
    question_bank,
    question_version,
)
from answerwatch.store.schema.base import metadata
from answerwatch.store.schema.batch import call_attempt, question_usage_log, task_batch
from answerwatch.store.schema.candidates import ignored_name, name_candidate, name_candidate_answer
from answerwatch.store.schema.clean import (
    brand_result,
    brand_result_history,
    clean_attempt,
    clean_generation,
    clean_result,
    clean_result_history,
    clean_state,
    correction,
    entity_match_detail,
)
from answerwatch.store.schema.ops import alert, audit_event, dead_letter, mark
from answerwatch.store.schema.sample import answer_sample, citation, imported_answer, late_sample
from answerwatch.store.schema.similarity import (
    answer_relevance,
    scorer_memory,
    similarity_block,
    similarity_calibration,
    similarity_error,
    similarity_job,
    similarity_lines,
    similarity_rerank,
    similarity_score,
    similarity_text,
    similarity_unit,
    similarity_vector,
)
from answerwatch.store.schema.views import VIEWS, answer_metric
from answerwatch.store.schema.work import work_group, work_lane, work_pile, work_task, worker

__all__ = [
    "VIEWS",
    "alert",
    "answer_metric",
    "answer_relevance",
    "answer_sample",
    "audit_event",
    "brand",
    "brand_alias",
    "brand_result",
    "brand_result_history",
    "brand_rule",
    "call_attempt",
    "citation",
    "clean_attempt",
    "clean_generation",
    "clean_result",
    "clean_result_history",
    "clean_state",
    "correction",
    "dead_letter",
    "entity_match_detail",
    "ignored_name",
    "imported_answer",
    "late_sample",
    "lexicon_version",
    "mark",
    "metadata",
    "name_candidate",
    "name_candidate_answer",
    "question_bank",
    "question_usage_log",
    "question_version",
    "scorer_memory",
    "similarity_block",
    "similarity_calibration",
    "similarity_error",
    "similarity_job",
    "similarity_lines",
    "similarity_rerank",
    "similarity_score",
    "similarity_text",
    "similarity_unit",
    "similarity_vector",
    "task_batch",
    "work_group",
    "work_lane",
    "work_pile",
    "work_task",
    "worker",
]
