"""What may be asked, by whom, and what is said to requests that cannot be."""

import json
import re
import signal
from pathlib import Path

import httpx2
import pytest

from answerwatch.workspace import open_workspace
from answerwatch.workspace.keys import Scope
from tests.e2e.api.conftest import served
from tests.e2e.api.test_jobs import JOBS, LISTS


def test_errors_are_problem_documents_in_the_language_of_the_client(client: httpx2.Client) -> None:
    chinese = client.get(f"{JOBS}/none", headers={"Accept-Language": "zh-CN,en;q=0.5"})
    english = client.get(f"{JOBS}/none", headers={"Accept-Language": "fr, en"})
    assert chinese.headers["content-type"] == "application/problem+json"
    assert "没有相似度任务" in chinese.json()["detail"]
    assert "no similarity job" in english.json()["detail"]
    assert english.json()["params"] == {"job": "none"}


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
        assert {"type", "title", "status", "detail"} <= reply.json().keys()


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
    assert client.get("/nothing").json()["title"] == "no_page"
    assert client.delete(JOBS).json()["title"] == "no_method"


def test_a_body_that_is_too_large_is_refused_while_it_comes(client: httpx2.Client) -> None:
    piece = b"x" * 2**20
    reply = client.post(JOBS, content=(piece for _ in range(65)), headers={"Content-Type": "application/json"})
    assert (reply.status_code, reply.json()["title"]) == (413, "too_large")


def test_a_page_of_somebody_else_cannot_reach_it_by_another_name(client: httpx2.Client) -> None:
    assert client.get("/healthz", headers={"Host": "attacker.example"}).status_code == 400


def test_keys_decide_as_soon_as_there_is_one(home: Path) -> None:
    with served(home, "--no-workers") as (client, _), open_workspace(home) as workspace:
        assert client.get(JOBS).status_code == 200
        reads = workspace.keys.create("dashboard").key
        writes = workspace.keys.create("pipeline", scope=Scope.WRITE).key

        none = client.get(JOBS)
        wrong = client.get(JOBS, headers={"Authorization": "Bearer aw_wrong"})
        read = client.get(JOBS, headers={"Authorization": f"Bearer {reads}"})
        forbidden = client.post(JOBS, json=LISTS, headers={"X-API-Key": reads})
        written = client.post(JOBS, json=LISTS, headers={"X-API-Key": writes})
        workspace.keys.revoke("dashboard")
        revoked = client.get(JOBS, headers={"Authorization": f"Bearer {reads}"})

        assert (none.status_code, none.headers["www-authenticate"]) == (401, "Bearer")
        assert [wrong.status_code, read.status_code, forbidden.status_code] == [401, 200, 403]
        assert [written.status_code, revoked.status_code] == [202, 401]
        assert client.get("/healthz").status_code == 200
        assert [one.used_at is not None for one in workspace.keys.list()] == [True, True]
        kept = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
        assert reads.encode() not in kept


def test_the_documentation_loads_nothing_from_elsewhere(client: httpx2.Client) -> None:
    page = client.get("/docs")
    assert "default-src 'self'" in page.headers["content-security-policy"]
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert loaded
    assert all(one.startswith("/") and client.get(one).status_code == 200 for one in loaded)
    assert "/api/v1/openapi.json" in client.get("/docs/start.js").text


def test_the_description_names_every_address_and_its_answers(client: httpx2.Client) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    assert paths[JOBS]["post"]["responses"]["202"]["content"]["application/json"]["schema"]["$ref"].endswith("/JobView")
    assert set(paths) >= {JOBS, f"{JOBS}/{{job_id}}", f"{JOBS}/{{job_id}}/results", "/api/v1/batches/{batch_id}"}


def wait_until_ready(client: httpx2.Client) -> dict[str, object]:
    """Ask until the worker beside the server has begun; each look costs some work, so this is no busy waiting."""
    reply = client.get("/readyz")
    for _ in range(10_000):
        if reply.status_code == 200:
            break
        reply = client.get("/readyz")
    return dict(reply.json())


def test_health_readiness_and_metrics(client: httpx2.Client) -> None:
    assert client.get("/healthz").json()["healthy"] is True
    assert wait_until_ready(client) == {"ready": True, "reasons": []}
    metrics = client.get("/metrics").text
    assert 'answerwatch_tasks{queue="similarity",state="ready"} 0.0' in metrics


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_well_when_it_is_asked_to(home: Path, number: int) -> None:
    with served(home) as (client, process):
        client.get("/healthz")
        process.send_signal(number)
        assert process.wait(30) == 0


def test_beyond_this_machine_it_wants_a_key_first(home: Path) -> None:
    with served(home, "--host", "0.0.0.0") as (_, process):  # noqa: S104 - this is what is refused
        assert process.wait(30) == 3


def test_a_job_that_waits_is_cancelled(home: Path) -> None:
    with served(home, "--no-workers") as (client, _):
        job = client.post(JOBS, json=LISTS).json()["job_id"]
        assert client.post(f"{JOBS}/{job}/cancel").json()["status"] == "cancelled"
        assert json.loads(client.get(f"{JOBS}/{job}").text)["status"] == "cancelled"
