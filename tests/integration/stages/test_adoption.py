"""An answer that was received is never paid for twice."""

from dataclasses import replace

from answerwatch.domain.work import COLLECT, Done, HandedBack, Why
from answerwatch.simulator import SimulatorThread
from answerwatch.stages.collect.records import Call
from answerwatch.store.objects import raw_key
from answerwatch.store.schema import answer_sample, call_attempt, late_sample, question_usage_log
from tests.integration.stages.canned import Canned, chat_body, perform, settle, take
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import questions


def test_an_answer_that_was_kept_but_not_stored_is_adopted_without_a_second_request(
    make_line: MakeLine, simulator: SimulatorThread
) -> None:
    line = make_line()
    line.add_batch("B1", questions(2))
    platform = Canned(lambda question: chat_body(f"答：{question}砚山咖啡"))
    claims = take(line, COLLECT, lease_s=0)
    perform(line, line.collect_stage(platform), claims)
    assert line.rows(answer_sample) == []
    line.run()
    assert simulator.calls() == []
    assert len(platform.calls) == 2
    samples = line.rows(answer_sample)
    assert [sample["attempt"] for sample in samples] == [1, 1]
    assert all(sample["raw_response"].startswith("答：") for sample in samples)
    rows = line.rows(call_attempt)
    assert [(row["attempt"], row["outcome"]) for row in rows] == [(1, "answered")] * 2
    assert {row["retry_count"] for row in line.rows(question_usage_log)} == {0}


def test_a_kept_answer_that_is_damaged_is_asked_for_again(make_line: MakeLine, simulator: SimulatorThread) -> None:
    line = make_line()
    (sub_task,) = line.add_batch("B1", questions(1))
    take(line, COLLECT, lease_s=0)
    line.objects.put(raw_key("B1", sub_task.sub_task_id, 1), b"not what was put there")
    line.run()
    assert len(simulator.calls()) == 1
    (sample,) = line.rows(answer_sample)
    assert sample["attempt"] == 2


def test_the_answer_of_an_attempt_noted_as_interrupted_is_adopted_too(
    make_line: MakeLine, simulator: SimulatorThread
) -> None:
    line = make_line()
    line.add_batch("B1", questions(1))
    stage = line.collect_stage(Canned(lambda question: chat_body(f"{question}砚山咖啡")))
    claims = take(line, COLLECT)
    (done,) = perform(line, stage, claims)
    settle(line, stage, [interrupted(done)])
    assert line.count(call_attempt, "outcome") == {"interrupted": 1}
    line.run()
    assert simulator.calls() == []
    assert line.count(call_attempt, "outcome") == {"answered": 1}


def test_the_late_twin_of_an_adopted_answer_is_not_kept_again(make_line: MakeLine) -> None:
    line = make_line()
    line.add_batch("B1", questions(1))
    stage = line.collect_stage(Canned(lambda question: chat_body(f"{question}砚山咖啡")))
    outcomes = perform(line, stage, take(line, COLLECT, lease_s=0))
    line.run()
    settle(line, stage, outcomes)
    assert line.rows(late_sample) == []
    assert line.count(call_attempt, "outcome") == {"answered": 1}


def test_a_late_answer_of_a_sub_task_without_an_outcome_is_adopted_and_late_no_more(
    make_line: MakeLine, simulator: SimulatorThread
) -> None:
    line = make_line()
    line.add_batch("B1", questions(1))
    stage = line.collect_stage(Canned(lambda question: chat_body(f"{question}砚山咖啡")))
    (done,) = perform(line, stage, take(line, COLLECT, lease_s=0))
    settle(line, stage, [overtaken(done)])
    assert line.count(late_sample, "attempt") == {1: 1}
    line.run()
    assert simulator.calls() == []
    assert line.count(call_attempt, "outcome") == {"answered": 1}
    assert line.rows(late_sample) == []


def test_an_answer_adopted_while_its_first_worker_told_it_late_is_kept_once(make_line: MakeLine) -> None:
    line = make_line()
    line.add_batch("B1", questions(1))
    stage = line.collect_stage(Canned(lambda question: chat_body(f"{question}砚山咖啡")))
    (claim,) = take(line, COLLECT)
    (first,) = perform(line, stage, [claim])
    adopted = perform(line, stage, [claim._replace(interruptions=1)])
    settle(line, stage, [overtaken(first)])
    settle(line, stage, adopted)
    assert line.count(answer_sample, "attempt") == {1: 1}
    assert line.rows(late_sample) == []


def overtaken(outcome: object) -> Done[Call]:
    """Return what a worker delivers that lost its claim while the platform answered."""
    assert isinstance(outcome, Done)
    return replace(outcome, claim=outcome.claim._replace(token="given up"))


def interrupted(outcome: object) -> HandedBack[Call]:
    """Return what is delivered when a call is cancelled just after its answer was kept."""
    assert isinstance(outcome, Done)
    return HandedBack(claim=outcome.claim, why=Why.STOPPED, value=replace(outcome.value, sample=None))
