"""Labelled rows that people write: what is taken, and what is told of a row that cannot be meant."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from answerwatch.errors import UsageError
from answerwatch.workspace.evaluation.predicting import as_line, predict
from answerwatch.workspace.evaluation.rows import LabelledRow, labelled_rows, read_labelled
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.files.tables import look_through

ANSWER = "首选华为，它最好。"


def brand(**given: object) -> dict[str, Any]:
    mention = {"start": 2, "end": 4, "text": "华为", "valid": True}
    whole = {"brand": "华为", "mentions": [mention], "is_recommended": True, "recommendation_rank": 1}
    return whole | given


def row(**given: object) -> dict[str, Any]:
    return {"id": "a", "answer": ANSWER, "validity": "valid", "has_citation": False, "brands": [brand()]} | given


def read(values: dict[str, Any]) -> LabelledRow | RowError:
    return read_labelled(FileRow(line=7, values=values))


def test_a_row_needs_no_more_than_what_is_scored() -> None:
    taken = read(row())

    assert isinstance(taken, LabelledRow)
    assert taken.lexicon.brands == ("华为",)
    assert (taken.question, taken.scene) == (None, None)
    assert taken.label.brands[0].spans == {(2, 4)}


def test_a_row_that_is_no_answer_needs_no_brands() -> None:
    taken = read({"id": "a", "answer": "", "validity": "empty"})

    assert isinstance(taken, LabelledRow)
    assert not taken.label.is_valid


def test_yes_or_no_is_enough_for_validity() -> None:
    values = row(is_valid=True)
    del values["validity"]

    assert isinstance(read(values), LabelledRow)


BAD: dict[str, tuple[dict[str, Any], str, str]] = {
    "no id": (row(id=None), "id", "missing"),
    "no answer": (row(answer=None), "answer", "missing"),
    "an answer that is no text": (row(answer=5), "answer", "bad_value"),
    "an answer without end": (row(answer="a" * 5_000_001), "answer", "too_long"),
    "no validity": (row(validity=None), "is_valid", "missing"),
    "an unknown validity": (row(validity="good"), "validity", "bad_value"),
    "two validities": (row(is_valid=False), "is_valid", "contradiction"),
    "an unknown alternative": (row(validity_alt=["refused", "no"]), "validity_alt[1]", "bad_value"),
    "a scene that cannot be": (row(scene="?"), "scene", "bad_value"),
    "a citation that is no yes or no": (row(has_citation=1), "has_citation", "bad_value"),
    "no brands": (row(brands=None), "brands", "missing"),
    "brands that are no list": (row(brands={}), "brands", "bad_value"),
    "a brand that is no object": (row(brands=["华为"]), "brands[0]", "bad_value"),
    "a brand without a name": (row(brands=[brand(brand=" ")]), "brands[0].brand", "missing"),
    "a brand twice": (row(brands=[brand(), brand()]), "brands[1].brand", "contradiction"),
    "an alias that matches everywhere": (row(brands=[brand(aliases=["*"])]), "brands", "bad_value"),
    "an alias that is no text": (row(brands=[brand(aliases=[1])]), "brands[0].aliases[0]", "bad_value"),
    "no mentions": (row(brands=[brand(mentions=None)]), "brands[0].mentions", "missing"),
    "a mention without an end": (
        row(brands=[brand(mentions=[{"start": 2, "valid": True}])]),
        "brands[0].mentions[0].end",
        "missing",
    ),
    "a mention outside": (
        row(brands=[brand(mentions=[{"start": 8, "end": 10, "valid": True}])]),
        "brands[0].mentions[0].end",
        "bad_value",
    ),
    "a mention before the text": (
        row(brands=[brand(mentions=[{"start": -2, "end": 1, "valid": True}])]),
        "brands[0].mentions[0].end",
        "bad_value",
    ),
    "a mention counted in bytes": (
        row(brands=[brand(mentions=[{"start": 6, "end": 9, "text": "华为", "valid": True}])]),
        "brands[0].mentions[0].text",
        "contradiction",
    ),
    "a mention that nobody judged": (
        row(brands=[brand(mentions=[{"start": 2, "end": 4}])]),
        "brands[0].mentions[0].valid",
        "missing",
    ),
    "mentions that overlap": (
        row(brands=[brand(mentions=[{"start": at, "end": at + 2, "valid": True} for at in (2, 3)])]),
        "brands[0].mentions[1]",
        "contradiction",
    ),
    "another count": (row(brands=[brand(mention_count=2)]), "brands[0].mention_count", "contradiction"),
    "mentioned and not": (row(brands=[brand(is_mentioned=False)]), "brands[0].is_mentioned", "contradiction"),
    "no word about the place": (
        row(brands=[{"brand": "华为", "mentions": [], "is_recommended": False}]),
        "brands[0].recommendation_rank",
        "missing",
    ),
    "place 0": (row(brands=[brand(recommendation_rank=0)]), "brands[0].recommendation_rank", "bad_value"),
    "a place that is a truth value": (
        row(brands=[brand(recommendation_rank=True)]),
        "brands[0].recommendation_rank",
        "bad_value",
    ),
    "a place of what is not recommended": (
        row(brands=[brand(is_recommended=False)]),
        "brands[0].recommendation_rank",
        "contradiction",
    ),
    "another place that is a text": (row(brands=[brand(rank_alt=[None, "2"])]), "brands[0].rank_alt[1]", "bad_value"),
    "a pronoun of a stranger": (
        row(pronouns=[{"start": 5, "end": 6, "refers_to": "小米"}]),
        "pronouns[0].refers_to",
        "bad_value",
    ),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_what_is_wrong_is_told_with_its_place(name: str) -> None:
    values, place, reason = BAD[name]
    told = read(values)

    assert isinstance(told, RowError)
    assert (told.line, told.column, told.reason) == (7, place, reason)


def test_a_pronoun_may_stand_for_nobody() -> None:
    taken = read(row(pronouns=[{"start": 5, "end": 6, "text": "它", "refers_to": None}]))

    assert isinstance(taken, LabelledRow)
    assert taken.label.pronouns[0].brand is None


def test_a_reader_that_fails_on_a_text_stops_nothing() -> None:
    taken = read(row())
    assert isinstance(taken, LabelledRow)

    said = predict(replace(taken, lexicon=replace(taken.lexicon, entries=())))

    assert said.is_valid is None
    assert as_line("a", said) == {"id": "a", "error": "IndexError('tuple index out of range')"}


def test_an_id_stands_for_one_row(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(f"{json.dumps(row())}\n\nno json\n{json.dumps(row())}\n", encoding="utf-8")

    told = [one for one in labelled_rows(look_through(file)) if isinstance(one, RowError)]

    assert [(one.line, one.column, one.reason) for one in told] == [(3, "", "bad_json"), (4, "id", "duplicate_id")]


def test_a_list_in_one_document_is_read_too(tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps([row(), row(id="b")], indent=1), encoding="utf-8")

    assert [one.line for one in labelled_rows(look_through(file)) if isinstance(one, LabelledRow)] == [1, 2]


@pytest.mark.parametrize(("name", "text"), [("table.csv", "id,answer\na,b\n"), ("blank.jsonl", "\n\n")])
def test_a_file_without_labelled_rows_is_refused(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError):
        list(labelled_rows(look_through(file)))
