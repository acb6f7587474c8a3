"""Errors with a body: status, vendor's code and headers."""

from email.utils import parsedate_to_datetime

import httpx2
import pytest

from answerwatch.simulator.error_replies import ERRORS
from tests.integration.simulator.conftest import Ask


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        ("e400_arrears", 400, "Arrearage"),
        ("e400_risk_qwen", 400, "data_inspection_failed"),
        ("e401", 401, "invalid_api_key"),
        ("e402", 402, "invalid_request_error"),
        ("e403_overdue", 403, "AccountOverdueError"),
        ("e404_model", 404, "model_not_found"),
        ("e422", 422, "invalid_parameter"),
        ("e429_quota_openai", 429, "insufficient_quota"),
        ("e429_quota_glm", 429, "1113"),
        ("e429_concurrency", 429, "concurrency_limit"),
        ("e500", 500, "server_error"),
        ("e502", 502, "bad_gateway"),
        ("e503", 503, "service_unavailable"),
        ("e529", 529, "overloaded_error"),
    ],
)
def test_an_error_has_the_status_and_code_of_its_vendor(ask: Ask, fault: str, status: int, code: str) -> None:
    response = ask(fault=fault)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


def test_every_error_of_the_table_is_sent_as_it_stands(ask: Ask) -> None:
    for name, row in ERRORS.items():
        response = ask(fault=name)
        assert response.status_code == row.status, name
        assert response.json() == row.body(), name


def test_risks_have_three_spellings(ask: Ask) -> None:
    answers = [ask(f"question {number}", fault="e400_risk") for number in range(30)]
    assert {response.status_code for response in answers} == {400}
    assert len({response.json()["error"]["message"] for response in answers}) == 3


def header(response: httpx2.Response, name: str) -> str:
    assert response.status_code in {429, 503}
    found: str = response.headers[name]
    return found


def test_waits_are_asked_for_in_every_form(ask: Ask) -> None:
    assert header(ask(fault="e429_retry_after"), "retry-after") == "2"
    assert header(ask(fault="e429_retry_after:0.25"), "retry-after") == "0.25"
    assert header(ask(fault="e503_retry_after"), "retry-after") == "2"
    assert header(ask(fault="e429_huge"), "retry-after") == "86400"
    assert header(ask(fault="e429_reset"), "x-ratelimit-reset-requests") == "1m3s"
    assert parsedate_to_datetime(header(ask(fault="e429_date"), "retry-after")).tzinfo is not None
    assert parsedate_to_datetime(header(ask(fault="e429_clock_skew"), "retry-after")).year == 1998
    assert "retry-after" not in ask(fault="e503").headers


def test_a_bare_429_has_neither_header_nor_body(ask: Ask) -> None:
    response = ask(fault="e429_bare")
    assert (response.status_code, response.content) == (429, b"")
    assert "retry-after" not in response.headers


def test_flaky_fails_as_often_as_told_and_then_answers(ask: Ask) -> None:
    assert [ask(fault="flaky_3").status_code for _ in range(5)] == [503, 503, 503, 200, 200]
