"""Acceptance cases from public reports that collection and cleaning must hold; each test is named after its case."""

import base64
import gzip
import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from answerwatch.domain.failures import Failure, Severity
from answerwatch.domain.said import Said
from answerwatch.domain.work import CLEAN, COLLECT, Claim, Done, Failed
from answerwatch.messages import Messages
from answerwatch.reading import READER_VERSION
from answerwatch.stages.clean.duties import tell_degraded
from answerwatch.stages.collect.imported import ImportBatch, ImportedAnswer, KeptFile, keep_file, store_imported
from answerwatch.stages.collect.records import LONGEST_ANSWER
from answerwatch.store.batch import counters
from answerwatch.store.objects import key_of
from answerwatch.store.schema import (
    alert,
    answer_sample,
    brand_result,
    call_attempt,
    clean_result,
    clean_state,
    dead_letter,
    entity_match_detail,
    late_sample,
    question_usage_log,
    task_batch,
)
from tests.integration.stages.canned import Canned, carry_through, chat_body, perform, settle, take
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import Line, questions

KEY = "sk-test-4f9A8c7b6D5e4f3a2b1c"


def collect_by_hand(line: Line, platform: Canned) -> None:
    """Ask what is due and store what comes."""
    stage = line.collect_stage(platform)
    settle(line, stage, perform(line, stage, take(line, COLLECT)))


def metrics_of(row: dict[str, object]) -> set[object]:
    return {row[name] for name in ("is_mentioned", "is_recommended", "recommendation_rank", "has_citation")}


def nul_rows(folder: Path) -> list[dict[str, str]]:
    file = folder / "inputs" / "rep-nul-surrogate" / "answers_nul_surrogates.jsonl"
    return [json.loads(line) for line in file.read_text("ascii").split("\n") if line]


def test_rep_nul_surrogate_collected(make_line: MakeLine, shared_data: Path) -> None:
    odd = [row["answer"] for row in nul_rows(shared_data)]
    texts = odd + ["A牌很好。"] * 14
    line = make_line()
    line.add_lexicon(2, A牌=[])
    asked = questions(20)
    line.add_batch("B1", asked)
    answers = {question.query_text: text for question, text in zip(asked, texts, strict=True)}
    platform = Canned(lambda question: chat_body(answers[question]))
    collect_by_hand(line, platform)
    line.run(CLEAN)
    (batch,) = line.rows(task_batch)
    assert (batch["batch_status"], batch["completed_sub_tasks"]) == ("completed", 20)
    samples = line.rows(answer_sample)
    assert [row["altered_characters"] for row in samples] == [1, 1, 1, 2, 1, 0] + [0] * 14
    assert [len(row["raw_response"]) for row in samples] == [len(text) for text in texts]
    assert samples[0]["raw_response"] == "推\ufffd荐A牌"
    for row, text in zip(samples, texts, strict=True):
        body = gzip.decompress(line.objects.get(key_of(row["raw_data_url"], line.objects.url("")))).split(b"\n", 1)[1]
        assert body == chat_body(text)
    places = {row["clean_task_id"]: row["match_position"] for row in line.rows(entity_match_detail)}
    assert places[f"{samples[0]['sub_task_id']}_G1"] == 3
    assert places[f"{samples[5]['sub_task_id']}_G1"] == 1


def test_rep_nul_surrogate_imported(make_line: MakeLine, shared_data: Path) -> None:
    line = make_line()
    line.add_lexicon(2, A牌=[])
    path = shared_data / "inputs" / "rep-nul-surrogate" / "answers_nul_surrogates.jsonl"
    rows = [
        ImportedAnswer(row=n, query_text=row["question"], answer=row["answer"], platform="sim-import")
        for n, row in enumerate(nul_rows(shared_data), start=1)
    ]
    kept = keep_file(line.objects, path)
    batch = import_batch(kept)
    count = line.store.transact(lambda tx: store_imported(tx, batch, rows))
    assert (count.samples, count.altered, count.questions) == (6, 5, 6)
    line.run(CLEAN)
    places = {row["clean_task_id"]: row["match_position"] for row in line.rows(entity_match_detail)}
    samples = line.rows(answer_sample)
    assert places[f"{samples[0]['sub_task_id']}_G1"] == 3
    assert samples[0]["raw_sha256"] == kept.sha256
    packed = line.objects.get(key_of(samples[0]["raw_data_url"], line.objects.url("")))
    assert gzip.decompress(packed) == path.read_bytes()
    assert samples[3]["raw_data_url"].endswith("#row=4")


