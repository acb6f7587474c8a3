"""`answerwatch evaluate`: accuracy on labelled rows as people and programs ask for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from answerwatch.figures.accuracy.records import Measure
from tests.integration.interfaces.conftest import Cli

RIGHT = {
    "id": "right",
    "answer": "首选华为。",
    "scene": "RECOMMEND",
    "validity": "valid",
    "is_valid": True,
    "has_citation": False,
    "brands": [
        {
            "brand": "华为",
            "aliases": ["华为"],
            "mentions": [{"start": 2, "end": 4, "text": "华为", "valid": True}],
            "mention_count": 1,
            "is_recommended": True,
            "recommendation_rank": 1,
        }
    ],
}
WRONG = RIGHT | {
    "id": "wrong",
    "answer": "\x1b[31m" + "很好。" * 40 + "\n首选华为。" + "很好。" * 40,
    "brands": [
        {
            "brand": "华为",
            "aliases": ["华为"],
            "mentions": [],
            "mention_count": 0,
            "is_recommended": False,
            "recommendation_rank": None,
        }
    ],
}
"""Labelled as if the brand were not there, so that the reader finds too much."""


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return written(tmp_path / "labels.jsonl", RIGHT, WRONG)


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def lines(text: str) -> Iterator[str]:
    return (" ".join(line.split()) for line in text.splitlines())


def test_people_see_every_measure_with_what_it_rests_on(cli: Cli, labels: Path) -> None:
    done = cli("evaluate", str(labels))

    assert done.code == 0
    shown = list(lines(done.out))
    assert "mention_f1 mentions at their exact places 0.6667 0.173–0.950 2/3" in shown
    assert "validity is the text an answer 1.0000 0.342–1.000 2/2" in shown
    assert "pronouns whom a pronoun stands for — — 0/0" in shown
    assert "Wrong: 3. What and where: --errors" in shown


def test_it_needs_no_workspace_and_makes_none(cli: Cli, labels: Path, home: Path) -> None:
    assert cli("evaluate", str(labels)).code == 0
    assert not home.exists()


def test_programs_get_every_measure_by_its_name(cli: Cli, labels: Path) -> None:
    figures = cli("evaluate", str(labels), "--json").json()

    assert list(figures) == [*(measure.value for measure in Measure), "n"]
    assert figures["pronouns"] is None
    assert figures["n"]["rows"] == 2


def test_errors_are_shown_with_the_text_around_them_and_drive_no_terminal(cli: Cli, labels: Path) -> None:
    done = cli("evaluate", str(labels), "--errors")

    shown = list(lines(done.out))
    place = shown.index("Line 2, wrong: 华为, mention_f1: expected —, got 128–130")
    before, after = shown[place + 1].split("[[华为]]")
    assert before == "…" + ("很好。" * 40)[-47:] + "\\n首选"
    assert after == ("。" + "很好。" * 40)[:50] + "…"
    assert "Line 2, wrong: 华为, recommended_f1: expected no, got yes" in shown
    assert "\x1b" not in done.out


def test_errors_beside_json_are_lines_of_json_on_standard_error(cli: Cli, labels: Path) -> None:
    done = cli("evaluate", str(labels), "--errors", "--json")

    told = [json.loads(line) for line in done.err.splitlines()]
    assert [one["miss"]["measure"] for one in told] == ["mention_f1", "recommended_f1", "no_rank"]
    assert told[0]["miss"]["row_id"] == "wrong"
    assert told[0]["excerpt"]["at"] == "华为"
    assert done.json()["n"]["rows"] == 2


def test_a_measure_below_its_floor_fails_and_says_so(cli: Cli, labels: Path) -> None:
    done = cli("evaluate", str(labels), "--fail-under", "validity=1", "--fail-under", "mention_f1=0.9", "--json")

    assert done.code == 1
    assert json.loads(done.out)["validity"] == 1
    assert done.err.splitlines() == ["mention_f1 is 0.6667, less than 0.9."]


def test_floors_that_are_reached_are_shown_beside_the_values(cli: Cli, labels: Path) -> None:
    done = cli("evaluate", str(labels), "--fail-under", "validity=1", "--fail-under", "mention_f1=0.6")

    assert done.code == 0
    assert "mention_f1 mentions at their exact places 0.6667 0.173–0.950 2/3 0.6" in lines(done.out)


def test_a_floor_of_what_nobody_can_measure_is_missed(cli: Cli, labels: Path) -> None:
    done = cli("evaluate", str(labels), "--fail-under", "pronouns=0.5")

    assert done.code == 1
    assert "no row has anything to score for it" in done.err


def test_an_unknown_measure_is_told_with_all_names(cli: Cli, labels: Path) -> None:
    done = cli("evaluate", str(labels), "--fail-under", "accuracy=0.9")

    assert done.code == 2
    assert all(measure.value in done.err for measure in Measure)


@pytest.mark.parametrize("floor", ["rank", "rank=", "rank=much", "rank=92", "rank=-1", "rank=nan"])
def test_a_floor_is_a_share(floor: str, cli: Cli, labels: Path) -> None:
    done = cli("evaluate", str(labels), "--fail-under", floor)

    assert (done.code, done.out) == (2, "")


def test_predictions_are_written_and_replace_older_ones_alone(cli: Cli, labels: Path, tmp_path: Path) -> None:
    file = tmp_path / "predictions.jsonl"

    assert cli("evaluate", str(labels), "--predictions", str(file)).code == 0
    first = file.read_bytes()
    assert cli("evaluate", str(labels), "--predictions", str(file)).code == 0

    assert file.read_bytes() == first
    assert [json.loads(line)["id"] for line in first.splitlines()] == ["right", "wrong"]
    assert json.loads(first.splitlines()[0]) == {
        "id": "right",
        "is_valid": True,
        "has_citation": False,
        "brands": [{"brand": "华为", "spans": [[2, 4]], "is_recommended": True, "recommendation_rank": 1}],
        "pronouns": [],
    }


def test_predictions_never_replace_labels(cli: Cli, labels: Path) -> None:
    before = labels.read_bytes()

    done = cli("evaluate", str(labels), "--predictions", str(labels))

    assert done.code == 2
    assert labels.read_bytes() == before


@pytest.mark.parametrize("place", ["-", ".", "nowhere/predictions.jsonl"])
def test_predictions_that_cannot_be_written_are_told_in_one_line(place: str, cli: Cli, labels: Path) -> None:
    done = cli("evaluate", str(labels), "--predictions", place)

    assert done.code in (2, 3)
    assert len(done.err.splitlines()) == 1


def test_one_wrong_row_is_told_and_nothing_is_measured_or_written(cli: Cli, tmp_path: Path) -> None:
    bad = written(tmp_path / "bad.jsonl", RIGHT, RIGHT, RIGHT | {"id": "c", "brands": [{"brand": "华为"}]})
    file = tmp_path / "predictions.jsonl"

    done = cli("evaluate", str(bad), "--predictions", str(file))
    as_json = cli("evaluate", str(bad), "--json")

    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        "Line 2, id: right stands in line 1 too",
        "Line 3, brands[0].mentions: it is missing",
        "2 rows have errors, so nothing was measured. Mend them first.",
    ]
    assert not file.exists()
    assert as_json.code == 2
    assert [one["reason"] for one in json.loads(as_json.out)["errors"]] == ["duplicate_id", "missing"]


def test_chinese_is_spoken(cli: Cli, labels: Path, tmp_path: Path) -> None:
    bad = written(tmp_path / "bad.jsonl", RIGHT | {"validity": "good"})

    done = cli("evaluate", str(labels), "--errors", "--fail-under", "rank=2", language="zh")
    told = cli("evaluate", str(bad), language="zh")

    assert "没有名为" not in done.err
    assert "下限要写成指标和 0 到 1 的值" in done.err
    assert "“good”不在可用的词之中" in told.err
