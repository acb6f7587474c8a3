"""Collection over real HTTP, fault by fault: what is stored, counted, retried, parked."""

import gzip
import hashlib
from datetime import UTC, datetime

import pytest

from answerwatch.domain import limits
from answerwatch.domain.work import COLLECT
from answerwatch.errors import StoreFull
from answerwatch.platforms.envelope import decode
from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.stages.collect.ending import cancel_batch
from answerwatch.store.batch import counters
from answerwatch.store.objects import LocalObjects, key_of
from answerwatch.store.schema import (
    alert,
    answer_sample,
    call_attempt,
    clean_state,
    dead_letter,
    late_sample,
    question_usage_log,
    task_batch,
)
from answerwatch.store.work import lanes
from tests.integration.stages.canned import Canned, chat_body, perform, settle, take
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import Line, questions


def batch_of(line: Line) -> dict[str, object]:
    """The only batch, after checking that its counters are those of its rows."""
    (row,) = line.rows(task_batch)
    with line.store.reading() as tx:
        recount = counters.recount(tx, row["batch_id"])
    assert recount is not None
    assert recount.exact, recount
    return row


def test_an_answer_is_stored_with_its_evidence_and_handed_to_cleaning(make_line: MakeLine) -> None:
    line = make_line()
    line.add_batch("B1", questions(3), rounds=2)
    line.run("collect", until=lambda: line.count(question_usage_log, "status") == {"success": 6})
    assert batch_of(line)["batch_status"] == "completed"
    assert line.count(clean_state, "current_state") == {"pending": 6}
    for sample in line.rows(answer_sample):
        payload = line.objects.get(key_of(sample["raw_data_url"], line.objects.url("")))
        envelope = decode(payload)
        assert envelope.sub_task_id == sample["sub_task_id"]
        assert sample["raw_sha256"] == envelope.raw_sha256 == hashlib.sha256(envelope.reply.body).hexdigest()
        assert sample["raw_size"] == len(payload)
        assert sample["raw_response"] in gzip.decompress(payload).decode("utf-8", "replace").replace("\\n", "\n")
        assert sample["response_length"] == len(sample["raw_response"])
        assert (sample["model_asked"], sample["finish_reason"]) == ("sim-answer", "stop")


@pytest.mark.parametrize(
    ("script", "error_type"),
    [
        ("sequence: [429, 429, ok]", "rate_limited"),
        ("sequence: [500, 503, ok]", None),
        ("sequence: [html_200, truncated_json_honest, ok]", "bad_reply"),
        ("sequence: [reset_before, reset_mid, ok]", "connection"),
    ],
)
def test_temporary_failures_are_retried_and_counted(make_line: MakeLine, script: str, error_type: str | None) -> None:
    line = make_line(script)
    line.add_batch("B1", questions(2))
    line.run()
    assert batch_of(line)["batch_status"] == "completed"
    assert line.count(call_attempt, "outcome") == {"failed": 4, "answered": 2}
    for row in line.rows(question_usage_log):
        assert (row["status"], row["retry_count"], row["error_type"], row["error"]) == ("success", 2, None, None)
    failed = line.rows(call_attempt, outcome="failed")
    assert all(row["wait_s"] is not None and row["wait_origin"] for row in failed)
    if error_type is not None:
        assert {row["error_type"] for row in failed} == {error_type}


def test_a_silent_platform_times_out_and_fails_after_its_retries(make_line: MakeLine) -> None:
    line = make_line("faults: {hang: 1}", deadline_s=0.2)
    line.add_batch("B1", questions(1))
    line.run()
    assert batch_of(line)["batch_status"] == "partial"
    assert [row["error_type"] for row in line.rows(call_attempt)] == ["timeout"] * 4
    (letter,) = line.rows(dead_letter)
    assert (letter["error_type"], letter["attempts"]) == ("timeout", 4)
    kinds = set(line.count(alert, "kind"))
    assert kinds == {"batch_partial", "permanent_failures"}


def test_a_bad_request_is_dead_at_once_and_stops_nothing_else(make_line: MakeLine) -> None:
    line = make_line("per_question: {第1个: e422}")
    line.add_batch("B1", questions(3))
    line.run()
    batch = batch_of(line)
    assert (batch["batch_status"], batch["completed_sub_tasks"], batch["failed_sub_tasks"]) == ("partial", 2, 1)
    (failed,) = line.rows(question_usage_log, status="failed")
    assert failed["error_type"] == "bad_request"
    assert failed["error"]
    assert len(line.rows(dead_letter)) == 1
    assert len(line.rows(call_attempt)) == 3


@pytest.mark.parametrize(("fault", "error_type"), [("e401", "bad_key"), ("e402", "no_balance")])
def test_trouble_with_key_or_account_parks_and_spends_no_retry(
    make_line: MakeLine, simulator: SimulatorThread, fault: str, error_type: str
) -> None:
    line = make_line(f"faults: {{{fault}: 1}}")
    line.add_batch("B1", questions(5))
    line.run("collect", until=line.is_parked)
    rows = line.rows(question_usage_log)
    assert {(row["status"], row["retry_count"]) for row in rows} == {("pending", 0)}
    assert not line.rows(dead_letter)
    assert {row["error_type"] for row in line.rows(call_attempt)} == {error_type}
    (told,) = line.rows(alert)
    assert (told["kind"], told["subject"]) == ("lane_parked", "collect/sim")
    simulator.use(parse_script("{seed: 1, latency: 0}"))
    unpark(line)
    line.run()
    assert batch_of(line)["batch_status"] == "completed"


