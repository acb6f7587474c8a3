"""Answers that were kept and paid for, whose worker died: they get an owner, and count nowhere."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from answerwatch.clock import HeldClock
from answerwatch.domain.work import COLLECT
from answerwatch.stages.collect.orphans import GRACE_S, Orphans
from answerwatch.stages.collect.stage import CollectStage
from answerwatch.store.objects import raw_key
from answerwatch.store.schema import answer_sample, call_attempt, late_sample, question_usage_log, task_batch
from tests.integration.stages.canned import Canned, chat_body, perform, take
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import Line, Surfaces, questions


def lose(line: Line, count: int, *, timeout_s: float | None = None) -> CollectStage:
    """Ask, keep, and die before anything is stored."""
    line.add_batch("B1", questions(count), timeout_s=timeout_s)
    stage = line.collect_stage(Canned(lambda question: chat_body(f"{question}砚山咖啡")))
    perform(line, stage, take(line, COLLECT, lease_s=0))
    return stage


def orphans(line: Line, *, after_s: float = GRACE_S + 60) -> Orphans:
    clock = HeldClock(datetime.now(UTC) + timedelta(seconds=after_s))
    return Orphans(Surfaces(line.surfaces), line.objects, clock)


def test_answers_of_a_batch_that_timed_out_become_late_samples(make_line: MakeLine) -> None:
    line = make_line()
    stage = lose(line, 3)
    with line.store.writing() as tx:
        stage.expired(tx, "B1")
    orphans(line).sweep(line.store)
    kept = line.rows(late_sample)
    assert [row["attempt"] for row in kept] == [1, 1, 1]
    assert all("砚山咖啡" in row["raw_response"] and row["http_status"] == 200 for row in kept)
    assert [row["raw_data_url"] for row in kept] == [
        line.objects.url(raw_key("B1", row["sub_task_id"], 1)) for row in kept
    ]
    assert line.count(call_attempt, "outcome") == {"late": 3}
    assert line.count(question_usage_log, "status") == {"failed": 3}
    assert line.rows(answer_sample) == []


def test_a_batch_is_gone_through_once_and_not_before_its_workers_had_their_time(make_line: MakeLine) -> None:
    line = make_line()
    stage = lose(line, 1)
    with line.store.writing() as tx:
        stage.expired(tx, "B1")
    orphans(line, after_s=GRACE_S - 60).sweep(line.store)
    assert line.rows(late_sample) == []
    orphans(line).sweep(line.store)
    (row,) = line.rows(late_sample)
    line.objects.put(raw_key("B1", row["sub_task_id"], 2), b"of somebody else")
    orphans(line).sweep(line.store)
    assert line.rows(late_sample) == [row]


def test_batches_that_ended_at_one_moment_are_all_gone_through(make_line: MakeLine) -> None:
    line = make_line()
    stage = lose(line, 1)
    line.add_batch("B2", questions(1))
    perform(line, stage, take(line, COLLECT, lease_s=0))
    with line.store.writing() as tx:
        stage.expired(tx, "B1")
        stage.expired(tx, "B2")
        tx.run(task_batch.update().values(completed_at=datetime.now(UTC)))
    orphans(line).sweep(line.store)
    assert {row["batch_id"] for row in line.rows(late_sample)} == {"B1", "B2"}


def test_an_object_that_cannot_be_read_is_evidence_too(make_line: MakeLine) -> None:
    line = make_line()
    stage = lose(line, 1)
    (sub_task,) = [row["sub_task_id"] for row in line.rows(question_usage_log)]
    line.objects.put(raw_key("B1", sub_task, 7), b"not what was put there")
    with line.store.writing() as tx:
        stage.expired(tx, "B1")
    assert orphans(line).adopt(line.store, "B1") == 2
    assert [(row["attempt"], row["raw_response"] == "") for row in line.rows(late_sample)] == [(1, False), (7, True)]
    assert orphans(line).adopt(line.store, "B1") == 0


def test_answers_of_outstanding_sub_tasks_are_left_to_their_next_attempt(make_line: MakeLine) -> None:
    line = make_line()
    lose(line, 1)
    assert orphans(line).adopt(line.store, "B1") == 0
    assert line.rows(late_sample) == []


def test_an_object_store_that_is_away_is_looked_at_again_later(make_line: MakeLine) -> None:
    line = make_line()
    stage = lose(line, 1)
    with line.store.writing() as tx:
        stage.expired(tx, "B1")
    gone = line.folder / "objects"
    moved = gone.rename(line.folder / "moved")
    gone.write_text("a file in the way")
    looking = orphans(line)
    looking.sweep(line.store)
    assert line.rows(late_sample) == []
    gone.unlink()
    moved.rename(gone)
    replace(looking, next_s=0.0).sweep(line.store)
    assert len(line.rows(late_sample)) == 1