def import_batch(kept: KeptFile) -> ImportBatch:
    return ImportBatch(
        batch_id="IMPORT_1", brand_name="A牌", file=kept, cleaner_version=READER_VERSION, now=datetime.now(UTC)
    )


@pytest.mark.parametrize("late", ["fails", "succeeds"])
def test_rep_late_attempt(make_line: MakeLine, late: str) -> None:
    line = make_line()
    line.add_batch("B1", questions(1))
    (first,) = take(line, COLLECT, lease_s=0)
    stage = line.collect_stage(Canned(lambda _: chat_body("第一次的答案：霁白咖啡。")))
    line.run()
    before = (line.rows(answer_sample), line.rows(task_batch), line.rows(clean_state), line.rows(clean_result))
    (outcome,) = perform(line, stage, [first])
    assert isinstance(outcome, Done)
    if late == "fails":
        failure = Failure(error_type="timeout", severity=Severity.TEMPORARY, transport=True)
        outcome = Failed(claim=first, failure=failure, value=outcome.value)
    settle(line, stage, [outcome])
    assert (line.rows(answer_sample), line.rows(task_batch), line.rows(clean_state), line.rows(clean_result)) == before
    (usage,) = line.rows(question_usage_log)
    assert (usage["status"], usage["retry_count"], usage["error_type"]) == ("success", 0, None)
    attempts = {row["attempt"]: row["outcome"] for row in line.rows(call_attempt)}
    kept = [(row["attempt"], row["raw_response"]) for row in line.rows(late_sample)]
    if late == "fails":
        assert (attempts, kept) == ({1: "failed", 2: "answered"}, [])
    else:
        assert (attempts, kept) == ({1: "late", 2: "answered"}, [(1, "第一次的答案：霁白咖啡。")])


def test_rep_late_attempt_after_the_batch_was_closed_by_its_time_limit(make_line: MakeLine) -> None:
    line = make_line()
    line.add_batch("B1", questions(1))
    claims = take(line, COLLECT)
    stage = line.collect_stage(Canned(lambda _: chat_body("太晚了：砚山咖啡。")))
    with line.store.writing() as tx:
        stage.expired(tx, "B1")
    carry_through(line, stage, claims)
    (batch,) = line.rows(task_batch)
    assert (batch["batch_status"], batch["completed_sub_tasks"], batch["failed_sub_tasks"]) == ("partial", 0, 1)
    assert [row["raw_response"] for row in line.rows(late_sample)] == ["太晚了：砚山咖啡。"]
    assert line.rows(answer_sample) == line.rows(clean_state) == []
    assert line.is_idle()


def test_rep_double_count(make_line: MakeLine) -> None:
    """In one process; the same with kills of real processes is in tests/chaos."""
    line = make_line("per_question: {1个: e422}")
    line.add_batch("B1", questions(50))
    dead_worker = line.collect_stage(Canned(lambda question: chat_body(f"{question} 砚山咖啡。")))
    lost = perform(line, dead_worker, take(line, COLLECT, most=7, lease_s=0))
    seen: list[tuple[int, int]] = []

    def watch() -> bool:
        (batch,) = line.rows(task_batch)
        seen.append((batch["completed_sub_tasks"], batch["failed_sub_tasks"]))
        return line.is_idle()

    line.run(until=watch)
    settle(line, dead_worker, lost)
    (batch,) = line.rows(task_batch)
    with line.store.reading() as tx:
        recount = counters.recount(tx, "B1")
    assert recount is not None
    assert recount.exact
    failed = batch["failed_sub_tasks"]
    assert failed == len(line.rows(dead_letter)) > 0
    assert batch["completed_sub_tasks"] + failed == 50
    assert len(line.rows(answer_sample)) == len(line.rows(clean_state)) == 50 - failed
    assert max(completed + failed for completed, failed in seen) <= 50