def unpark(line: Line) -> None:
    """Do what a person does after putting the trouble right."""
    with line.store.writing() as tx:
        state = lanes.lock(tx, "collect/sim")
        assert state is not None
        lanes.save(tx, limits.unpark(state, tx.now_us()))


def test_an_empty_answer_is_tried_twice_more_and_then_stored_as_empty(make_line: MakeLine) -> None:
    line = make_line("faults: {empty: 1}")
    line.add_batch("B1", questions(1))
    line.run()
    assert batch_of(line)["batch_status"] == "completed"
    assert [row["outcome"] for row in line.rows(call_attempt)] == ["failed", "failed", "answered"]
    (sample,) = line.rows(answer_sample)
    assert (sample["raw_response"].strip(), sample["attempt"], sample["is_valid"]) == ("", 3, 0)
    assert sample["invalid_reason"] == "empty"


def test_a_very_long_answer_is_stored_whole(make_line: MakeLine) -> None:
    line = make_line('faults: {"huge:0.3": 1}')
    line.add_batch("B1", questions(1))
    line.run()
    (sample,) = line.rows(answer_sample)
    assert sample["response_length"] == len(sample["raw_response"]) > 90_000
    assert line.count(clean_state, "current_state") == {"completed": 1}


def test_a_missing_key_parks_before_anything_is_sent(make_line: MakeLine, simulator: SimulatorThread) -> None:
    line = make_line(key_env="SIM_KEY")
    line.add_batch("B1", questions(3))
    line.run("collect", until=line.is_parked)
    assert simulator.calls() == []
    assert line.rows(call_attempt) == []
    (told,) = line.rows(alert)
    assert "SIM_KEY" in told["message"]
    assert "our own set-up" not in told["message"]
    line.environ = {"SIM_KEY": "sk-test-1"}
    unpark(line)
    line.run()
    assert batch_of(line)["batch_status"] == "completed"


def test_nothing_more_is_paid_for_when_answers_cannot_be_kept(make_line: MakeLine, simulator: SimulatorThread) -> None:
    line = make_line()
    line.add_batch("B1", questions(8))

    class FullDisk(LocalObjects):
        """An object store on a full disk."""

        def put(self, key: str, data: bytes) -> None:
            raise StoreFull("objects_full", f"No space is left for {key} ({len(data)} bytes).")

    line.objects = FullDisk(line.folder / "full")
    with line.store.writing() as tx:
        lanes.ensure(tx, "collect/sim", rate=None, capacity=None, in_flight=1)
    line.run("collect", until=line.is_parked)
    assert len(simulator.calls()) == 1
    assert {row["status"] for row in line.rows(question_usage_log)} == {"pending"}
    (told,) = line.rows(alert)
    assert told["message"].startswith("objects_full: our own set-up, not the key: No space")


def test_a_failure_for_good_can_be_replayed_and_counts_come_out_right(
    make_line: MakeLine, simulator: SimulatorThread
) -> None:
    line = make_line("per_question: {第1个: e422}")
    line.add_batch("B1", questions(3))
    line.run()
    simulator.use(parse_script("{seed: 1, latency: 0}"))
    line.replay("collect")
    batch = batch_of(line)
    assert (batch["batch_status"], batch["completed_at"]) == ("running", None)
    line.run()
    batch = batch_of(line)
    assert (batch["batch_status"], batch["completed_sub_tasks"], batch["failed_sub_tasks"]) == ("completed", 3, 0)
    numbers = [row["attempt"] for row in line.rows(call_attempt, sub_task_id="B1_QQ001_sim_R1")]
    assert numbers == [1, 2]


def test_a_batch_whose_time_is_over_is_partial_and_late_answers_count_nowhere(make_line: MakeLine) -> None:
    line = make_line("per_question: {第1个: hang}", deadline_s=30)
    line.add_batch("B1", questions(3), timeout_s=0.7)
    line.run()
    batch = batch_of(line)
    assert (batch["batch_status"], batch["completed_sub_tasks"], batch["failed_sub_tasks"]) == ("partial", 2, 1)
    (failed,) = line.rows(question_usage_log, status="failed")
    assert failed["error_type"] == "batch_timeout"
    assert "batch_timeout" in line.count(alert, "kind")


def test_permanent_failures_of_one_kind_are_one_alert(make_line: MakeLine) -> None:
    line = make_line("faults: {e422: 1}")
    line.add_batch("B1", questions(6))
    line.run()
    permanent = line.rows(alert, kind="permanent_failures")
    assert len(permanent) == 1
    assert permanent[0]["subject"] == "collect/sim"


def test_a_cancelled_batch_keeps_its_answers_and_what_comes_later_counts_nowhere(make_line: MakeLine) -> None:
    line = make_line()
    line.add_batch("B1", questions(4))
    stage = line.collect_stage(Canned(lambda question: chat_body(f"{question} 砚山咖啡。")))
    first = perform(line, stage, take(line, COLLECT, most=2))
    settle(line, stage, first)
    on_the_way = perform(line, stage, take(line, COLLECT, most=1))
    now = datetime.now(UTC)
    assert line.store.transact(lambda tx: cancel_batch(tx, "B1", now)) == 2
    assert line.store.transact(lambda tx: cancel_batch(tx, "B1", now)) is None
    settle(line, stage, on_the_way)
    line.run()
    batch = batch_of(line)
    assert (batch["batch_status"], batch["completed_sub_tasks"], batch["failed_sub_tasks"]) == ("cancelled", 2, 0)
    assert line.count(question_usage_log, "status") == {"success": 2, "cancelled": 2}
    assert len(line.rows(answer_sample)) == 2
    assert len(line.rows(late_sample)) == 1
    assert line.count(clean_state, "current_state") == {"completed": 2}
