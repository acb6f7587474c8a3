"""Texts written for one kind of mistake each, with the right reading: every row holds by itself.

The labels follow the rules of `docs/reading.md` and were written before the reader saw the texts.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from answerwatch.reading import Lexicon, clean

ROWS = Path(__file__).resolve().parents[2] / "fixtures" / "reading_cases.jsonl"


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['id']}-{row['kind']}")
def test_a_text_is_read_as_its_label_says(row: dict[str, Any]) -> None:
    names = {brand["brand"]: brand["aliases"] for brand in row["brands"]} or {"无关": ["无关"]}
    exclude = {brand["brand"]: brand["exclude"] for brand in row["brands"]}
    lexicon = Lexicon.of(names, exclude=exclude)

    cleaned = clean(row["answer"], question=row["question"] or None, scene=row["scene"], lexicon=lexicon)

    assert cleaned.is_valid is row["is_valid"]
    if cleaned.reading is None:
        assert cleaned.verdict.invalid_reason in (row["validity"], *row["validity_alt"])
        return
    assert cleaned.reading.has_citation is row["has_citation"]
    for label in row["brands"]:
        found = cleaned.reading.of(label["brand"])
        spans = [
            (match.match_position, match.end)
            for match in cleaned.reading.matches
            if match.is_valid_match and match.standard_name == label["brand"]
        ]
        assert spans == [(mention["start"], mention["end"]) for mention in label["mentions"]]
        if label["is_recommended"] is not None:
            assert found.is_recommended is label["is_recommended"]
            assert found.recommendation_rank in (label["recommendation_rank"], *label["rank_alt"])
