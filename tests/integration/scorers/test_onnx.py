"""Local models: the numbers are those of BERT, whatever the folder was published as."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from answerwatch.scorers.onnx.converting import Conversion, convert
from answerwatch.scorers.onnx.kind import make
from answerwatch.scorers.onnx.settings import OnnxSettings
from answerwatch.similarity.scorer import PairScorer, Role, Scorer, ScorerTrouble, VectorScorer
from tests.checkpoints import POISON, POSITIONS, Layout, random_bert, write_checkpoint
from tests.integration.scorers.bert_by_hand import encoded, forward, positive

PAIRS = (
    ("怎么退货", "请问如何把商品退掉"),
    ("这款手机的电池很耐用", "how do i return unwanted goods?"),
    ("哪家酒店性价比高", "Café, 北京有什么好吃吗？"),
    ("the phone", "怎么"),
    ("怎", "么"),
    ("第一个问题，The Phone's 电池", "zebra 没有的字 x-ray"),
)
WEIGHTS = random_bert(labels=2)
ALIKE = [positive(WEIGHTS, *pair) for pair in PAIRS]

Made = Callable[..., Any]


@pytest.fixture
def scorer(tmp_path: Path) -> Iterator[Made]:
    """Make a scorer of the folder `model`, or of another one."""
    with ExitStack() as stack:

        def made(folder: str = "model", **settings: object) -> Scorer:
            values: dict[str, Any] = {"folder": tmp_path / folder, "threads": 1, **settings}
            one = make("tiny", OnnxSettings(**values))
            stack.callback(one.close)
            return one

        yield made


@pytest.mark.parametrize(
    "layout", [Layout(prefix=p, torch=t) for p in ("bert.", "encoder.", "") for t in (True, False)]
)
def test_scores_of_a_published_checkpoint_are_those_of_its_network(
    scorer: Made, tmp_path: Path, layout: Layout
) -> None:
    write_checkpoint(tmp_path / "model", WEIGHTS, layout)

    scored = scorer().score(PAIRS)

    assert scored.scores == pytest.approx(ALIKE, abs=1e-5)
    assert scored.refused == {}


def test_a_score_is_the_probability_of_label_1_also_where_label_0_is_likelier(scorer: Made, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model", WEIGHTS, Layout())

    scores = scorer().score(PAIRS).scores

    assert min(ALIKE) < 0.4
    assert max(ALIKE) > 0.6
    assert [bool(one < 0.5) for one in scores] == [one < 0.5 for one in ALIKE]


def test_labels_are_read_by_name_and_not_by_place(scorer: Made, tmp_path: Path) -> None:
    turned = {"id2label": {"0": "1", "1": "0"}, "label2id": {"1": 0, "0": 1}}
    write_checkpoint(tmp_path / "model", WEIGHTS, Layout(config=turned))
    words = {"id2label": {"0": "other", "1": "same"}, "label2id": {}}
    write_checkpoint(tmp_path / "words", WEIGHTS, Layout(config=words))

    assert scorer().score(PAIRS).scores == pytest.approx([1 - one for one in ALIKE], abs=1e-5)
    assert scorer("words", positive="same").score(PAIRS).scores == pytest.approx(ALIKE, abs=1e-5)


def test_one_label_is_a_logit(scorer: Made, tmp_path: Path) -> None:
    single = {**WEIGHTS, "classifier.weight": WEIGHTS["classifier.weight"][1:] - WEIGHTS["classifier.weight"][:1]}
    single["classifier.bias"] = WEIGHTS["classifier.bias"][1:] - WEIGHTS["classifier.bias"][:1]
    write_checkpoint(tmp_path / "model", single, Layout())

    assert scorer().score(PAIRS).scores == pytest.approx(ALIKE, abs=1e-5)


def test_order_and_length_of_batches_do_not_matter(scorer: Made, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model", WEIGHTS, Layout())
    many = [PAIRS[(number * 7) % len(PAIRS)] for number in range(100)]

    alone, together = scorer(batch_tokens=8).score(many), scorer(batch_tokens=4096).score(many)

    assert alone.scores == pytest.approx([ALIKE[(number * 7) % len(PAIRS)] for number in range(100)], abs=1e-5)
    assert together.scores == pytest.approx(alone.scores, abs=1e-5)
    assert scorer().score([]).scores.shape == (0,)


def test_a_pair_that_is_too_long_is_cut_from_its_longer_text(scorer: Made, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model", WEIGHTS, Layout())
    pairs = [("怎么退货" * 20, "how do i return goods"), ("怎", "商品退掉" * 30), ("电池" * 40, "手机" * 40)]

    tiny = scorer(max_tokens=POSITIONS - 1)

    assert tiny.facts.longest == POSITIONS - 4
    wanted = [positive(WEIGHTS, *one, POSITIONS - 1) for one in pairs]
    assert tiny.score(pairs).scores == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_vectors_are_pooled_and_have_length_1(scorer: Made, tmp_path: Path, pooling: str) -> None:
    weights = random_bert(labels=0)
    write_checkpoint(tmp_path / "model", weights, Layout(prefix=""))
    texts = [text for pair in PAIRS for text in pair]

    tiny = scorer(pooling=pooling)
    vectors = tiny.encode(texts).vectors

    for vector, text in zip(vectors, texts, strict=True):
        tokens = forward(weights, *encoded(text))
        wanted = tokens[0] if pooling == "cls" else tokens.mean(axis=0)
        assert vector == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-5)
    assert (tiny.facts.dimensions, tiny.facts.symmetric) == (32, True)


def test_pooling_is_read_from_the_folder(scorer: Made, tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "model", random_bert(labels=0), Layout())
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}', encoding="utf-8")

    assert "pool=cls" in scorer().facts.scorer_id
    assert np.array_equal(scorer().encode(["怎么"]).vectors, scorer(pooling="cls").encode(["怎么"]).vectors)


def test_queries_and_passages_get_their_prefixes(scorer: Made, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model", random_bert(labels=0), Layout())
    plain, told = scorer(), scorer(query_prefix="how ", passage_prefix="the ")

    assert np.array_equal(told.encode(["怎么"], Role.QUERY).vectors, plain.encode(["how 怎么"]).vectors)
    assert np.array_equal(told.encode(["怎么"], Role.PASSAGE).vectors, plain.encode(["the 怎么"]).vectors)
    assert told.facts.asymmetric_roles
    assert told.facts.scorer_id != plain.facts.scorer_id


@pytest.mark.parametrize("int8", [False, True])
def test_a_poisoned_pair_is_refused_alone(scorer: Made, tmp_path: Path, *, int8: bool) -> None:
    weights = dict(WEIGHTS)
    words = weights["embeddings.word_embeddings.weight"].copy()
    words[encoded(POISON)[0][1]] = np.inf
    weights["embeddings.word_embeddings.weight"] = words
    write_checkpoint(tmp_path / "model", weights, Layout())
    pairs = [*PAIRS[:3], (f"怎么{POISON}", "退货"), *PAIRS[3:]]

    scored = scorer(int8=int8).score(pairs)

    assert {place: one.reason for place, one in scored.refused.items()} == {3: "not_finite"}
    assert np.isnan(scored.scores[3])
    assert np.delete(scored.scores, 3) == pytest.approx(ALIKE, abs=0.1 if int8 else 1e-5)


def test_int8_is_close(scorer: Made, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model", WEIGHTS, Layout())

    small = scorer(int8=True)

    assert small.score(PAIRS).scores == pytest.approx(ALIKE, abs=0.1)
    assert "int8" in small.facts.scorer_id
    assert "int8" not in scorer().facts.scorer_id


@pytest.mark.parametrize(
    ("wanted", "labels", "near"),
    [({}, 2, 1e-5), ({"fold": True}, 1, 1e-5), ({"int8": True}, 2, 0.1), ({"int8": True, "fold": True}, 1, 0.1)],
)
def test_a_converted_folder_scores_as_its_source(
    scorer: Made, tmp_path: Path, wanted: dict[str, bool], labels: int, near: float
) -> None:
    source = write_checkpoint(tmp_path / "model", WEIGHTS, Layout(prefix="encoder.", torch=True))
    steps = []

    done = convert(
        Conversion(folder=source, out=tmp_path / "deep" / "out", **cast("Any", wanted)),
        lambda step, at, of: steps.append((str(step), at, of)),
    )

    found = scorer("deep/out").score(PAIRS).scores
    assert (done.labels, done.int8, str(done.head)) == (labels, wanted.get("int8", False), "pair")
    assert found == pytest.approx(ALIKE, abs=near)
    assert (done.difference is not None and 0 < done.difference < 0.2) == done.int8
    assert steps[:3] == [("write", 0, 2), ("write", 1, 2), ("write", 2, 2)]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]
    assert ("int8" in scorer("deep/out").facts.scorer_id) == done.int8


def test_a_converted_folder_of_vectors_encodes_as_its_source(scorer: Made, tmp_path: Path) -> None:
    source = write_checkpoint(tmp_path / "model", WEIGHTS, Layout())

    convert(Conversion(folder=source, out=tmp_path / "out", head=cast("Any", "vector")))

    found = scorer("out").encode(["怎么退货"]).vectors
    assert found == pytest.approx(scorer(head="vector").encode(["怎么退货"]).vectors, abs=1e-6)


def test_an_id_names_model_weights_and_settings(scorer: Made, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model", WEIGHTS, Layout())
    write_checkpoint(tmp_path / "other" / "model", random_bert(labels=2, seed=6), Layout())

    ids = {
        scorer().facts.scorer_id,
        scorer(int8=True).facts.scorer_id,
        scorer(max_tokens=16).facts.scorer_id,
        scorer(head="vector").facts.scorer_id,
        scorer("other/model").facts.scorer_id,
    }

    assert len(ids) == 5
    assert scorer().facts.scorer_id in ids
    assert scorer().facts.scorer_id.startswith("model;rev=sha256:")
    assert scorer(batch_tokens=64).facts.scorer_id in ids
    assert not scorer().facts.symmetric
    assert scorer().facts.has_memory


def test_scorers_keep_to_their_protocols(scorer: Made, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model", WEIGHTS, Layout())

    assert isinstance(scorer(), PairScorer)
    assert isinstance(scorer(head="vector"), VectorScorer)


def test_a_closed_scorer_says_so(scorer: Made, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model", WEIGHTS, Layout())
    tiny = scorer()
    tiny.score(PAIRS)

    tiny.close()

    with pytest.raises(ScorerTrouble, match="closed"):
        tiny.score(PAIRS)


def test_closing_ends_what_is_under_way(scorer: Made, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model", WEIGHTS, Layout())
    tiny = scorer(batch_tokens=8)
    begun = threading.Event()

    def score_for_ever() -> str:
        while True:
            try:
                tiny.score(PAIRS)
            except ScorerTrouble as error:
                return error.failure.error_type
            begun.set()

    with ThreadPoolExecutor(1) as pool:
        ending = pool.submit(score_for_ever)
        begun.wait(30)
        tiny.close()
        assert ending.result(30) == "scorer_closed"


def roberta() -> dict[str, Any]:
    """The same network under the names of XLM-RoBERTa, its positions behind two that are not used."""
    names = {"pooler.dense": "classifier.dense", "classifier": "classifier.out_proj"}
    found = {}
    for name, values in WEIGHTS.items():
        layer, kind = name.rsplit(".", 1)
        found[f"{names[layer]}.{kind}" if layer in names else f"roberta.{name}"] = values
    shifted = WEIGHTS["embeddings.position_embeddings.weight"]
    found["roberta.embeddings.position_embeddings.weight"] = np.concatenate((np.full((2, 32), 9, np.float32), shifted))
    types = WEIGHTS["embeddings.token_type_embeddings.weight"][:1]
    found["roberta.embeddings.token_type_embeddings.weight"] = types
    return found


def test_xlm_roberta_counts_positions_from_behind_its_padding(scorer: Made, tmp_path: Path) -> None:
    config = {"model_type": "xlm-roberta", "max_position_embeddings": POSITIONS + 2}
    write_checkpoint(tmp_path / "model", roberta(), Layout(prefix="", config=config))
    same = dict(WEIGHTS)
    types = WEIGHTS["embeddings.token_type_embeddings.weight"]
    same["embeddings.token_type_embeddings.weight"] = np.stack((types[0], types[0]))

    tiny = scorer()

    assert tiny.score(PAIRS).scores == pytest.approx([positive(same, *one) for one in PAIRS], abs=1e-5)
    assert tiny.facts.longest == POSITIONS - 3
