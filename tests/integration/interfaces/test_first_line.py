"""The first line through the product as people type it, with the fixed spellings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli

RUN = ("batch", "run", "--brand", "砚山咖啡", "--scene", "RECOMMEND", "--rounds", "2")


def test_a_batch_is_run_reported_and_explained(asked: Cli) -> None:
    run = asked(*RUN, "--platform", "calm", "--json").json()
    batch = run["batch_id"]

    assert (run["end"], run["total"], run["completed"], run["failed"]) == ("completed", 4, 4, 0)
    status = asked("batch", "status", batch, "--json").json()
    assert {key: status[key] for key in ("total", "completed", "failed", "running", "pending", "status")} == {
        "total": 4,
        "completed": 4,
        "failed": 0,
        "running": 0,
        "pending": 0,
        "status": "completed",
    }
    samples = asked("samples", "list", "--batch", batch, "--json").json()
    assert len(samples) == 4
    explained = asked("clean", "explain", samples[0]["sub_task_id"], "--json").json()
    assert explained["source_task_id"] == samples[0]["sub_task_id"]
    assert any(match["is_valid_match"] for match in explained["matches"])
    report = asked("report", "砚山咖啡", "--json").json()
    assert (report["overall"]["planned"], report["overall"]["valid"]) == (4, 4)
    visibility = next(figure for figure in report["overall"]["figures"] if figure["name"] == "visibility")
    assert (visibility["value"], visibility["numerator"], visibility["denominator"]) == (1.0, 4.0, 4)


def test_what_people_see_after_a_run_names_the_next_command(asked: Cli) -> None:
    run = asked(*RUN, "--platform", "calm")
    report = asked("report", "砚山咖啡")

    assert run.code == 0
    assert "answerwatch report 砚山咖啡" in run.err
    assert "completed" in run.out
    assert "100.0%" in report.out
    assert "4/4" in report.out
    assert "Wilson" in report.out


def test_a_report_over_answers_read_under_two_lexicons_says_so(ready: Cli, tmp_path: Path) -> None:
    def read_one(file: str, question: str) -> str:
        row = {"question": question, "answer": "1. 砚山咖啡\n2. 别家", "platform": "kimi"}
        (tmp_path / file).write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
        assert ready("samples", "import", file, "--brand", "砚山咖啡").code == 0
        assert ready("clean", "run").code == 0
        shown = ready("report", "砚山咖啡", "--json").json()["versions"]["mixed"]
        return f"{shown}: {ready('report', '砚山咖啡').out}"

    alone = read_one("first.jsonl", "哪家咖啡好？")
    assert ready("brands", "add", "别家").code == 0
    mixed = read_one("second.jsonl", "早上喝哪家？")

    assert alone.startswith("False: ")
    assert "several versions" not in alone
    assert mixed.startswith("True: ")
    assert "several versions" in mixed


def test_failures_become_dead_letters_that_can_be_replayed(asked: Cli) -> None:
    run = asked(*RUN, "--platform", "picky")
    letters = asked("dead", "list", "--json").json()

    assert run.code == 1
    assert "answerwatch dead list" in run.err
    assert [letter["error_type"] for letter in letters] == ["bad_request", "bad_request"]
    assert asked("dead", "show", str(letters[0]["dead_id"])).code == 0
    assert asked("dead", "replay", str(letters[0]["dead_id"]), "--json").json()["replayed"] == [letters[0]["dead_id"]]
    assert len(asked("dead", "list", "--json").json()) == 1
    assert asked("dead", "replay", "--all").code == 0
    assert asked("dead", "list", "--json").json() == []


def test_a_platform_without_balance_parks_its_calls_and_says_what_to_do(asked: Cli) -> None:
    run = asked(*RUN, "--platform", "poor")

    assert run.code == 1
    assert "answerwatch platforms unpark poor" in run.err
    alerts = asked("alerts", "list", "--json").json()
    assert [alert["kind"] for alert in alerts] == ["lane_parked"]
    assert asked("platforms", "unpark", "poor").code == 0
    assert "1 marked" in asked("alerts", "ack", "--all").out
    assert asked("alerts", "list", "--json").json() == []


def test_plan_create_pause_resume_cancel_watch(asked: Cli) -> None:
    plan = asked("batch", "plan", "--brand", "砚山咖啡", "--platform", "calm", "--json").json()
    assert (plan["questions"], plan["rounds"], plan["calls"]) == (2, 3, 6)
    create = ("batch", "create", "--brand", "砚山咖啡", "--platform", "calm", "--idempotency-key", "k1", "--json")
    (batch,) = asked(*create).json()
    assert asked(*create).json() == [batch]
    batch_id = batch["batch_id"]
    assert asked("batch", "pause", batch_id).code == 0
    assert asked("batch", "show", batch_id).code == 0
    resumed = asked("batch", "resume", batch_id, "--json").json()
    assert (resumed["end"], resumed["completed"]) == ("completed", 6)
    assert asked("batch", "watch", batch_id, "--json").json()["status"] == "completed"
    (other,) = asked("batch", "create", "--brand", "砚山咖啡", "--platform", "calm", "--json").json()
    assert asked("batch", "cancel", other["batch_id"]).code == 0
    statuses = {view["batch_id"]: view["status"] for view in asked("batch", "list", "--json").json()}
    assert statuses == {batch_id: "completed", other["batch_id"]: "cancelled"}


def test_questions_are_previewed_before_they_are_imported(ready: Cli, tmp_path: Path) -> None:
    bank = tmp_path / "bank.csv"
    bank.write_text(
        "question_id,scene_type,query_text\nQ1,RECOMMEND,改过的问题？\nQ9,RISK,新问题？\n", encoding="utf-8"
    )

    preview = ready("questions", "import", str(bank))
    assert preview.code == 0
    assert "--apply" in preview.out
    assert len(ready("questions", "list", "--json").json()) == 2
    assert ready("questions", "import", str(bank), "--apply", "--json").json()["applied"] is True
    shown = ready("questions", "show", "Q1", "--json").json()
    assert [version["query_text"] for version in shown["versions"]][-2:] == ["哪些连锁咖啡值得推荐？", "改过的问题？"]
    assert len(ready("questions", "list", "--scene", "RISK", "--json").json()) == 1


def test_a_question_is_edited_retired_and_restored_by_command(ready: Cli) -> None:
    assert ready("questions", "add", "哪家好？", "--scene", "RISK", "--id", "QE").code == 0

    assert "version 2" in ready("questions", "edit", "QE", "--text", "哪家更好？", "--note", "明确").out
    history = ready("questions", "history", "QE").out
    assert "{+更+}" in history
    assert "明确" in history
    assert [one["is_active"] for one in ready("questions", "retire", "QE", "--json").json()] == [False]
    assert [one["is_active"] for one in ready("questions", "restore", "QE", "--json").json()] == [True]
    assert ready("questions", "edit", "QE").code == 2


def test_answers_collected_elsewhere_are_imported_and_cleaned(ready: Cli, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        '{"question": "咖啡推荐？", "answer": "1. 砚山咖啡\\n2. 霁白咖啡", "platform": "kimi", "model": "m-2026"}\n',
        encoding="utf-8",
    )

    imported = ready("samples", "import", str(answers), "--json").json()
    cleaned = ready("clean", "run", "--json").json()
    (sample,) = ready("samples", "list", "--batch", imported["batch_id"], "--json").json()

    assert (imported["rows"], imported["imported"]) == (1, 1)
    assert (cleaned["cleaned"], cleaned["valid"], cleaned["failed"]) == (1, 1, 0)
    assert (sample["platform"], sample["is_valid"]) == ("kimi-import", True)
    shown = ready("samples", "show", sample["sub_task_id"]).out
    assert "砚山咖啡" in shown
    assert "m-2026" in shown, "what is told of an answer is shown"
    assert ready("clean", "stuck", "--json").json() == []
    assert ready("clean", "status", "--json").json()["outstanding"] == 0
    assert "imported before" in ready("samples", "import", str(answers)).out


def test_a_text_is_cleaned_with_names_given_or_with_the_lexicon(cli: Cli, ready: Cli) -> None:
    text = "推荐：\n1. 砚山咖啡，稳定\n2. 砚山咖啡机，另一家".encode()

    given = cli(
        "clean", "text", "--question", "咖啡推荐", "--brand", "砚山=砚山咖啡,Yanshan", "--json", stdin=text
    ).json()
    own = ready("clean", "text", "--scene", "RECOMMEND", "--json", stdin=text).json()

    assert [match["is_valid_match"] for match in given["reading"]["matches"]] == [True, True]
    assert [match["reason"] for match in own["reading"]["matches"]] == ["accepted", "excluded"]
    table = ready("clean", "text", stdin=text).out
    assert "exclude phrase" in table
    assert "砚山咖啡机" in table


def test_brands_can_be_changed_and_tried(ready: Cli) -> None:
    assert ready("brands", "alias", "砚山咖啡", "砚山").code == 0
    assert ready("brands", "exclude", "砚山咖啡", "砚山镇").code == 0
    (brand,) = ready("brands", "list", "--json").json()
    assert {alias["text"] for alias in brand["aliases"]} >= {"砚山", "Yanshan Coffee"}
    assert "excluded" in ready("brands", "test", "砚山镇的咖啡和砚山咖啡", "--json").out
    assert "砚山咖啡" in ready("brands", "test", "-", stdin="砚山咖啡不错".encode()).out


def test_platforms_are_listed_with_their_limits_and_checked(asked: Cli) -> None:
    listed = asked("platforms", "list", "--json").json()

    assert [(platform["name"], platform["rate"]) for platform in listed] == [("calm", 50), ("picky", 50), ("poor", 50)]
    assert asked("platforms", "check").code == 0
    assert "deepseek" in asked("platforms", "list", "--catalogue").out


def test_the_state_of_the_workspace_is_told(ready: Cli, home: Path) -> None:
    assert ready("status", "--json").json()["questions"] == 2
    assert ready("status").code == 0
    assert all(check["grade"] != "fail" for check in ready("doctor", "--json").json())
    settings = {setting["key"]: setting for setting in ready("config", "show", "--json").json()}
    assert settings["home"]["value"] == str(home)
    assert settings["language"]["origin"] == "environment"
    assert ready("db", "check").code == 0
    assert ready("db", "upgrade").code == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_command_explains_itself(cli: Cli, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("ANSWERWATCH_LANGUAGE", language)
    helps = [cli("--help"), cli("batch", "--help"), cli("batch", "run", "--help"), cli("dead", "replay", "--help")]

    assert [shown.code for shown in helps] == [0, 0, 0, 0]
    assert not [shown.out for shown in helps if re.search(r"\b(help|option|group)\.[a-z]", shown.out)]


def test_a_group_without_a_command_shows_its_help_as_wrong_use(cli: Cli) -> None:
    assert (cli().code, cli("batch").code) == (2, 2)
    assert cli("--version").out.startswith("answerwatch ")
