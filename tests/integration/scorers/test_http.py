"""HTTP scorers against servers that limit, refuse, shuffle, break off and change."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

from answerwatch.domain.failures import Failure, Scope, Severity
from answerwatch.errors import ConfigurationError
from answerwatch.scorers.http import dashscope, openai, rerank, tei, vllm
from answerwatch.scorers.http import pair as pair_kind
from answerwatch.scorers.http.canary import PAIRS, TEXTS
from answerwatch.scorers.http.pairs import HttpPairs
from answerwatch.scorers.http.vectors import HttpVectors
from answerwatch.similarity.scorer import PairScorer, ScorerTrouble, Served, VectorScorer
from answerwatch.simulator import SimulatorThread

LINES = [f"第 {number} 条：怎么退货，多久到账" for number in range(25)]
CASES = [("怎么退货", line) for line in LINES[:5]] + [("保修多久", line) for line in LINES[:3]]
CANARY = {*TEXTS, *(text for pair in PAIRS for text in pair)}
KEY = "sk-test-0123456789abcdef"


class Notes(dict[str, object]):
    """A notebook in memory."""

    def read(self) -> Mapping[str, object]:
        return self

    def write(self, facts: Mapping[str, object]) -> None:
        self.update(facts)


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


Embedder = Callable[..., HttpVectors]
"""Makes a scorer with settings, for a server that behaves as the keywords say."""


@pytest.fixture
def embedder(simulator: SimulatorThread, opened: ExitStack) -> Embedder:
    """Make a scorer of OpenAI's protocol for a server that behaves as told."""

    def make(settings: dict[str, Any] | None = None, **behaviour: Any) -> HttpVectors:  # noqa: ANN401 - options
        url = simulator.scoring(**{"tells": "nowhere", **behaviour})
        given = openai.OpenaiSettings(base_url=f"{url}/v1", model="m", **(settings or {}))
        scorer = openai.make("mine", given, {"KEY": KEY})
        opened.callback(scorer.close)
        return scorer

    return make


def embedding_tei(opened: ExitStack, url: str, **options: object) -> HttpVectors:
    scorer = tei.make("t", tei.TeiSettings.model_validate({"base_url": url, **options}), {})
    assert isinstance(scorer, HttpVectors)
    opened.callback(scorer.close)
    return scorer


def asked(simulator: SimulatorThread) -> list[tuple[int, object]]:
    """Texts and status of every call, but for those of the canary."""
    calls = simulator.scoring_calls()
    return [(int(str(one["texts"])), one["status"]) for one in calls if one["every"] and not is_canary(one)]


def is_canary(call: dict[str, object]) -> bool:
    every = call["every"]
    return isinstance(every, tuple) and set(every) <= CANARY


def failure_of(scorer: HttpVectors, lines: list[str] = LINES) -> Failure:
    with pytest.raises(ScorerTrouble) as met:
        scorer.encode(lines)
    return met.value.failure


def test_scorers_are_what_the_protocols_want(simulator: SimulatorThread, opened: ExitStack, embedder: Embedder) -> None:
    pairs = tei.make("r", tei.TeiSettings(base_url=simulator.scoring(), head="rerank"), {})
    opened.callback(pairs.close)
    vectors = embedder()

    assert isinstance(vectors, VectorScorer)
    assert isinstance(vectors, Served)
    assert isinstance(pairs, PairScorer)
    assert not isinstance(pairs, VectorScorer)


@pytest.mark.parametrize("encoding", ["float", "base64"])
def test_vectors_come_in_the_order_of_the_texts_and_have_length_one(embedder: Embedder, encoding: str) -> None:
    scorer = embedder({"encoding": encoding, "texts": 7, "in_flight": 8})

    whole = scorer.encode(LINES)
    single = [scorer.encode([line]).vectors[0] for line in LINES[:3]]

    assert whole.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(whole.vectors, axis=1), 1, atol=1e-6)
    assert np.allclose(whole.vectors[:3], single, atol=1e-6)
    assert whole.tokens is not None
    assert scorer.encode([]).vectors.shape == (0, 64)


