"""What is said to requests that cannot be."""

import socket

import httpx2
import pytest

from tests.e2e.api.test_jobs import JOBS, LISTS


def test_errors_are_problem_documents_in_the_language_of_the_client(client: httpx2.Client) -> None:
    chinese = client.get(f"{JOBS}/none", headers={"Accept-Language": "zh-CN,en;q=0.5"})
    english = client.get(f"{JOBS}/none", headers={"Accept-Language": "fr, en"})
    assert chinese.headers["content-type"] == "application/problem+json"
    assert "没有相似度任务" in chinese.json()["detail"]
    assert "no similarity job" in english.json()["detail"]
    assert english.json()["params"] == {"job": "none"}


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("zh-CN,en;q=0.5", "zh"),
        ("fr, en", "en"),
        ("en;q=0.1, zh;q=0.9", "zh"),
        ("zh;q=0, en;q=0.1", "en"),
        ("zh;q=x", "zh"),
        ("", "en"),
        (",;,=", "en"),
    ],
)
def test_the_language_is_the_one_that_the_client_likes_best(
    client: httpx2.Client, accepted: str, language: str
) -> None:
    reply = client.get(f"{JOBS}/none", headers={"Accept-Language": accepted})
    assert reply.headers["content-language"] == language


@pytest.mark.parametrize(
    ("body", "at", "english", "chinese"),
    [
        ('{"left": "a"}', ["body", "left"], "valid list", "应为列表"),
        ('{"left": ["a", 1]}', ["body", "left", "1"], "valid string", "应为文本"),
        ('{"left": ["a"], "more": 1}', ["body", "more"], "not permitted", "没有这个名称"),
        ('{"pairs": [["a"]]}', ["body", "pairs", "0", "1"], "required", "这里必须有值"),
        ('{"roles": "x"}', ["body", "roles"], "'same' or 'search'", "应为 same 或 search"),
        ("{", ["body", "1"], "property name", "这里应有双引号里的名称"),
    ],
)
def test_values_that_cannot_be_used_are_told_in_both_languages(
    client: httpx2.Client, body: str, at: list[str], english: str, chinese: str
) -> None:
    for language, part in (("en", english), ("zh", chinese)):
        headers = {"Content-Type": "application/json", "Accept-Language": language}
        (error,) = client.post(JOBS, content=body.encode(), headers=headers).json()["errors"]
        assert error["at"] == at
        assert part in error["message"]


def test_a_list_of_many_errors_is_told_by_the_first(client: httpx2.Client) -> None:
    reply = client.post(JOBS, json={"left": [1] * 100_000, **{f"more{number}": 1 for number in range(50)}})
    assert len(reply.json()["errors"]) == 20
    assert reply.json()["params"] == {"count": 51}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", f"{JOBS}/status", '{"job_ids": ["\\u0000"]}'),
        ("POST", f"{JOBS}/status", '{"job_ids": ["\\ud800"]}'),
        ("GET", f"{JOBS}/%00", ""),
        ("GET", f"{JOBS}?cursor=%00", ""),
        ("GET", "/api/v1/batches/%00", ""),
        ("GET", f"{JOBS}/{'x' * 500}", ""),
    ],
)
def test_ids_that_no_database_can_hold_are_told(
    client_of_any_database: httpx2.Client, method: str, path: str, body: str
) -> None:
    headers = {"Content-Type": "application/json"}
    assert client_of_any_database.request(method, path, content=body.encode(), headers=headers).status_code == 422


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 422),
        ("[]", 422),
        ('{"left": "a"}', 422),
        ('{"left": [1]}', 422),
        ('{"left": ["a"], "more": 1}', 422),
        ('{"left": []}', 422),
        ('{"left": ["", " "], "right": ["a"]}', 422),
        ('{"left": ["a"], "pairs": [["a", "b"]]}', 422),
        ('{"right": ["a"]}', 422),
        ('{"left": ["a", "b"], "scorer": "nobody"}', 422),
        ('{"left": ["a", "b"], "too_long": "perhaps"}', 422),
        ('{"left": ["a", "b"], "priority": 7}', 422),
        ('{"left": ["a\\u0000b", "c"], "scorer": "lexical"}', 202),
        ('{"left": ["a", "b"], "note": "a\\u0000b"}', 422),
        ('{"left": ["a", "b"], "scorer": "\\ud800"}', 422),
        ('{"left": ["a", "b"], "\\ud800": 1}', 422),
        ('{"left": ["a", "b"], "priority": NaN}', 422),
        ('{"left": ["a", "b"], "priority": ' + "9" * 5_000 + "}", 400),
        ("[" * 100_000, 400),
        ('{"pairs": [["a"]]}', 422),
        ('{"left": ["a", "\\ud800"], "scorer": "lexical"}', 422),
        ('{"left": ["' + "x" * 100_001 + '", "b"], "scorer": "lexical"}', 422),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bodies_that_cannot_be_used_are_told_and_never_crash(client: httpx2.Client, body: str, status: int) -> None:
    reply = client.post(JOBS, content=body.encode(), headers={"Content-Type": "application/json"})
    assert reply.status_code == status, reply.text
    if status != 202:
        assert reply.headers["content-type"] == "application/problem+json"
        assert {"type", "title", "status", "detail", "code", "params"} <= reply.json().keys()


def test_what_was_sent_is_not_sent_back(client: httpx2.Client) -> None:
    told = client.post(JOBS, json={"left": ["my own text"], "priority": "my own text"}).text
    assert "my own text" not in told


@pytest.mark.parametrize(
    ("query", "status"),
    [("", 422), ("?top_k=1&min_score=0", 422), ("?top_k=0", 422), ("?min_score=2", 422), ("?top_k=1&cursor=x", 422)],
)
def test_questions_for_results_that_cannot_be(client: httpx2.Client, query: str, status: int) -> None:
    job = client.post(JOBS, json=LISTS).json()["job_id"]
    assert client.get(f"{JOBS}/{job}/results{query}").status_code == status


def test_addresses_and_methods_that_are_not_there(client: httpx2.Client) -> None:
    assert client.get("/nothing").json()["code"] == "no_page"
    assert client.delete(JOBS).json()["code"] == "no_method"


def test_a_body_that_is_too_large_is_refused_while_it_comes(client: httpx2.Client) -> None:
    piece = b"x" * 2**20
    reply = client.post(JOBS, content=(piece for _ in range(65)), headers={"Content-Type": "application/json"})
    assert (reply.status_code, reply.json()["code"]) == (413, "too_large")


def test_a_body_that_says_that_it_is_too_large_is_not_waited_for(client: httpx2.Client) -> None:
    with socket.create_connection((client.base_url.host, client.base_url.port or 0), timeout=30) as connection:
        head = f"POST {JOBS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(1_000).startswith(b"HTTP/1.1 413")


def test_a_page_of_somebody_else_cannot_reach_it_by_another_name(client: httpx2.Client) -> None:
    refused = client.get(JOBS, headers={"Host": "attacker.example", "Accept-Language": "zh"})
    assert (refused.status_code, refused.json()["code"]) == (400, "host_refused")
    assert client.get(JOBS, headers={"Host": "127.9.9.9:1"}).status_code == 200
