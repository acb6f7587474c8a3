"""The reader on labelled rows: accuracy never falls silently, and our numbers are those of the reference scorer."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from answerwatch.domain.plain import to_plain
from answerwatch.figures.accuracy.records import BrandPrediction, Prediction
from answerwatch.figures.accuracy.scoring import Score
from answerwatch.reading import Lexicon, clean
from answerwatch.workspace import open_workspace
from answerwatch.workspace.evaluation.predicting import as_line
from answerwatch.workspace.evaluation.rows import LabelledRow, read_labelled
from answerwatch.workspace.evaluation.verbs import floor_of
from answerwatch.workspace.evaluation.views import Evaluation
from answerwatch.workspace.files.records import FileRow

Row = dict[str, Any]

OWN_CASES = Path(__file__).resolve().parents[2] / "fixtures" / "reading_cases.jsonl"
"""Short texts of our own, for people without the reference data."""

OWN_FLOORS = {
    "mention_f1": 1.0,
    "named_f1": 1.0,
    "count_exact": 1.0,
    "recommended_f1": 1.0,
    "rank": 1.0,
    "no_rank": 1.0,
    "citation": 1.0,
    "validity": 1.0,
    "validity_f1_invalid": 1.0,
    "pronouns": 0.9,
}

BLIND_CASES = OWN_CASES.with_name("reading_blind.jsonl")
"""Texts by writers who did not know the rules, half of them made to mislead rules."""

BLIND_FLOORS = {
    "mention_f1": 0.98,
    "named_f1": 0.99,
    "count_exact": 0.97,
    "recommended_f1": 0.96,
    "rank": 0.95,
    "no_rank": 0.98,
    "citation": 0.99,
    "validity": 0.99,
    "validity_f1_invalid": 0.95,
}

FLOORS = {
    "answers_open.jsonl": {
        "mention_f1": 0.99,
        "named_f1": 0.995,
        "count_exact": 0.98,
        "recommended_f1": 0.97,
        "rank": 0.96,
        "no_rank": 0.96,
        "citation": 1.0,
        "validity": 0.98,
        "validity_f1_invalid": 0.9,
    },
    "cases_open.jsonl": {
        "mention_f1": 0.98,
        "named_f1": 0.98,
        "count_exact": 0.97,
        "recommended_f1": 0.95,
        "rank": 0.95,
        "no_rank": 0.97,
        "citation": 0.98,
        "validity": 0.98,
        "validity_f1_invalid": 0.9,
        "pronouns": 1.0,
    },
}
"""Measured figures less a small margin; the one row missed is irrelevant, which no text alone can tell."""


def evaluate(file: Path, floors: dict[str, float], folder: Path) -> tuple[Evaluation, list[str]]:
    """Return what is measured on a file, and all that was wrong, for the message of a test that fails."""
    wrong: list[str] = []
    with open_workspace(folder / "workspace") as workspace:
        measured = workspace.evaluations.run(
            file,
            predictions=folder / "predictions.jsonl",
            floors=[floor_of(f"{name}={value}") for name, value in floors.items()],
            show_miss=lambda shown: wrong.append(str(shown)),
        )
    return measured, wrong


def reference(shared_data: Path, labels: Path, predictions: Path) -> Any:  # noqa: ANN401 - a JSON document
    """Return what the reference scorer makes of predictions."""
    command = [sys.executable, str(shared_data / "score.py"), str(labels), str(predictions)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def test_accuracy_on_our_own_cases(tmp_path: Path) -> None:
    measured, wrong = evaluate(OWN_CASES, OWN_FLOORS, tmp_path)

    assert measured.succeeded, wrong


def test_accuracy_on_texts_by_writers_who_did_not_know_the_rules(tmp_path: Path) -> None:
    measured, wrong = evaluate(BLIND_CASES, BLIND_FLOORS, tmp_path)

    assert measured.succeeded, wrong


@pytest.mark.parametrize("name", sorted(FLOORS))
def test_accuracy_on_the_open_rows(name: str, shared_data: Path, tmp_path: Path) -> None:
    measured, wrong = evaluate(shared_data / name, FLOORS[name], tmp_path)

    assert measured.succeeded, wrong


@pytest.mark.parametrize("name", [*sorted(FLOORS), OWN_CASES.name])
def test_numbers_are_those_of_the_reference_scorer_on_our_predictions(
    name: str, shared_data: Path, tmp_path: Path
) -> None:
    labels = OWN_CASES if name == OWN_CASES.name else shared_data / name

    measured, _ = evaluate(labels, {}, tmp_path)

    assert measured.figures() == reference(shared_data, labels, tmp_path / "predictions.jsonl")


WORDS = ["华为", "小米", "苹果", "它", "不如", "推荐", "，", "。"]
BRANDS = ["华为", "小米", "苹果"]


def random_row(number: int, rng: random.Random) -> Row:
    """Return a row with labels of every sort, whether or not they make sense: scoring knows no sense."""
    words = rng.choices(WORDS, k=12)
    answer = "".join(words)
    validity = rng.choice(["valid", "valid", "valid", "refused", "empty"])
    return {
        "id": f"row-{number}",
        "answer": answer,
        "scene": "OTHER",
        "validity": validity,
        "is_valid": validity == "valid",
        "validity_alt": rng.sample(["valid", "error", "refused"], rng.randint(0, 2)),
        "has_citation": rng.choice([True, False, None]),
        "brands": [random_label(brand, answer, rng) for brand in BRANDS],
        "pronouns": [
            {"start": at, "end": at + 1, "refers_to": rng.choice([*BRANDS, None])}
            for at, letter in enumerate(answer)
            if letter == "它"
        ],
    }


def random_label(brand: str, answer: str, rng: random.Random) -> Row:
    places = [at for at in range(len(answer)) if answer.startswith(brand, at)]
    mentions = [{"start": at, "end": at + len(brand), "valid": rng.random() < 0.7} for at in places]
    recommended = rng.choice([True, True, False, None])
    return {
        "brand": brand,
        "aliases": [brand],
        "mentions": mentions,
        "mention_count": sum(one["valid"] for one in mentions),
        "is_recommended": recommended,
        "recommendation_rank": None if recommended is False else rng.choice([1, 2, None]),
        "rank_alt": rng.sample([1, 2, 3, None], rng.randint(0, 2)),
    }


def random_prediction(row: LabelledRow, rng: random.Random) -> Prediction:
    if rng.random() < 0.1:
        return Prediction(is_valid=None, error="broken")
    if rng.random() < 0.2:
        return Prediction(is_valid=False)
    spans = [(at, at + 2) for at in range(len(row.answer))]
    return Prediction(
        is_valid=True,
        has_citation=rng.choice([True, False]),
        brands={
            label.brand: BrandPrediction(
                spans=rng.choice([label.spans, frozenset(rng.sample(spans, 2))]),
                is_recommended=rng.choice([True, False, None]),
                recommendation_rank=rng.choice([1, 2, 3, None]),
            )
            for label in row.label.brands
            if rng.random() < 0.9
        },
        pronouns={one.span: rng.choice([*BRANDS, None]) for one in row.label.pronouns if rng.random() < 0.8},
    )


@pytest.mark.parametrize("seed", range(5))
def test_numbers_are_those_of_the_reference_scorer_whatever_was_labelled_and_said(
    seed: int, shared_data: Path, tmp_path: Path
) -> None:
    rng = random.Random(seed)
    rows = [random_row(number, rng) for number in range(rng.choice([1, 3, 100]))]
    score, lines = Score(), []
    for number, values in enumerate(rows, start=1):
        row = read_labelled(FileRow(line=number, values=values))
        assert isinstance(row, LabelledRow)
        said = random_prediction(row, rng)
        score.add(row.label, said)
        lines.append(as_line(row.label.row_id, said))
    for name, objects in (("labels", rows), ("predictions", lines)):
        (tmp_path / name).write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")

    ours = {one.measure.value: one.value for one in score.measures()} | {"n": to_plain(score.scored())}

    assert ours == reference(shared_data, tmp_path / "labels", tmp_path / "predictions")


def test_every_answer_of_the_pool_is_read(shared_data: Path) -> None:
    lexicon = Lexicon.of({"华为": ["华为", "HUAWEI"], "小米": ["小米"], "欧派": ["欧派"], "Sony": ["Sony"]})
    with (shared_data / "answers_pool.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    cleaned = [clean(row["answer"], question=row["question"], lexicon=lexicon) for row in rows]
    assert len(cleaned) == 731
    assert 690 <= sum(one.is_valid for one in cleaned) <= 731
    assert all(
        row["answer"][match.match_position : match.end]
        for row, one in zip(rows, cleaned, strict=True)
        for match in (one.reading.matches if one.reading else ())
    )