def test_a_tei_server_is_asked_for_its_limits_first(simulator: SimulatorThread, opened: ExitStack) -> None:
    url = simulator.scoring(most_texts=10)
    scorer = embedding_tei(opened, url, texts=1000)

    scorer.encode(LINES)

    assert asked(simulator) == [(10, 200), (10, 200), (5, 200)]
    assert (scorer.facts.model, scorer.facts.revision) == ("sim-embed", "rev-a")


@pytest.mark.parametrize(
    "kind", ["tei/rerank", "tei/predict", "rerank", "score", "classify", "dashscope", "one", "list"]
)
def test_every_kind_of_pair_scorer_gives_the_same_scores(
    simulator: SimulatorThread, opened: ExitStack, kind: str
) -> None:
    url = simulator.scoring(tells="nowhere", most_texts=3)
    scorer = pair_scorer(kind, url)
    opened.callback(scorer.close)
    reference = pair_scorer("score", url)
    opened.callback(reference.close)

    found = scorer.score(CASES)

    assert not found.refused
    assert np.allclose(found.scores, reference.score(CASES).scores, atol=1e-6)
    assert np.allclose(found.scores[[5]], scorer.score([CASES[5]]).scores, atol=1e-6)
    assert scorer.facts.revision is None


def pair_scorer(kind: str, url: str) -> HttpPairs:
    template: dict[str, Any] = {"base_url": url, "path": "/score"}
    one = {"model": "m", "text_1": "{left}", "text_2": ["{right}"]}
    many = {"model": "m", "text_1": "{lefts}", "text_2": "{rights}"}
    ranked = dashscope.DashscopeSettings(base_url=url, key_env=None, head="rerank")
    makers: dict[str, Any] = {
        "tei/rerank": lambda: tei.make("p", tei.TeiSettings(base_url=url, head="rerank"), {}),
        "tei/predict": lambda: tei.make("p", tei.TeiSettings(base_url=url, head="predict"), {}),
        "rerank": lambda: rerank.make("p", rerank.RerankSettings(base_url=f"{url}/v1", model="m"), {}),
        "score": lambda: vllm.make("p", vllm.VllmSettings(base_url=url, model="m"), {}),
        "classify": lambda: vllm.make("p", vllm.VllmSettings(base_url=url, model="m", head="classify"), {}),
        "dashscope": lambda: dashscope.make("p", ranked, {}),
        "one": lambda: pair_kind.make("p", pair_kind.PairSettings(**template, request=one, score="data.0.score"), {}),
        "list": lambda: pair_kind.make(
            "p", pair_kind.PairSettings(**template, request=many, score="data.*.score", index="index"), {}
        ),
    }
    found = makers[kind]()
    assert isinstance(found, HttpPairs)
    return found


@pytest.mark.parametrize("refusing", ["tei", "dashscope", "siliconflow", "openai"])
def test_a_limit_in_the_words_of_a_server_costs_one_call(
    simulator: SimulatorThread, embedder: Embedder, refusing: str
) -> None:
    scorer = embedder(refusing=refusing, most_texts=10)

    assert not scorer.encode(LINES).refused
    assert not scorer.encode(LINES).refused

    assert [status for _, status in asked(simulator) if status != 200] == [
        413 if refusing in ("tei", "siliconflow") else 400
    ]
    assert max(texts for texts, status in asked(simulator) if status == 200) == 10


@pytest.mark.parametrize("refusing", ["bare", "gateway"])
def test_a_limit_that_nobody_names_is_found_by_halving(
    simulator: SimulatorThread, embedder: Embedder, refusing: str
) -> None:
    scorer = embedder(refusing=refusing, most_texts=10)

    scorer.encode(LINES)
    first = len(asked(simulator))
    scorer.encode(LINES)

    assert sum(status == 413 for _, status in asked(simulator)) == 2
    assert all(status == 200 for _, status in asked(simulator)[first:])
    assert max(texts for texts, _ in asked(simulator)[first:]) == 7


def test_texts_are_split_by_their_characters_too(simulator: SimulatorThread, embedder: Embedder) -> None:
    scorer = embedder({"chars": 60})

    scorer.encode(LINES)

    assert max(texts for texts, _ in asked(simulator)) == 60 // len(LINES[0])


