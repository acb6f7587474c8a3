"""Cleaning anew from the command line: what is said before, what is done, what changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli

ANSWERS = ("砚山咖啡值得推荐，豆子新鲜。", "老砚家的咖啡很香，可以试试。", "抱歉，我无法回答这个问题。")


@pytest.fixture
def cleaned(ready: Cli, tmp_path: Path) -> Cli:
    """Three answers, cleaned with a lexicon that lacks a nickname; the nickname has come since."""
    file = tmp_path / "answers.jsonl"
    rows = [{"question": f"q{n}", "platform": "kimi", "answer": text} for n, text in enumerate(ANSWERS)]
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    assert ready("samples", "import", str(file), "--brand", "砚山咖啡", "--scene", "RECOMMEND").code == 0
    assert ready("clean", "run").code == 0
    assert ready("brands", "alias", "砚山咖啡", "老砚家").code == 0
    return ready


def test_a_redo_says_what_it_does_before_it_does_it(cleaned: Cli) -> None:
    dry = cleaned("clean", "redo", "--all", "--dry-run")
    plan = cleaned("clean", "redo", "--all", "--dry-run", "--json").json()
    done = cleaned("clean", "redo", "--all")
    idle = cleaned("clean", "redo", "--all")

    assert "3 answers go to generation 2 (lexicon 2," in dry.out
    assert "3 from generation 1 (lexicon 1," in dry.out
    assert (plan["answers"], plan["generation"], plan["waiting"]) == (3, 2, 0)
    assert (done.code, idle.code) == (0, 0)
    assert "Cleaned 3 answers" in done.out
    assert "nothing to do" in idle.out
    forced = cleaned("clean", "redo", "--all", "--force", "--json").json()
    assert (forced["generation"], forced["cleaned"], forced["outstanding"]) == (3, 3, 0)


def test_a_redo_wants_to_know_whose_answers(cleaned: Cli) -> None:
    for arguments in ((), ("--all", "--brand", "砚山咖啡")):
        refused = cleaned("clean", "redo", *arguments)
        assert refused.code == 2
        assert "only one of them" in refused.err
    assert cleaned("clean", "redo", "--batch", "nothing").code == 2


def test_explaining_shows_the_generation_and_older_ones(cleaned: Cli) -> None:
    assert cleaned("clean", "redo", "--brand", "砚山咖啡").code == 0
    sample = cleaned("samples", "list", "--json").json()[1]["sub_task_id"]

    now = cleaned("clean", "explain", sample, "--json").json()
    before = cleaned("clean", "explain", sample, "--generation", "1", "--json").json()

    assert (now["generation"], now["generations"], before["generation"]) == (2, [2, 1], 1)
    assert (len(now["matches"]), len(before["matches"])) == (1, 0)
    assert "2, 1" in cleaned("clean", "explain", sample).out
    missing = cleaned("clean", "explain", sample, "--generation", "9")
    assert (missing.code, "no generation 9; the newest is 2" in missing.err) == (2, True)


def test_what_changed_is_shown_with_its_reason(cleaned: Cli) -> None:
    assert "What changed: answerwatch clean diff" in cleaned("clean", "redo", "--all").out

    shown = cleaned("clean", "diff")
    chinese = cleaned("clean", "diff", language="zh")
    found = cleaned("clean", "diff", "--from", "1", "--to", "2", "--json", language="en").json()

    assert "Compared 3 answers that were read in both generations; 1 are read otherwise." in shown.out
    assert "3 from generation 1 to 2 (lexicon 1 → 2" in shown.out
    assert "老砚家@0" in shown.out
    assert (found["compared"], found["changed"], len(found["answers"])) == (3, 1, 1)
    assert found["answers"][0]["matches"][0]["reason_after"] == "accepted"
    assert "比较了 3 个" in chinese.out
    assert cleaned("clean", "diff", "--from", "2", "--to", "1").code == 2
