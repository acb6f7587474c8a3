"""How numbers are taken out of replies, and how each kind asks for them."""

import base64
import json
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from answerwatch.scorers.http import canary
from answerwatch.scorers.http.openai import Embeddings
from answerwatch.scorers.http.pair import PairSettings, Template, filled
from answerwatch.scorers.http.replies import BadShape, in_order, score, vector
from answerwatch.scorers.http.rerank import Ranking
from answerwatch.scorers.http.settings import ServerSettings
from answerwatch.scorers.http.tei import Embed, Predict
from answerwatch.scorers.http.vllm import Classifying

NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(st.permutations(range(20)))
def test_order_is_restored_by_index(order: list[int]) -> None:
    rows = [{"index": place, "score": place * 10} for place in order]

    assert in_order(rows, 20, lambda row: row["score"]) == [place * 10 for place in range(20)]


@pytest.mark.parametrize(
    ("indexes", "said"),
    [
        ([0, 1], "index 2 is missing"),
        ([0, 1, 1], "stands twice"),
        ([0, 1, 3], "none of 3"),
        ([0, 1, -1], "none of 3"),
        ([0, 1, True], "no index"),
        ([0, 1, "2"], "no index"),
        ([0, 1, None], "no index"),
        ([0, 1, 2, 2], "stands twice"),
    ],
)
def test_rows_that_cannot_be_told_apart_are_refused(indexes: list[Any], said: str) -> None:
    with pytest.raises(BadShape, match=said):
        in_order([{"index": one} for one in indexes], 3, lambda _: 1)


@given(st.lists(NUMBERS, min_size=1, max_size=50))
def test_base64_of_little_endian_numbers_is_the_list_of_them(numbers: list[float]) -> None:
    packed = base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()

    assert np.array_equal(vector(packed), vector(numbers))


@pytest.mark.parametrize("value", ["no base64!", "AAA=", ["a"], [[1.0]], {"a": 1}, None, 5, [{}]])
def test_what_is_no_vector_is_refused(value: object) -> None:
    with pytest.raises(BadShape):
        vector(value)


def test_null_and_endless_numbers_are_no_scores_but_take_nobody_elses_place() -> None:
    assert np.isnan(score(None))
    assert np.isinf(score(10**400))
    assert np.isnan(vector([1.0, None])[1])
    for bad in (True, "0.5", [0.5]):
        with pytest.raises(BadShape):
            score(bad)


@given(st.lists(st.floats(0, 1, allow_nan=False), min_size=1, max_size=8))
def test_the_probability_is_that_of_the_label_wherever_it_stands(alike: list[float]) -> None:
    rows = [
        sorted(({"label": "1", "score": p}, {"label": "0", "score": 1 - p}), key=lambda one: -float(str(one["score"])))
        for p in alike
    ]
    found = Predict(truncate=False, label="1").read(rows, [("a", "b")] * len(alike))

    assert [float(one) for one in found.rows] == pytest.approx(alike, abs=1e-6)


def test_labels_of_models_without_names_are_known() -> None:
    rows = [[{"label": "LABEL_0", "score": 0.9}, {"label": "LABEL_1", "score": 0.1}]]

    assert float(Predict(truncate=False, label="1").read(rows, [("a", "b")]).rows[0]) == pytest.approx(0.1)
    with pytest.raises(BadShape, match="no label yes"):
        Predict(truncate=False, label="yes").read(rows, [("a", "b")])


def test_a_ranking_asks_for_all_documents_of_one_query() -> None:
    dialect = Ranking(path="/rerank", fields={"model": "m"})
    pairs = [("q", "a"), ("q", "b"), ("r", "a")]
    reply = {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}

    assert {dialect.together(one) for one in pairs} == {"q", "r"}
    assert dialect.body(pairs[:2]) == {"model": "m", "query": "q", "documents": ["a", "b"], "top_n": 2}
    assert [float(one) for one in dialect.read(reply, pairs[:2]).rows] == pytest.approx([0.1, 0.9])


def test_tokens_are_those_that_a_reply_tells() -> None:
    dialect = Embeddings(path="/embeddings", prefix="")
    data = [{"index": 0, "embedding": [1.0]}]

    assert dialect.read({"data": data, "usage": {"total_tokens": 7}}, ["a"]).tokens == 7
    assert dialect.read({"data": data}, ["a"]).tokens is None