@pytest.mark.parametrize("refusing", ["tei", "dashscope", "bare"])
def test_one_bad_text_is_refused_alone(simulator: SimulatorThread, embedder: Embedder, refusing: str) -> None:
    scorer = embedder(refusing=refusing, poison="第 13 条")

    found = scorer.encode(LINES)
    again = scorer.encode(LINES)

    assert [(place, one.reason) for place, one in found.refused.items()] == [(13, "refused")]
    assert [place for place in range(25) if np.isnan(found.vectors[place]).any()] == [13]
    assert set(again.refused) == {13}
    # No limit was learnt from it: the first call of the second round holds all texts again.
    assert asked(simulator)[len(asked(simulator)) // 2][0] == 25


@pytest.mark.parametrize("refusing", ["tei", "dashscope", "bare", "gateway"])
def test_a_text_that_is_too_long_is_told_so(embedder: Embedder, refusing: str) -> None:
    scorer = embedder(refusing=refusing, longest=100)

    found = scorer.encode([*LINES[:3], "长" * 200])

    assert [(place, one.reason) for place, one in found.refused.items()] == [(3, "too_long")]
    assert "does not take it" in str(found.refused[3].message)


def test_a_server_that_refuses_everything_makes_no_text_guilty(simulator: SimulatorThread, embedder: Embedder) -> None:
    scorer = embedder()
    scorer.encode(LINES[:1])
    simulator.scoring(faults=["400"] * 20)

    failure = failure_of(scorer, LINES[:4])

    assert (failure.error_type, failure.severity) == ("bad_request", Severity.PERMANENT)


@pytest.mark.parametrize(
    ("fault", "error_type", "severity"),
    [
        ("424", "server_error", Severity.TEMPORARY),
        ("500", "server_error", Severity.TEMPORARY),
        ("502", "server_error", Severity.TEMPORARY),
        ("504", "server_error", Severity.TEMPORARY),
        ("reset", "connection", Severity.TEMPORARY),
        ("silence", "timeout", Severity.TEMPORARY),
        ("cut", "bad_reply", Severity.TEMPORARY),
        ("html", "bad_reply", Severity.TEMPORARY),
        ("redirect", "redirected", Severity.TEMPORARY),
        ("short", "bad_reply", Severity.TEMPORARY),
        ("duplicate", "bad_reply", Severity.TEMPORARY),
        ("astray", "bad_reply", Severity.TEMPORARY),
        ("no_index", "bad_reply", Severity.TEMPORARY),
        ("words", "bad_reply", Severity.TEMPORARY),
        ("401", "bad_key", Severity.PERMANENT),
        ("403", "bad_key", Severity.PERMANENT),
        ("402", "no_balance", Severity.PERMANENT),
        ("404", "not_found", Severity.PERMANENT),
    ],
)
def test_bad_replies_are_trouble_of_a_kind_and_never_scores(
    simulator: SimulatorThread, embedder: Embedder, fault: str, error_type: str, severity: Severity
) -> None:
    scorer = embedder({"timeout_s": 0.5 if fault == "silence" else 20})
    scorer.encode(LINES[:1])
    simulator.scoring(faults=[fault])

    failure = failure_of(scorer)

    assert (failure.error_type, failure.severity) == (error_type, severity)
    assert not scorer.encode(LINES).refused
    assert not simulator.calls(), "a redirect was followed"


def test_a_bad_key_parks(simulator: SimulatorThread, embedder: Embedder) -> None:
    scorer = embedder({"key_env": "KEY"}, keys=["sk-another"])

    failure = failure_of(scorer)

    assert (failure.scope, failure.parks) == (Scope.KEY, True)
    # The server repeats the key in its refusal.
    assert KEY not in failure.message
    assert "[secret]" in failure.message
    assert all(one["with_key"] for one in simulator.scoring_calls())


def test_a_key_that_is_not_there_is_told_before_anything_is_sent(simulator: SimulatorThread) -> None:
    settings = openai.OpenaiSettings(base_url=simulator.scoring(), model="m", key_env="NO_SUCH_KEY")

    with pytest.raises(ConfigurationError, match="NO_SUCH_KEY"):
        openai.make("mine", settings, {})
    assert not simulator.scoring_calls()


def test_keys_and_addresses_stand_in_no_id(embedder: Embedder) -> None:
    scorer_id = embedder({"key_env": "KEY"}).facts.scorer_id

    assert KEY not in scorer_id
    assert "127.0.0.1" not in scorer_id


@pytest.mark.parametrize(("spoil", "reason"), [("nan", "not_finite"), ("wrong_length", "wrong_length")])
@pytest.mark.parametrize("encoding", ["float", "base64"])
def test_numbers_that_are_none_are_refused_for_their_text_alone(
    embedder: Embedder, encoding: str, spoil: str, reason: str
) -> None:
    found = embedder({"encoding": encoding}, spoilt=("第 7 条", spoil)).encode(LINES)

    assert [(place, one.reason) for place, one in found.refused.items()] == [(7, reason)]
    assert [place for place in range(25) if np.isnan(found.vectors[place]).any()] == [7]


def test_a_score_that_is_none_is_refused_for_its_pair_alone(simulator: SimulatorThread, opened: ExitStack) -> None:
    scorer = pair_scorer("rerank", simulator.scoring(tells="nowhere", spoilt=("第 2 条", "nan")))
    opened.callback(scorer.close)

    found = scorer.score(CASES)

    assert set(found.refused) == {2, 7}
    assert np.isfinite(np.delete(found.scores, [2, 7])).all()


def test_a_longer_reply_than_we_read_is_asked_for_in_parts(
    embedder: Embedder, simulator: SimulatorThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("answerwatch.scorers.http.client.LARGEST_REPLY", 8_000)
    scorer = embedder()

    assert not scorer.encode(LINES).refused
    assert 1 < max(texts for texts, _ in asked(simulator)[1:]) < 25


@pytest.mark.parametrize("status", ["429", "503"])
def test_a_server_that_asks_to_wait_is_waited_for(simulator: SimulatorThread, embedder: Embedder, status: str) -> None:
    scorer = embedder({"texts": 5})
    scorer.encode(LINES[:1])
    simulator.scoring(faults=[status, status, status])

    found = scorer.encode(LINES)

    assert not found.refused
    assert [code for _, code in asked(simulator)].count(int(status)) == 3


def test_a_server_that_asks_to_wait_for_too_long_is_left_to_the_queue(
    simulator: SimulatorThread, embedder: Embedder
) -> None:
    scorer = embedder({"patience_s": 5})
    scorer.encode(LINES[:1])
    simulator.scoring(faults=["429"], retry_after_s=60)

    failure = failure_of(scorer)

    assert (failure.error_type, failure.retry_after_s, failure.severity) == ("rate_limited", 60, Severity.TEMPORARY)


def test_calls_at_once_stay_below_what_is_allowed_and_what_the_server_takes(
    simulator: SimulatorThread, embedder: Embedder
) -> None:
    scorer = embedder({"texts": 1, "in_flight": 6}, max_in_flight=3, latency_s=0.01, retry_after_s=0.01)

    found = scorer.encode(LINES)

    assert not found.refused
    assert simulator.most_scoring_at_once() <= 6


def test_what_was_answered_before_trouble_is_not_asked_for_again(
    simulator: SimulatorThread, embedder: Embedder
) -> None:
    scorer = embedder({"texts": 5, "in_flight": 1})
    whole = scorer.encode(LINES).vectors
    before = len(asked(simulator))
    simulator.scoring(faults=["ok", "ok", "500"])

    failure_of(scorer)
    found = scorer.encode(LINES)

    assert [status for _, status in asked(simulator)[before:]] == [200, 200, 500, 200, 200, 200]
    assert np.allclose(found.vectors, whole)


def test_a_closed_scorer_ends_what_runs(simulator: SimulatorThread, embedder: Embedder) -> None:
    scorer = embedder()
    scorer.encode(LINES[:1])
    simulator.scoring(faults=["silence"])
    met: list[str] = []

    def work() -> None:
        met.append(failure_of(scorer).error_type)

    thread = threading.Thread(target=work)
    thread.start()
    while not any(one["fault"] == "silence" for one in simulator.scoring_calls()):
        threading.Event().wait(0.005)
    scorer.close()
    thread.join(20)

    assert met == ["closed"]
    assert failure_of(scorer).error_type == "closed"


def test_limits_are_remembered_from_one_process_to_the_next(simulator: SimulatorThread, embedder: Embedder) -> None:
    notes = Notes()
    first = embedder(refusing="dashscope", most_texts=10)
    first.keep_notes(notes)
    first.encode(LINES)
    second = embedder()
    second.keep_notes(notes)
    other = embedder({"chars": 70_000})
    other.keep_notes(Notes(limits={"of": "another server", "texts": 1, "chars": 1}))

    second.encode(LINES)

    assert [status for _, status in asked(simulator)].count(400) == 1
    assert other.encode(LINES[:10]).vectors.shape == (10, 64)
    assert asked(simulator)[-1] == (10, 200)


@pytest.mark.parametrize("tells", ["nowhere", "info", "header", "body"])
@pytest.mark.parametrize("pairs", [False, True])
def test_another_model_behind_the_same_name_is_never_mixed_in(
    simulator: SimulatorThread, opened: ExitStack, tells: str, *, pairs: bool
) -> None:
    url = simulator.scoring(tells=tells)
    by_reply: dict[str, Any] = {"revision_header": "X-Model-Revision", "revision_field": "revision"}
    scorer: Any = tei.make("t", tei.TeiSettings(base_url=url, head="rerank" if pairs else "embed"), {})
    if tells in ("header", "body"):
        ranked = rerank.RerankSettings(base_url=f"{url}/v1", model="m", **by_reply)
        embedded = openai.OpenaiSettings(base_url=f"{url}/v1", model="m", **by_reply)
        scorer = rerank.make("t", ranked, {}) if pairs else openai.make("t", embedded, {})
    opened.callback(scorer.close)

    def work() -> object:
        return scorer.score(CASES) if pairs else scorer.encode(LINES)

    work()
    before = scorer.facts.scorer_id
    simulator.scoring(revision="rev-b")

    with pytest.raises(ScorerTrouble) as met:
        work()

    assert met.value.failure.error_type == "scorer_changed"
    assert scorer.facts.scorer_id != before
    assert (scorer.facts.revision is None) == (tells == "nowhere")
    work()


def test_noise_of_arithmetic_is_no_other_model(simulator: SimulatorThread, embedder: Embedder) -> None:
    notes = Notes()
    ids = set()
    for _ in range(3):
        scorer = embedder(noise=2e-4)
        scorer.keep_notes(notes)
        scorer.encode(LINES)
        ids.add(scorer.facts.scorer_id)

    assert len(ids) == 1


def test_another_dimension_is_another_model(simulator: SimulatorThread, opened: ExitStack) -> None:
    scorer = embedding_tei(opened, simulator.scoring(), dimensions=64)
    scorer.encode(LINES)
    simulator.scoring(dimensions=256)

    with pytest.raises(ScorerTrouble) as met:
        scorer.encode(LINES)

    assert met.value.failure.error_type == "scorer_changed"


def test_other_prefixes_and_prompts_are_other_scorers(simulator: SimulatorThread, opened: ExitStack) -> None:
    url = simulator.scoring()
    ids = set()
    for options in ({}, {"query_prefix": "query: "}, {"query_prompt": "query"}, {"truncate": True}, {"dimensions": 64}):
        scorer = embedding_tei(opened, url, **options)
        ids.add(scorer.facts.scorer_id)
        assert scorer.facts.asymmetric_roles == any("query" in key for key in options)

    assert len(ids) == 5


def test_a_server_that_cannot_be_asked_is_not_asked_by_everybody(
    simulator: SimulatorThread, embedder: Embedder
) -> None:
    scorer = embedder(faults=["500"])

    for _ in range(3):
        with pytest.raises(ScorerTrouble):
            _ = scorer.facts
    assert len(simulator.scoring_calls()) == 1

    scorer.look_again()
    assert scorer.facts.model == "m"


def test_a_model_that_cannot_do_what_is_wanted_is_told_before_anything_is_scored(
    simulator: SimulatorThread, opened: ExitStack
) -> None:
    scorer = embedding_tei(opened, simulator.scoring(model_type="classifier"))

    with pytest.raises(ScorerTrouble, match="classifier") as met:
        _ = scorer.facts

    assert met.value.failure.parks