def test_rep_key_in_error(make_line: MakeLine, tmp_path: Path) -> None:
    line = make_line("faults: {e401: 1}", key_env="SIM_KEY")
    line.environ = {"SIM_KEY": KEY}
    line.add_batch("B1", questions(1))
    line.run(COLLECT, until=line.is_parked)
    (attempt,) = line.rows(call_attempt)
    assert (attempt["error_type"], attempt["http_status"]) == ("bad_key", 401)
    assert attempt["error"]
    spellings = (KEY, quote(KEY), base64.b64encode(KEY.encode()).decode(), KEY[:12])
    for path in tmp_path.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert not [word for word in spellings if word.encode() in content], path


@pytest.mark.parametrize("content", [None, "", "\n"])
@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_rep_reasoning_only_length(make_line: MakeLine, content: str | None, field: str) -> None:
    line = make_line()
    line.add_batch("B1", questions(1))
    body = {
        "id": "r1",
        "model": "m-think",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, field: "砚山咖啡不错，A牌也可以，先比较价格"},
                "finish_reason": "length",
            }
        ],
        "usage": {"prompt_tokens": 20, "completion_tokens": 4096},
    }
    platform = Canned(lambda _: json.dumps(body).encode())
    stage = line.collect_stage(platform)
    for _ in range(3):
        settle(line, stage, perform(line, stage, wait_and_take(line)))
    assert len(platform.calls) == 3
    assert line.rows(question_usage_log)[0]["status"] == "success"
    line.run(CLEAN)
    (sample,) = line.rows(answer_sample)
    assert sample["raw_response"].strip() == ""
    assert (sample["finish_reason"], sample["truncated"], sample["completion_tokens"]) == ("length", 1, 4096)
    (row,) = line.rows(clean_result)
    assert (row["is_valid"], row["invalid_reason"], row["truncated"]) == (0, "no_answer", 1)
    assert metrics_of(row) == {None}
    assert line.rows(brand_result) == []
    (told,) = line.rows(alert, kind="output_limit")
    assert (told["subject"], told["cause"], told["count"]) == ("sim", "B1", 1)


def wait_and_take(line: Line) -> list[Claim]:
    """Claim what comes due within the short waits of tests."""
    end = time.monotonic() + 30
    while not (found := take(line, COLLECT)):
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


def test_rep_gateway_fake_answer(make_line: MakeLine) -> None:
    texts = [
        "[Gateway] Upstream returned an empty response. Please retry.",
        "【系统提示】上游模型繁忙，请稍后再试。",
        "Error: no healthy upstream",
        "当前分组上游负载已饱和，请稍后再试",
        "A牌的客服有时会回复“系统繁忙，请稍后再试”，除此之外表现不错，推荐A牌。",
    ]
    line = make_line()
    asked = questions(5)
    line.add_batch("B1", asked, rounds=2)
    answers = {question.query_text: text for question, text in zip(asked, texts, strict=True)}
    collect_by_hand(line, Canned(lambda question: chat_body(answers[question])))
    line.run(CLEAN)
    *fake, control = line.rows(clean_result)[::2]
    assert [(row["is_valid"], row["invalid_reason"]) for row in fake] == [(0, "error")] * 4
    assert all(metrics_of(row) == {None} for row in fake)
    assert (control["is_valid"], control["is_mentioned"], control["is_recommended"]) == (1, 1, 1)
    for _ in range(2):
        line.store.transact(lambda tx: tell_degraded(tx, datetime.now(UTC), gone_after=timedelta(minutes=3)))
    (told,) = line.rows(alert)
    assert (told["kind"], told["subject"], told["cause"]) == ("platform_degraded", "sim", "error")
    assert "8 of 10" in told["message"]
    assert "8 条为 错误信息被当作回答，例如" in Messages("zh").translated(Said.of_row(told["said"]))
    assert "no healthy upstream" in told["message"] or "上游" in told["message"] or "Gateway" in told["message"]


def test_an_answer_over_the_limit_is_refused_with_its_size(make_line: MakeLine) -> None:
    line = make_line()
    line.add_batch("B1", questions(2))
    long = "a" * (LONGEST_ANSWER + 1)
    collect_by_hand(line, Canned(lambda question: chat_body(long if "1" in question else "砚山咖啡")))
    (letter,) = line.rows(dead_letter)
    assert letter["error_type"] == "too_large"
    assert "5,000,001" in letter["error"]
    assert len(line.rows(answer_sample)) == 1
