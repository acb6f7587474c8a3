"""Which sub-tasks stand for an answer that another row stands for too: failed, and asked again by a child batch."""

from __future__ import annotations

from sqlalchemy import ColumnElement, exists

from answerwatch.domain.batches import UsageStatus
from answerwatch.store.schema.batch import question_usage_log as usage
from answerwatch.store.schema.batch import task_batch

_again = usage.alias("again")
_child = task_batch.alias("child")

ASKED_AGAIN: ColumnElement[bool] = (
    exists()
    .where(_child.c.parent_batch_id == usage.c.batch_id)
    .where(_again.c.batch_id == _child.c.batch_id, _again.c.status != UsageStatus.CANCELLED)
    .where(_again.c.question_id == usage.c.question_id)
    .where(_again.c.platform == usage.c.platform, _again.c.round == usage.c.round)
)
"""A child batch of the sub-task's batch asks the same."""

PLANNED_ELSEWHERE: ColumnElement[bool] = ((usage.c.status == UsageStatus.FAILED) & ASKED_AGAIN) | (
    (usage.c.status == UsageStatus.CANCELLED)
    & exists().where(_child.c.batch_id == usage.c.batch_id, _child.c.parent_batch_id.is_not(None))
)
"""Another row stands for the same planned answer: the child's that asks again, the parent's when that was cancelled."""
