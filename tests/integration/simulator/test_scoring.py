"""The fake server of embeddings and scores, as a client without any sense sees it."""

import math

import httpx2
import pytest

from answerwatch.simulator import ScriptError, SimulatorThread

TEXTS = ["怎么退货", "退货怎么办", "北京有什么好吃的"]


def embed(client: httpx2.Client, texts: list[str] = TEXTS, path: str = "/scoring/default/embed") -> httpx2.Response:
    return client.post(path, json={"inputs": texts})


def test_similar_texts_are_near_each_other_and_the_same_call_gives_the_same(client: httpx2.Client) -> None:
    one, other, stranger = embed(client).json()

    near, far = (sum(a * b for a, b in zip(one, two, strict=True)) for two in (other, stranger))
    assert near > 0.5 > far
    assert math.isclose(sum(number * number for number in one), 1, abs_tol=1e-9)
    assert embed(client).json()[0] == one


def test_a_server_tells_of_itself_and_each_profile_is_its_own(
    client: httpx2.Client, simulator: SimulatorThread
) -> None:
    simulator.scoring("b", model="other", tells="nowhere", most_texts=5)

    first, second = (client.get(f"/scoring/{name}/info").json() for name in ("a", "b"))

    assert (first["model_id"], first["model_sha"], first["max_client_batch_size"]) == ("sim-embed", "rev-a", 32)
    assert (second["model_id"], second["model_sha"], second["max_client_batch_size"]) == ("other", None, 5)


def test_rows_with_an_index_come_in_another_order(client: httpx2.Client) -> None:
    texts = [f"第 {number} 条" for number in range(10)]
    rows = client.post("/scoring/default/v1/embeddings", json={"model": "m", "input": texts}).json()["data"]

    order = [row["index"] for row in rows]
    assert order != sorted(order)
    assert sorted(order) == list(range(10))


def test_labels_come_by_probability(client: httpx2.Client) -> None:
    (labels,) = client.post("/scoring/default/predict", json={"inputs": [["甲", "乙"]]}).json()

    assert labels[0]["score"] >= labels[1]["score"]
    assert {one["label"] for one in labels} == {"0", "1"}


def test_a_ranking_is_sorted_and_cut_as_asked(client: httpx2.Client) -> None:
    body = {"model": "m", "query": "怎么退货", "documents": TEXTS, "top_n": 2}
    rows = client.post("/scoring/default/v1/rerank", json=body).json()["results"]

    assert len(rows) == 2
    assert rows[0]["relevance_score"] >= rows[1]["relevance_score"]


def test_behaviour_is_changed_and_calls_are_read_over_http(client: httpx2.Client) -> None:
    assert (
        client.post("/__sim/scoring", json={"profile": "x", "faults": ["429"], "retry_after_s": 3}).status_code == 200
    )

    refused, answered = (embed(client, path="/scoring/x/embed") for _ in range(2))

    assert (refused.status_code, refused.headers["retry-after"], answered.status_code) == (429, "3", 200)
    logged = client.get("/__sim/scoring").json()
    assert [(one["texts"], one["status"], one["answered"]) for one in logged] == [(3, 429, True), (3, 200, True)]


@pytest.mark.parametrize("values", [{"fauls": []}, {"faults": ["nonsense"]}, {"refusing": "nobody"}])
def test_a_behaviour_that_there_is_not_is_refused(simulator: SimulatorThread, values: dict[str, object]) -> None:
    with pytest.raises(ScriptError):
        simulator.scoring(**values)


def test_what_is_not_of_a_protocol_is_refused(client: httpx2.Client) -> None:
    assert client.post("/scoring/default/embed", json={"texts": TEXTS}).status_code == 422
    assert client.post("/scoring/default/nothing", json={}).status_code == 404
    assert client.post("/__sim/scoring", content=b"[]").status_code == 400


def test_another_model_gives_other_numbers_for_the_same_text(client: httpx2.Client, simulator: SimulatorThread) -> None:
    before = embed(client).json()
    simulator.scoring(faults=["other_model"])

    assert embed(client).json() != before
