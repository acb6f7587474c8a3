"""Batches move between statuses as docs/states.md draws it, and in no other way."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import select, update

from answerwatch.domain.batches import BatchStatus, Outcomes, SubTask, UsageStatus, expand
from answerwatch.domain.questions import Question
from answerwatch.stages.collect.ending import cancel_batch, revive_sub_tasks
from answerwatch.store.bank import questions
from answerwatch.store.batch import batches, moves, sub_tasks
from answerwatch.store.database import Store, Write
from answerwatch.store.schema import question_usage_log, task_batch
from scripts.states_page import BATCH_EDGES

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BATCH = "B1"
QUESTION = Question(question_id="Q1", scene_type="RECOMMEND", query_text="推荐一款手机")


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """A database with one batch of two sub-tasks."""
    made = Store(database_url)
    with made.writing() as tx:
        questions.add(tx, [QUESTION], by="test", now=NOW)
        batches.add(tx, _batch())
        assert len(list(sub_tasks.add(tx, BATCH, _sub_tasks(), NOW))) == 2
    yield made
    made.close()


def _batch() -> batches.Batch:
    return batches.Batch(
        batch_id=BATCH, brand_name="A", scene_types=("RECOMMEND",), platforms=("sim",), total_questions=1,
        total_sub_tasks=2, created_at=NOW, group_id=BATCH, rounds=2, timeout_s=1800.0,
    )  # fmt: skip


def _sub_tasks() -> list[SubTask]:
    return list(expand(BATCH, [QUESTION], ["sim"], 2))


def put(tx: Write, status: BatchStatus, failed: int) -> None:
    """Put the batch into a status with its second sub-task open, or failed where the batch ended with failures."""
    values = {"batch_status": status, "completed_sub_tasks": 1, "failed_sub_tasks": failed}
    tx.run(update(task_batch).values(values))
    last = UsageStatus.FAILED if failed else UsageStatus.PENDING
    tx.run(update(question_usage_log).where(question_usage_log.c.round == 2).values(status=last))


def first_call(tx: Write) -> None:
    moves.start(tx, [BATCH], NOW)


def last_answer(tx: Write) -> None:
    if _status(tx) is BatchStatus.RUNNING:  # an outcome without a call before it cannot be
        moves.add_outcomes(tx, {BATCH: Outcomes(completed=1)}, NOW)


def last_failure(tx: Write) -> None:
    if _status(tx) is BatchStatus.RUNNING:
        moves.add_outcomes(tx, {BATCH: Outcomes(failed=1)}, NOW)


def cancelled(tx: Write) -> None:
    cancel_batch(tx, BATCH, NOW)


def replayed(tx: Write) -> None:
    revive_sub_tasks(tx, [one.sub_task_id for one in _sub_tasks()], lambda platform: f"collect/{platform}")


VERBS: list[Callable[[Write], None]] = [first_call, last_answer, last_failure, cancelled, replayed]
STARTS = [
    (BatchStatus.PENDING, 0),
    (BatchStatus.RUNNING, 0),
    (BatchStatus.COMPLETED, 0),
    (BatchStatus.PARTIAL, 1),
    (BatchStatus.CANCELLED, 1),
]


def _status(tx: Write) -> BatchStatus:
    return BatchStatus(tx.scalar(select(task_batch.c.batch_status)))


def test_a_batch_makes_every_move_that_is_drawn_and_no_other(store: Store) -> None:
    moves = set()
    for start, failed in STARTS:
        for verb in VERBS:
            with store.writing() as tx:
                put(tx, start, failed)
                verb(tx)
                moves.add((start, _status(tx)))

    assert {move for move in moves if move[0] != move[1]} == {(start, to) for start, to, _ in BATCH_EDGES}


def test_failures_of_a_cancelled_batch_stay_failed(store: Store) -> None:
    ids = [one.sub_task_id for one in _sub_tasks()]
    with store.writing() as tx:
        put(tx, BatchStatus.CANCELLED, 1)

        assert revive_sub_tasks(tx, ids, lambda platform: f"collect/{platform}") == []

        statuses = {row.status for row in tx.all(select(question_usage_log.c.status))}
    assert statuses == {UsageStatus.PENDING, UsageStatus.FAILED}