def test_prefixes_are_written_before_texts() -> None:
    assert Embed(prefix="query: ").body(["退货"])["inputs"] == ["query: 退货"]


def test_a_pair_becomes_one_text_for_a_classifier_whatever_stands_in_it() -> None:
    dialect = Classifying(model="m", joined="{left}[SEP]{right}", label=1)

    assert dialect.body([("{right}", "b")])["input"] == ["{right}[SEP]b"]


@given(st.text(), st.text())
def test_a_text_is_never_taken_for_a_place_of_the_template(left: str, right: str) -> None:
    template = {"q": "{left}", "both": "{left}\n{right}", "list": "{pairs}", "n": 3}

    made = filled(template, [(left, right)])

    assert made == {"q": left, "both": f"{left}\n{right}", "list": [[left, right]], "n": 3}


def test_scores_of_a_template_are_found_at_their_path() -> None:
    one = Template(path="", request={}, where=("out", "0", "score"), index=None)
    many = Template(path="", request={}, where=("rows", "*", "s"), index="n")

    assert float(one.read({"out": [{"score": 0.5}]}, [("a", "b")]).rows[0]) == 0.5
    rows = {"rows": [{"n": 1, "s": 0.2}, {"n": 0, "s": 0.1}]}
    assert [float(row) for row in many.read(rows, [("a", "b"), ("a", "c")]).rows] == pytest.approx([0.1, 0.2])
    with pytest.raises(BadShape, match=r"nothing at out\.0\.score"):
        one.read({"out": []}, [("a", "b")])


@pytest.mark.parametrize(
    "given_values",
    [
        {"request": {"a": "{left}"}, "score": "s"},
        {"request": {"a": "{lefts}", "b": "{rights}"}, "score": "s"},
        {"request": {"a": "{left}", "b": "{right}"}, "score": "rows.*.s"},
    ],
)
def test_a_template_that_cannot_work_is_refused(given_values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        PairSettings(base_url="http://127.0.0.1:9", **given_values)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"base_url": "ftp://a.example"}, "https://"),
        ({"base_url": "http://scorer.example"}, "in the clear"),
        ({"base_url": "https://10.0.0.7"}, "private network"),
        ({"base_url": "https://169.254.169.254"}, "private network"),
        ({"base_url": "https://user:pass@a.example"}, "key_env"),
        ({"base_url": "https://a.example?key=x"}, "key_env"),
        ({"base_url": "https://a.example", "key_env": "sk-not-a-name"}, "environment variable"),
        ({"base_url": "https://a.example", "key": "sk-secret-1"}, "Extra"),
    ],
)
def test_an_address_that_must_not_be_called_is_refused_and_keys_are_not_shown(
    values: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValidationError, match=said) as refused:
        ServerSettings(**values)

    assert "sk-" not in str(refused.value)
    assert "pass@" not in str(refused.value)


def test_private_addresses_can_be_allowed() -> None:
    assert ServerSettings(base_url="http://10.0.0.7:8080/", allow_private=True).root == "http://10.0.0.7:8080"


def test_the_canary_forgives_noise_and_sees_another_model() -> None:
    rng = np.random.default_rng(7)
    one = [rng.normal(size=64).astype(np.float32) for _ in range(2)]
    noisy = [(row * (1 + rng.normal(scale=1e-3, size=64))).astype(np.float32) for row in one]
    other = [rng.normal(size=64).astype(np.float32) for _ in range(2)]

    assert canary.is_same(one, noisy)
    assert not canary.is_same(one, other)
    assert not canary.is_same(one, [row[:32] for row in one])
    scores = [score(0.5), score(0.7)]
    assert canary.is_same(scores, [score(0.501), score(0.7)])
    assert not canary.is_same(scores, [score(0.52), score(0.7)])


def test_a_canary_that_was_written_down_can_be_read_again_and_a_damaged_one_is_none() -> None:
    rows = [np.arange(3, dtype=np.float32), np.ones(3, dtype=np.float32)]
    note = json.loads(json.dumps(canary.to_note("me", "name", rows)))

    read = canary.from_note(note, "me", (3,))

    assert read is not None
    assert read[0] == "name"
    assert canary.is_same(read[1], rows)
    assert canary.from_note(note, "another", (3,)) is None
    assert canary.from_note({**note, "rows": ["!"]}, "me", (3,)) is None
    assert canary.from_note(None, "me", (3,)) is None
