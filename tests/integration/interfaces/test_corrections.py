"""Setting readings right from the command line: kept beside the reading, counted, and made into labelled rows."""

import json
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli

ANSWER = "推荐两家：\n1. 山下咖啡，豆子新鲜。\n2. 砚山咖啡，门店多。\n砚山咖啡的价格也合适。"
BRAND = "砚山咖啡"


@pytest.fixture
def sample(ready: Cli, tmp_path: Path) -> str:
    """An answer that was imported and cleaned."""
    file = tmp_path / "answers.jsonl"
    row = {"question": "哪些连锁咖啡值得推荐？", "platform": "kimi", "answer": ANSWER}
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert ready("samples", "import", str(file), "--scene", "RECOMMEND", "--brand", BRAND).code == 0
    assert ready("clean", "run").code == 0
    (listed,) = ready("samples", "list", "--json").json()
    return str(listed["sub_task_id"])


def figure(cli: Cli, name: str, *options: str) -> float | None:
    report = cli("report", BRAND, "--json", *options).json()
    (found,) = [one for one in report["overall"]["figures"] if one["name"] == name]
    value = found["value"]
    assert value is None or isinstance(value, float)
    return value


def test_a_rank_that_is_set_right_is_counted_and_the_reading_stays(ready: Cli, sample: str) -> None:
    read = ready("clean", "explain", sample, "--json").json()
    assert read["brands"][0]["recommendation_rank"] == 2
    assert figure(ready, "mean_rank") == 2

    done = ready(
        "clean", "correct", sample, "--brand", BRAND, "--field", "recommendation_rank", "--to", "1", "--note", "typo",
        "--json",
    ).json()  # fmt: skip
    after = ready("clean", "explain", sample, "--json").json()

    assert (done["read_value"], done["value"]) == ("2", "1")
    assert after["brands"] == read["brands"]
    assert [(one["field"], one["value"], one["note"]) for one in after["corrections"]] == [
        ("recommendation_rank", "1", "typo")
    ]
    assert figure(ready, "mean_rank") == 1
    assert figure(ready, "mean_rank", "--as-read") == 2
    assert ready("report", BRAND, "--json").json()["corrected"] == 1


def test_a_mention_that_is_none_takes_what_follows_from_it_along(ready: Cli, sample: str) -> None:
    matches = ready("clean", "explain", sample, "--json").json()["matches"]
    for match in matches:
        at = f"{match['match_position']}:{match['match_position'] + match['match_length']}"
        said = ready("clean", "correct", sample, "--brand", BRAND, "--field", "mention", "--at", at, "--to", "no")
        assert said.code == 0, said.err

    assert len(matches) == 2
    assert figure(ready, "visibility") == 0
    assert figure(ready, "recommendation_rate") == 0
    assert figure(ready, "visibility", "--as-read") == 1


def test_an_answer_that_is_none_is_left_out(ready: Cli, sample: str) -> None:
    assert ready("clean", "correct", sample, "--field", "is_valid", "--to", "refused").code == 0

    report = ready("report", BRAND, "--json").json()

    assert report["overall"]["valid"] == 0
    assert figure(ready, "visibility") is None


def test_a_correction_outlives_reading_anew_and_can_be_taken_back(ready: Cli, sample: str) -> None:
    done = ready(
        "clean", "correct", sample, "--brand", BRAND, "--field", "is_recommended", "--to", "no", "--json"
    ).json()
    assert ready("clean", "redo", "--all", "--force").code == 0
    assert figure(ready, "recommendation_rate") == 0

    assert ready("clean", "uncorrect", str(done["correction_id"])).code == 0

    assert figure(ready, "recommendation_rate") == 1
    assert ready("clean", "corrections", "--json").json() == []
    assert ready("clean", "uncorrect", str(done["correction_id"])).code == 2


def test_the_same_value_again_changes_nothing_and_another_takes_its_place(ready: Cli, sample: str) -> None:
    rank = ("clean", "correct", sample, "--brand", BRAND, "--field", "recommendation_rank", "--json", "--to")
    first = ready(*rank, "1").json()

    again, other = ready(*rank, "1").json(), ready(*rank, "none").json()

    assert again == first
    assert [one["value"] for one in ready("clean", "corrections", "--json").json()] == ["none"]
    assert other["value"] == "none"
    assert figure(ready, "mean_rank") is None


def test_corrected_answers_become_labelled_rows_that_the_reader_fails(ready: Cli, sample: str, tmp_path: Path) -> None:
    ready("clean", "correct", sample, "--brand", BRAND, "--field", "recommendation_rank", "--to", "1")
    labels = tmp_path / "labels.jsonl"

    written = ready("clean", "corrections", "--labels", str(labels), "--json").json()
    measured = ready("evaluate", str(labels), "--json").json()

    assert written["count"] == 1
    row = json.loads(labels.read_text(encoding="utf-8"))
    assert (row["id"], row["brands"][0]["recommendation_rank"], row["brands"][0]["mention_count"]) == (sample, 1, 2)
    assert row["brands"][0]["exclude"] == ["砚山咖啡机"]
    assert (measured["mention_f1"], measured["rank"]) == (1.0, 0.0)
    assert ready("clean", "corrections", "--labels", str(labels)).code == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--field", "mood", "--to", "yes"), "is_recommended"),
        (("--field", "is_valid", "--to", "perhaps"), "garbled"),
        (("--field", "is_valid", "--to", "valid"), "already"),
        (("--field", "is_valid", "--to", "error", "--brand", BRAND), "--brand"),
        (("--field", "is_recommended", "--to", "no"), "--brand"),
        (("--field", "is_recommended", "--to", "no", "--brand", "nobody"), "nobody"),
        (("--field", "recommendation_rank", "--to", "0", "--brand", BRAND), "none"),
        (("--field", "mention", "--to", "yes", "--brand", BRAND), "--at"),
        (("--field", "mention", "--to", "yes", "--brand", BRAND, "--at", "5:99999"), "5:99999"),
        (("--field", "mention", "--to", "yes", "--brand", BRAND, "--at", "24:27"), "overlaps"),
        (("--field", "is_top_pick", "--to", "yes", "--brand", BRAND, "--at", "1:2"), "--at"),
    ],
)
def test_what_cannot_be_is_refused_with_the_way_out(
    ready: Cli, sample: str, options: tuple[str, ...], said: str
) -> None:
    refused = ready("clean", "correct", sample, *options)

    assert refused.code == 2
    assert said in refused.err
    assert ready("clean", "corrections", "--json").json() == []


def test_a_place_needs_a_recommendation(ready: Cli, sample: str) -> None:
    assert ready("clean", "correct", sample, "--brand", BRAND, "--field", "is_recommended", "--to", "no").code == 0

    refused = ready("clean", "correct", sample, "--brand", BRAND, "--field", "recommendation_rank", "--to", "1")

    assert refused.code == 2
    assert "is_recommended" in refused.err
    assert ready("clean", "correct", "nowhere", "--field", "is_valid", "--to", "error").code == 2
