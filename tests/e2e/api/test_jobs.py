"""Similarity jobs over HTTP, from handing in to the last row."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

JOBS = "/api/v1/similarity/jobs"
LISTS: dict[str, Any] = {
    "left": ["怎么退货", "酒店哪家好", "=1+1"],
    "right": ["退货流程", "怎么退货"],
    "scorer": "lexical",
}


def handed_in(client: httpx2.Client, **more: object) -> str:
    reply = client.post(JOBS, json={**LISTS, **more})
    assert reply.status_code == 202, reply.text
    assert reply.headers["location"] == f"{JOBS}/{reply.json()['job_id']}"
    return str(reply.json()["job_id"])


def finished(client: httpx2.Client, job: str) -> dict[str, Any]:
    """Follow a job by its events to the end and return the last one."""
    with client.stream("GET", f"{JOBS}/{job}/events") as stream:
        told = [json.loads(line.removeprefix("data: ")) for line in stream.iter_lines() if line.startswith("data: ")]
    return dict(told[-1])


@pytest.fixture
def job(client: httpx2.Client) -> str:
    number = handed_in(client)
    assert finished(client, number)["status"] == "completed"
    return number


def test_a_job_is_done_by_the_worker_beside_the_server(client: httpx2.Client, job: str) -> None:
    told = client.get(f"{JOBS}/{job}").json()
    assert (told["total"], told["processed"], told["failed"], told["progress"]) == (6, 6, 0, 100.0)
    assert [one["job_id"] for one in client.get(JOBS).json()["jobs"]] == [job]
    assert [one["job_id"] for one in client.post(f"{JOBS}/status", json={"job_ids": [job, job]}).json()["jobs"]] == [
        job,
        job,
    ]
    assert sum(client.get(f"{JOBS}/{job}/histogram").json()["counts"]) == 6


def test_results_come_in_pages(client: httpx2.Client, job: str) -> None:
    rows: list[tuple[int, int]] = []
    cursor: str | None = None
    pages = 0
    while pages == 0 or cursor:
        query = {"min_score": "-1", "limit": "4", **({"cursor": cursor} if cursor else {})}
        page = client.get(f"{JOBS}/{job}/results", params=query).json()
        rows += [(hit["left_line"], hit["right_line"]) for hit in page["hits"]]
        cursor, pages = page["next"], pages + 1
    assert pages == 2
    assert sorted(rows) == [(left, right) for left in (1, 2, 3) for right in (1, 2)]
    best = client.get(f"{JOBS}/{job}/results", params={"top_k": 1}).json()["hits"]
    assert (best[0]["left_line"], best[0]["right_line"], best[0]["scorer_id"][:7]) == (1, 2, "lexical")


def test_all_rows_are_streamed_and_no_cell_is_a_formula(client: httpx2.Client, job: str) -> None:
    table = client.get(f"{JOBS}/{job}/results/download", params={"min_score": "-1"})
    lines = client.get(f"{JOBS}/{job}/results/download", params={"top_k": 1, "format": "jsonl"})
    assert table.headers["content-type"].startswith("text/csv")
    assert "'=1+1" in table.text
    assert [json.loads(line)["left"] for line in lines.text.splitlines()] == LISTS["left"]


def test_one_pair_is_told_whole(client: httpx2.Client, job: str) -> None:
    pair = client.get(f"{JOBS}/{job}/pairs/1/2").json()
    missing = client.get(f"{JOBS}/{job}/pairs/1/9")
    assert (pair["status"], pair["score"], pair["left"]) == ("success", 1.0, "怎么退货")
    assert (missing.status_code, missing.headers["content-type"]) == (404, "application/problem+json")


def test_pairs_and_one_list_are_jobs_too(client: httpx2.Client) -> None:
    pairs = client.post(JOBS, json={"pairs": [["a", "b"], ["c", "c"]], "scorer": "lexical"}).json()
    triangle = client.post(JOBS, json={"left": ["a", "b", "c"], "scorer": "lexical"}).json()
    assert (pairs["shape"], pairs["total"]) == ("pairs", 2)
    assert (triangle["shape"], triangle["total"]) == ("triangle", 3)
    assert finished(client, pairs["job_id"])["processed"] == 2


def test_a_plan_stores_nothing(client: httpx2.Client) -> None:
    plan = client.post("/api/v1/similarity/plan", json=LISTS).json()
    assert plan["plan"]["pairs"] == 6
    assert client.get(JOBS).json()["jobs"] == []


def test_one_key_makes_one_job_however_often_it_comes_at_once(client_of_any_database: httpx2.Client) -> None:
    client = client_of_any_database
    headers = {"Idempotency-Key": "once"}
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda _: client.post(JOBS, json=LISTS, headers=headers), range(8)))
    other = client.post(JOBS, json={**LISTS, "left": ["else"]}, headers=headers)

    assert {reply.status_code for reply in replies} == {200, 202}
    assert len({reply.json()["job_id"] for reply in replies}) == 1
    assert (other.status_code, other.json()["code"]) == (409, "similarity_key_used")


def test_jobs_are_listed_in_pages(client_of_any_database: httpx2.Client) -> None:
    client = client_of_any_database
    made = [handed_in(client, note=str(number)) for number in range(5)]
    found: list[str] = []
    query: dict[str, str] = {"limit": "2"}
    while query:
        page = client.get(JOBS, params=query).json()
        found += [job["job_id"] for job in page["jobs"]]
        query = {"limit": "2", "cursor": page["next"]} if page["next"] else {}
    assert sorted(found) == sorted(made)
    assert client.get(JOBS, params={"cursor": "none"}).status_code == 404


def test_what_is_wrong_with_a_download_is_told_before_it_begins(client: httpx2.Client) -> None:
    pairs = handed_in(client, left=None, right=None, pairs=[["a", "b"]])
    refused = client.get(f"{JOBS}/{pairs}/results/download", params={"top_k": 1})
    assert (refused.status_code, refused.json()["code"]) == (422, "similarity_top_pairs")
    assert client.get(f"{JOBS}/none/results/download", params={"top_k": 1}).status_code == 404


def test_a_large_download_comes_whole(client: httpx2.Client) -> None:
    job = handed_in(
        client, left=[f"第 {number} 句" for number in range(120)], right=[f"{number} 号" for number in range(120)]
    )
    finished(client, job)
    table = client.get(f"{JOBS}/{job}/results/download", params={"min_score": "-1"}).text
    assert table.count("\n") == 1 + 120 * 120


def test_a_job_at_its_end_cannot_be_cancelled(client: httpx2.Client, job: str) -> None:
    assert client.post(f"{JOBS}/{job}/cancel").status_code == 409
