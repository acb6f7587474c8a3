"""Profiles, limits, choice of faults, the log and the simulator's own endpoints."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from answerwatch.simulator import SimulatorThread, parse_script
from tests.integration.simulator.conftest import Ask

TWO_PROFILES = """
retry_after_s: 1
profiles:
  deepseek:
    keys: [sk-good]
    models: [sim-answer, sim-large]
    served_model: sim-answer-2026
    brands: {en: {Larkmoor Coffee: 1}}
  kimi:
    bucket: {rate: 0.001, capacity: 2}
"""


def test_the_path_chooses_the_profile(ask: Ask, client: httpx2.Client, simulator: SimulatorThread) -> None:
    simulator.use(parse_script(TWO_PROFILES))
    assert ask(path="/deepseek/v1", key="sk-good").json()["model"] == "sim-answer-2026"
    assert ask(path="/deepseek/v1", key="sk-bad").status_code == 401
    assert [ask(path="/kimi/v1").status_code for _ in range(3)] == [200, 200, 429]
    assert ask().status_code == 200
    calls = simulator.calls()
    assert [call["profile"] for call in calls] == ["deepseek", "deepseek", "kimi", "kimi", "kimi", "default"]
    assert [call["fault"] for call in calls] == ["ok", "bad_key", "ok", "ok", "bucket_strict", "ok"]
    models = client.get("/deepseek/v1/models", headers={"authorization": "Bearer sk-good"}).json()["data"]
    assert [model["id"] for model in models] == ["sim-answer", "sim-large"]
    assert client.get("/deepseek/v1/models").status_code == 401
    assert len(simulator.calls()) == 6, "looking up models is not a call"


def test_a_path_without_a_version_or_with_another_one_works(ask: Ask, simulator: SimulatorThread) -> None:
    for path in ("/kimi", "/glm/api/paas/v4", "", "/v1"):
        assert ask(path=path).status_code == 200
    assert [call["profile"] for call in simulator.calls()] == ["kimi", "glm", "default", "default"]


def test_a_model_that_is_not_offered_does_not_exist(client: httpx2.Client, simulator: SimulatorThread) -> None:
    simulator.use(parse_script(TWO_PROFILES))
    body = {"model": "sim-other", "messages": [{"role": "user", "content": "coffee"}]}
    reply = client.post("/deepseek/v1/chat/completions", json=body, headers={"authorization": "Bearer sk-good"})
    assert reply.status_code == 404


def test_brands_of_the_script_are_named(ask: Ask, simulator: SimulatorThread) -> None:
    simulator.use(parse_script(TWO_PROFILES))
    for number in range(5):
        reply = ask(f"best coffee {number}", path="/deepseek/v1", key="sk-good")
        assert "Larkmoor Coffee" in reply.json()["choices"][0]["message"]["content"]


def test_the_strict_bucket_says_when_to_come_back(ask: Ask, simulator: SimulatorThread) -> None:
    simulator.use(parse_script("bucket: {rate: 0.1, capacity: 1}"))
    assert ask().status_code == 200
    refused = ask()
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 10


def test_more_calls_at_once_than_allowed_are_turned_away(ask: Ask, simulator: SimulatorThread) -> None:
    simulator.use(parse_script("max_in_flight: 2\nlatency: 400"))
    with ThreadPoolExecutor(6) as pool:
        statuses = sorted(reply.status_code for reply in pool.map(ask, [f"coffee {number}" for number in range(6)]))
    assert statuses.count(429) >= 1
    assert statuses.count(200) >= 2
    assert "e429_concurrency" in {call["fault"] for call in simulator.calls()}
    assert ask().status_code == 200


def test_header_goes_before_suffix_before_question_before_sequence_before_chance(
    ask: Ask, simulator: SimulatorThread
) -> None:
    question = "hotpot tonight?"
    sha = hashlib.sha256(b"by sha").hexdigest()[:16]
    simulator.use(parse_script(f"faults: {{e529: 1}}\nsequence: [e502]\nper_question: {{hotpot: e402, {sha}: e422}}"))
    header = {"X-Sim-Fault": "e401"}
    assert ask(question, fault="e500", headers=header).status_code == 401
    assert ask(question, fault="e500").status_code == 500
    assert ask(question).status_code == 402
    assert ask("by sha").status_code == 422
    assert [ask("other").status_code for _ in range(3)] == [502, 529, 529]


def test_a_sequence_in_the_suffix_goes_by_turn_and_its_last_fault_stays(ask: Ask) -> None:
    assert [ask(fault="429,500,ok").status_code for _ in range(5)] == [429, 500, 200, 200, 200]


def test_an_unknown_fault_is_said_and_not_ignored(ask: Ask) -> None:
    reply = ask(headers={"X-Sim-Fault": "e50"})
    assert reply.status_code == 400
    assert "unknown fault 'e50'" in reply.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("{", "not JSON"),
        ("[]", "needs a model"),
        ('{"model": "m"}', "needs messages"),
        ('{"model": "m", "stream": true, "messages": [{"role": "user", "content": "q"}]}', "streaming is not served"),
    ],
)
def test_a_request_that_cannot_be_served_is_told_why(client: httpx2.Client, body: str, said: str) -> None:
    reply = client.post("/v1/chat/completions", content=body)
    assert reply.status_code == 400
    assert said in reply.json()["error"]["message"]


def test_parts_of_a_question_are_joined(client: httpx2.Client, simulator: SimulatorThread) -> None:
    parts = [{"type": "text", "text": "best "}, {"type": "text", "text": "coffee"}]
    body = {"model": "m", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": parts}]}
    assert client.post("/v1/chat/completions", json=body).status_code == 200
    assert simulator.calls()[0]["question"] == "best coffee"


def test_a_record_says_what_was_asked_and_never_the_key(ask: Ask, simulator: SimulatorThread) -> None:
    reply = ask("best coffee?", key="sk-secret", headers={"X-Sim-Key": "task-1"})
    (record,) = simulator.calls()
    content = reply.json()["choices"][0]["message"]["content"]
    assert record["n"] == 1
    assert record["key"] == hashlib.sha256(b"sk-secret").hexdigest()[:8]
    assert record["question_sha"] == hashlib.sha256(b"best coffee?").hexdigest()
    assert record["answer_sha"] == hashlib.sha256(content.encode()).hexdigest()
    assert (record["model"], record["sim_key"], record["attempt"]) == ("sim-answer", "task-1", 1)
    assert (record["status"], record["answered"], record["fault"]) == (200, True, "ok")
    assert int(str(record["bytes"])) > len(reply.content)
    assert "sk-secret" not in json.dumps(record)


def test_the_log_file_has_one_line_per_call_and_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    body = {"model": "sim-answer@500,ok", "messages": [{"role": "user", "content": "咖啡\ud83d"}]}
    for _ in range(2):
        with SimulatorThread(log_path=path) as simulator, httpx2.Client(trust_env=False) as client:
            for _ in range(2):
                client.post(f"{simulator.base_url}/v1/chat/completions", content=json.dumps(body))
            # In this order: a reply can be here a moment before its line is written, the log in memory cannot.
            in_memory = json.loads(json.dumps(simulator.calls()))
            written = path.read_text(encoding="utf-8").splitlines()
            assert [json.loads(line) for line in written[-2:]] == in_memory
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["status"] for line in lines] == [500, 200, 500, 200]


def test_the_own_endpoints(ask: Ask, client: httpx2.Client) -> None:
    for number in range(5):
        ask(f"coffee {number}")
    assert [record["n"] for record in client.get("/__sim/requests").json()] == [1, 2, 3, 4, 5]
    excess = client.get("/__sim/windows", params={"rate": 0.001, "capacity": 2}).json()["default"]
    assert 2.9 < excess <= 3
    assert client.post("/__sim/script", content="faults: {e500: 1}").status_code == 200
    assert ask().status_code == 500
    assert client.post("/__sim/reset").status_code == 200
    assert client.get("/__sim/requests").json() == []
    wrong = client.post("/__sim/script", content="fautls: {e500: 1}")
    assert (wrong.status_code, "did you mean faults" in wrong.json()["error"]) == (400, True)
    assert ask().status_code == 500, "a wrong script changes nothing"
    assert client.get("/__sim/windows").status_code == 400
    assert client.get("/__sim/nothing").status_code == 404


def test_unknown_paths_are_logged_when_they_are_calls(client: httpx2.Client, simulator: SimulatorThread) -> None:
    assert client.get("/v1/nothing").status_code == 404
    assert client.post("/v1/nothing").status_code == 404
    assert [call["fault"] for call in simulator.calls()] == ["no_route"]
