"""Every fault of the simulator, asked over real HTTP, is what the table says."""

import asyncio
from collections.abc import Iterator

import pytest

from answerwatch.domain.answers import Ask, Received
from answerwatch.domain.failures import Failure
from answerwatch.messages import Messages
from answerwatch.platforms.ask import ask
from answerwatch.platforms.records import Surface
from answerwatch.platforms.sender import Sender
from answerwatch.simulator import SimulatorThread, parse_script
from tests.unit.platforms.replies import surface

SCRIPT = "blank_every_s: 0.02\nretry_after_s: 2\nprofiles: {strict: {bucket: {rate: 0.001, capacity: 2}}}\n"


@pytest.fixture(scope="module")
def simulator() -> Iterator[SimulatorThread]:
    with SimulatorThread(parse_script(SCRIPT), seed=7) as running:
        yield running


def at(simulator: SimulatorThread, fault: str, **fields: object) -> Surface:
    headers = (("x-sim-fault", fault),)
    values: dict[str, object] = {"base_url": f"{simulator.base_url}/v1", "model": "sim-answer", "headers": headers}
    return surface(**(values | fields))


def asked(target: Surface, times: int = 1) -> list[Received]:
    async def main() -> list[Received]:
        async with Sender(slots=2) as sender:
            asks = [Ask(sub_task_id=f"s{n}", query_text="推荐一款扫地机器人", attempt=1) for n in range(times)]
            return [await ask(one, target, sender) for one in asks]

    return asyncio.run(main())


def failure_of(simulator: SimulatorThread, fault: str, **fields: object) -> Failure:
    [received] = asked(at(simulator, fault, **fields))
    assert received.failure is not None, received
    return received.failure


ANSWERS = [
    "ok",
    "ok_sources_chat",
    "ok_no_search",
    "reasoning",
    "reasoning_think",
    "content_filter",
    "content_filter_sensitive",
    "refusal_text_zh",
    "refusal_text_en",
    "e400_risk_deepseek",
    "e400_risk_kimi",
    "e400_risk_qwen",
    "keepalive_blank:0.1",
    "truncated_length",
    "slow_first_byte:0.1",
    "garbled_gbk",
    "garbled_control",
    "garbled_nul",
    "garbled_surrogate",
    "garbled_zero_width",
    "garbled_bom",
    "repeat_loop",
    "huge",
    "injection",
    "model_swapped",
    "clock_skew",
    "usage_missing",
]


@pytest.mark.parametrize("fault", ANSWERS)
def test_what_is_an_answer(simulator: SimulatorThread, fault: str) -> None:
    [received] = asked(at(simulator, fault))

    assert received.failure is None
    assert received.answer is not None
    assert received.answer.text
    assert received.answer.filtered is fault.startswith(("content_filter", "e400_risk"))
    assert received.answer.truncated is (fault == "truncated_length")


FAILURES = [
    ("e401", "bad_key"),
    ("e402", "no_balance"),
    ("e400_arrears", "no_balance"),
    ("e403_overdue", "no_balance"),
    ("e404_model", "not_found"),
    ("e422", "bad_request"),
    ("e429_retry_after", "rate_limited"),
    ("e429_date", "rate_limited"),
    ("e429_reset", "rate_limited"),
    ("e429_huge", "rate_limited"),
    ("e429_bare", "rate_limited"),
    ("e429_concurrency", "rate_limited"),
    ("e429_clock_skew", "rate_limited"),
    ("e429_quota_kimi", "no_balance"),
    ("e429_quota_openai", "no_balance"),
    ("e429_quota_glm", "no_balance"),
    ("e500", "server_error"),
    ("e502", "server_error"),
    ("e503", "overloaded"),
    ("e503_retry_after", "overloaded"),
    ("e529", "overloaded"),
    ("truncated_json_honest", "bad_reply"),
    ("truncated_json_short", "connection"),
    ("html_200", "bad_reply"),
    ("html_504", "server_error"),
    ("login_redirect", "redirected"),
    ("error_in_200", "server_error"),
    ("choices_null", "bad_reply"),
    ("empty_text", "empty"),
    ("empty_blank", "empty"),
    ("empty_null", "empty"),
    ("reset_before", "connection"),
    ("reset_mid", "connection"),
    ("gzip_bad", "bad_reply"),
]


