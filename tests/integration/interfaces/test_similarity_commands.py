"""Similarity jobs from the command line."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli


@pytest.fixture
def lists(tmp_path: Path) -> tuple[str, str]:
    left, right = tmp_path / "left.txt", tmp_path / "right.jsonl"
    left.write_bytes("怎么退货\r\n\r\n=1+1\r\n".encode("gb18030"))
    lines = [{"text": "怎么退货"}, {"text": 5}, {"text": "退货流程"}]
    right.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return str(left), str(right)


def test_a_plan_is_shown_and_nothing_is_stored(ready: Cli, lists: tuple[str, str]) -> None:
    plan = ready("similarity", "submit", *lists, "--json").json()

    assert (plan["plan"]["pairs"], plan["problems"]) == (4, 2)
    assert [(one["side"], one["line"], one["reason"]) for one in plan["first_problems"]] == [
        ("left", 2, "empty"),
        ("right", 2, "no_text"),
    ]
    assert ready("similarity", "list", "--json").json() == []


def test_a_job_is_done_and_its_best_pairs_are_written(ready: Cli, lists: tuple[str, str], tmp_path: Path) -> None:
    job = ready("similarity", "submit", *lists, "--yes", "--wait", "--json").json()

    rows = list(csv.DictReader(io.StringIO(ready("similarity", "results", job["job_id"], "--top-k", "1").out)))
    out = tmp_path / "all.jsonl"
    written = ready("similarity", "results", job["job_id"], "--min-score", "-1", "--format", "jsonl", "--out", str(out))

    assert (job["status"], job["processed"], job["failed"]) == ("completed", 4, 0)
    assert (rows[0]["left_line"], rows[0]["right_line"]) == ("1", "1")
    assert rows[1]["left"] == "'=1+1"
    assert written.code == 0
    assert len(out.read_text(encoding="utf-8").splitlines()) == 4
    assert ready("similarity", "pair", f"{job['job_id']}:1:1", "--json").json()["score"] == 1.0
    assert ready("similarity", "pair", f"{job['job_id']}:2:1", "--json").json()["reason"] == "no_text"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("submit", "nowhere.txt"), "nowhere.txt"),
        (("status", "SIM_NONE"), "SIM_NONE"),
        (("results", "SIM_NONE"), "--top-k"),
        (("pair", "nonsense"), "JOB:LEFT:RIGHT"),
        (("cancel", "SIM_NONE"), "SIM_NONE"),
    ],
)
def test_what_is_not_there_is_told(ready: Cli, arguments: tuple[str, ...], said: str) -> None:
    refused = ready("similarity", *arguments)

    assert refused.code == 2
    assert said in refused.err


def test_thresholds_are_listed_and_measuring_them_needs_texts(ready: Cli) -> None:
    listed = ready("similarity", "calibrations", "--json").json()
    refused = ready("similarity", "calibrate", "--purpose", "sameness", "--scorer", "lexical")

    assert {(one["scorer_name"], one["purpose"]) for one in listed} >= {
        ("lexical", "relevance"),
        ("lexical", "sameness"),
    }
    assert refused.code == 2
    assert "50" in refused.err


def test_questions_that_say_the_same_are_retired_when_that_is_wanted(ready: Cli) -> None:
    for text in (
        "三口之家的冰箱推荐哪个牌子",
        "请问三口之家的冰箱推荐哪个牌子？",
        "学生的电脑怎么选",
        "老人的手机怎么选",
    ):
        ready("questions", "add", text, "--scene", "RECOMMEND")

    shown = ready("questions", "dedupe", "--scorer", "lexical")
    retired = ready("questions", "dedupe", "--scorer", "lexical", "--retire", "--json").json()
    doubted = ready("questions", "dedupe", "--scorer", "lexical", "--above", "0", "--retire", "--json")

    assert "--retire" in shown.out
    assert [one["kept_text"] for one in retired["twins"]] == ["三口之家的冰箱推荐哪个牌子"]
    active = ready("questions", "list", "--json").json()
    assert [one["query_text"] for one in active if not one["is_active"]] == ["请问三口之家的冰箱推荐哪个牌子？"]
    assert doubted.code == 1
    assert json.loads(doubted.out)["is_doubtful"]
