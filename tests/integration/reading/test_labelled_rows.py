"""The reader on labelled rows, judged by the reference scorer: accuracy can never silently fall."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from answerwatch.reading import CleanedAnswer, Lexicon, clean

Row = dict[str, Any]

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


def scorer(folder: Path) -> ModuleType:
    """Load the reference scorer."""
    spec = importlib.util.spec_from_file_location("reference_scorer", folder / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def predict(row: Row) -> Row:
    """Return the reader's prediction for a row in the scorer's format."""
    names = {brand["brand"]: brand["aliases"] for brand in row["brands"]}
    exclude = {brand["brand"]: brand.get("exclude") or [] for brand in row["brands"]}
    lexicon = Lexicon.of(names, exclude=exclude)
    cleaned = clean(row["answer"], question=row["question"] or None, scene=row["scene"], lexicon=lexicon)
    return {"id": row["id"], "is_valid": cleaned.is_valid, **metrics(cleaned, list(names))}


def metrics(cleaned: CleanedAnswer, brands: list[str]) -> Row:
    """Return the metrics of a valid answer in the scorer's format."""
    reading = cleaned.reading
    if reading is None:
        return {"has_citation": None, "brands": [], "pronouns": []}
    return {
        "has_citation": reading.has_citation,
        "brands": [
            {
                "brand": brand,
                "spans": [
                    [match.match_position, match.end]
                    for match in reading.matches
                    if match.is_valid_match and match.standard_name == brand
                ],
                "is_recommended": reading.of(brand).is_recommended,
                "recommendation_rank": reading.of(brand).recommendation_rank,
            }
            for brand in brands
        ],
        "pronouns": [[pronoun.start, pronoun.end, pronoun.standard_name] for pronoun in reading.pronouns],
    }


@pytest.mark.parametrize("name", sorted(FLOORS))
def test_accuracy_on_the_open_rows(name: str, shared_data: Path) -> None:
    judge = scorer(shared_data)
    rows = judge.read(shared_data / name)
    figures, errors = judge.score(rows, [predict(row) for row in rows])
    below = {key: figures[key] for key, floor in FLOORS[name].items() if figures[key] < floor}
    assert not below, "\n".join(map(str, errors))


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