@pytest.mark.parametrize(("fault", "expected"), FAILURES)
def test_what_is_a_failure(simulator: SimulatorThread, fault: str, expected: str) -> None:
    assert failure_of(simulator, fault).error_type == expected


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("html_200", "状态码 200，内容不是 JSON："),
        ("html_504", "状态码 504："),
        ("login_redirect", "状态码 302 把我们转到 "),
        ("choices_null", "回复里既没有回答"),
        ("empty_text", "回答是空的，结束原因 stop"),
        ("hang", "0.3 秒内没有收到完整的回复"),
        ("e429_huge", "The daily number of requests is used up.（要求等待 retry-after: 86400，已按上限缩短）"),
        ("e500", "The server had an error while answering."),
    ],
)
def test_what_we_say_of_a_fault_is_told_in_chinese_and_what_the_platform_says_as_it_came(
    simulator: SimulatorThread, fault: str, told: str
) -> None:
    failure = failure_of(simulator, fault, deadline_s=0.3 if fault == "hang" else 60.0)

    assert Messages("zh").stored(failure.message).startswith(told)
    assert Messages("en").stored(failure.message) == failure.message


@pytest.mark.parametrize("fault", ["hang", "keepalive_forever"])
def test_what_never_ends_is_ended_by_the_deadline(simulator: SimulatorThread, fault: str) -> None:
    assert failure_of(simulator, fault, deadline_s=0.3).error_type == "timeout"


def test_silence_after_the_headers_is_ended_by_the_read_gap(simulator: SimulatorThread) -> None:
    assert failure_of(simulator, "hang_after_headers", read_gap_s=0.2, deadline_s=60.0).error_type == "timeout"


@pytest.mark.parametrize(
    ("fault", "expected"),
    [("e429_retry_after", 2.0), ("e429_reset", 63.0), ("e429_huge", 900.0), ("e429_bare", None), ("e500", None)],
)
def test_the_wait_that_a_server_asks_for(simulator: SimulatorThread, fault: str, expected: float | None) -> None:
    assert failure_of(simulator, fault).retry_after_s == expected


@pytest.mark.parametrize("fault", ["e429_date", "e429_clock_skew"])
def test_dates_give_waits_that_are_neither_negative_nor_endless(simulator: SimulatorThread, fault: str) -> None:
    wait = failure_of(simulator, fault).retry_after_s

    assert wait is not None
    assert 0 <= wait <= 3


def test_sources_and_the_served_model_arrive(simulator: SimulatorThread) -> None:
    [cited], [swapped] = (asked(at(simulator, fault)) for fault in ("ok_sources_chat", "model_swapped"))

    assert cited.answer is not None
    assert cited.answer.citations
    assert swapped.answer is not None
    assert swapped.answer.model_served not in (None, "sim-answer")


def test_thinking_stays_beside_the_answer(simulator: SimulatorThread) -> None:
    [received] = asked(at(simulator, "reasoning"))

    assert received.answer is not None
    assert received.answer.reasoning
    assert received.answer.reasoning not in received.answer.text


def test_a_strict_bucket_is_told_as_throttling(simulator: SimulatorThread) -> None:
    replies = asked(at(simulator, "ok", base_url=f"{simulator.base_url}/strict/v1"), times=3)

    assert [received.failure is None for received in replies] == [True, True, False]
    assert replies[2].failure is not None
    assert replies[2].failure.throttled


def test_a_wrong_key_parks_the_lane(simulator: SimulatorThread) -> None:
    assert failure_of(simulator, "e401").parks


def test_one_ask_is_one_request(simulator: SimulatorThread) -> None:
    before = len(simulator.calls())
    asked(at(simulator, "e503_retry_after"))

    assert len(simulator.calls()) == before + 1


def test_the_simulator_is_told_the_sub_task_when_asked_for(simulator: SimulatorThread) -> None:
    asked(at(simulator, "ok", task_header="X-Sim-Key"))

    assert simulator.calls()[-1]["sim_key"] == "s0"
