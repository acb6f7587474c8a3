"""Wrong use and broken surroundings end in one line that says what to do, and in exit code 2 or 3."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli, Finished

RUN = ("batch", "run", "--brand", "砚山咖啡", "--rounds", "1", "--platform")


def refused(finished: Finished, code: int) -> str:
    """The single line that a refused command prints."""
    assert finished.code == code, finished.err
    assert not finished.out
    (line,) = finished.err.splitlines()
    assert "Traceback" not in line
    return line


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("batch", "run", "--brand", "砚山咖啡"), "--platform"),
        ((*RUN, "nowhere"), "nowhere"),
        (("batch", "plan", "--brand", "没有这个牌子", "--platform", "calm"), "没有这个牌子"),
        ((*RUN, "calm", "--scene", "RISK"), "RISK"),
        ((*RUN, "calm", "--rounds", "0"), "rounds"),
        (("batch", "status", "BATCH_NONE"), "BATCH_NONE"),
        (("samples", "show", "NONE"), "NONE"),
        (("clean", "explain", "NONE"), "NONE"),
        (("report", "没有这个牌子"), "没有这个牌子"),
        (("dead", "show", "77"), "77"),
        (("dead", "replay"), "--all"),
        (("dead", "show", "9" * 30), "ID"),
        (("dead", "replay", "9" * 30), "ID"),
        (("dead", "drop", "9" * 30), "ID"),
        (("questions", "list", "--limit", "9" * 30), "--limit"),
        (("batch", "plan", "--brand", "砚山咖啡", "--platform", "calm", "--timeout", "inf"), "inf"),
        (("batch", "create", "--brand", "砚山咖啡", "--platform", "calm", "--timeout", "1e300", "--force"), "a year"),
        (("batch", "create", "--brand", "砚山咖啡", "--platform", "calm", "--idempotency-key", ""), "idempotency_key"),
        (("report", "砚山咖啡", "--since", "0001-01-01"), "0001-01-01"),
        (("alerts", "ack", "5", "--all"), "--all"),
        (("brands", "add", "霁白咖啡", "--alias", "Yanshan Coffee"), "Yanshan Coffee"),
        (("questions", "import", "missing.csv"), "missing.csv"),
        (("samples", "import", "missing.jsonl"), "missing.jsonl"),
        (("clean", "text", "--brand", "=x"), "NAME=ALIAS"),
        (("worker", "--queues", "sweep"), "collect"),
        (("report", "砚山咖啡", "--platform", "callm"), "calm"),
        (("report", "砚山咖啡", "--scene", "zz"), "RECOMMEND"),
        (("report", "砚山咖啡", "--since", "2026-05-01", "--until", "2026-01-01"), "--until"),
        (("report", "砚山咖啡", "--batch", "BATCH_NONE"), "batch list"),
        (("samples", "list", "--batch", "BATCH_NONE"), "batch list"),
        (("samples", "list", "--platform", "nowhere"), "calm, picky, poor"),
        (("samples", "list", "--brand", "没有这个牌子"), "砚山咖啡"),
        (("samples", "list", "--question", "Q77"), "questions list"),
        (("questions", "list", "--scene", "RECOMEND"), "RECOMMEND"),
        (("dead", "list", "--queue", "kollect"), "collect, clean"),
        (("dead", "replay", "--all", "--queue", "kollect"), "collect, clean"),
        (("dead", "replay", "1", "--queue", "kollect"), "collect, clean"),
        (("questions", "add", "x", "--scene", "--"), "letters"),
        (("platforms", "add", "nope"), "--base-url"),
        (("platforms", "add", "deepsek"), "has deepseek"),
        (("platforms", "add", "kimi", "--rate", "0"), "rate"),
        (("batch", "runn"), "runn"),
        (("clean", "diff", "--from", "9"), "There is no generation 9"),
        (("questions", "list", "--nonsense"), "--nonsense"),
        (("platforms", "simulate", "--host", "192.0.2.1", "--port", "0"), "--allow-remote"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_use_is_told_in_one_line(asked: Cli, arguments: tuple[str, ...], told: str) -> None:
    assert told in refused(asked(*arguments), 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ("brands", "diff", "N", "1"),
        ("brands", "diff", "1", "N"),
        ("brands", "show", "砚山咖啡", "--version", "N"),
        ("brands", "test", "砚山咖啡", "--version", "N"),
        ("brands", "rule", "砚山咖啡", "咖啡", "--kind", "require", "--window", "N"),
        ("batch", "plan", "--brand", "砚山咖啡", "--platform", "calm", "--rounds", "N"),
        ("batch", "plan", "--brand", "砚山咖啡", "--platform", "calm", "--window", "N/N"),
        ("platforms", "add", "kimi", "--capacity", "N"),
        ("platforms", "add", "kimi", "--in-flight", "N"),
        ("alerts", "ack", "N"),
        ("dead", "show", "--", "-N"),
        ("clean", "diff", "--from", "N"),
    ],
    ids=" ".join,
)
def test_numbers_that_nothing_holds_are_told_in_one_line(asked: Cli, arguments: tuple[str, ...]) -> None:
    refused(asked(*(word.replace("N", "9" * 30) for word in arguments)), 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ("report", "砚山咖啡", "--platform", "picky"),
        ("report", "砚山咖啡", "--platform", "深度求索", "--scene", "risk"),
        ("samples", "list", "--platform", "deepseek-import"),
        ("samples", "list", "--brand", "yanshan coffee", "--question", "Q1"),
        ("questions", "list", "--scene", "COMPARE"),
        ("dead", "list", "--queue", "clean"),
    ],
    ids=" ".join,
)
def test_a_known_value_that_nothing_has_yet_is_an_empty_result(asked: Cli, arguments: tuple[str, ...]) -> None:
    assert asked(*arguments).code == 0


def test_a_generation_that_there_is_not_is_told_alike_wherever_it_is_asked_for(ready: Cli, tmp_path: Path) -> None:
    told = "There is no generation 9; the newest is 1."
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"question": "a", "answer": "b", "platform": "kimi", "scene": "GIFT"}\n', encoding="utf-8")
    ready("samples", "import", str(answers))
    (sample,) = ready("samples", "list", "--json").json()

    assert told in refused(ready("clean", "explain", sample["sub_task_id"], "--generation", "9"), 2)
    assert told in refused(ready("clean", "diff", "--from", "9"), 2)


def test_scenes_and_platforms_of_imported_answers_are_known(ready: Cli, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    row = '{"question": "a", "answer": "b", "platform": "House Bot", "scene": "GIFT", "question_id": "X1"}\n'
    answers.write_text(row, encoding="utf-8")
    ready("samples", "import", str(answers))

    (sample,) = ready("samples", "list", "--platform", "house-bot-import", "--question", "X1", "--json").json()
    assert ready("report", "砚山咖啡", "--scene", "gift", "--platform", sample["platform"]).code == 0


def test_a_workspace_that_was_never_made_says_how_to_make_one(cli: Cli) -> None:
    assert "answerwatch init" in refused(cli("status"), 3)


def test_a_corrupt_settings_file_is_named(ready: Cli, home: Path) -> None:
    (home / "answerwatch.toml").write_text("collect_slots = = 3", encoding="utf-8")

    assert "answerwatch.toml" in refused(ready("status"), 3)


def test_an_unusable_setting_is_named_with_its_place(ready: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWERWATCH_COLLECT_SLOTS", "many")

    assert "ANSWERWATCH_COLLECT_SLOTS" in refused(ready("status"), 3)


def test_a_corrupt_platforms_file_is_named(ready: Cli, home: Path) -> None:
    (home / "platforms.toml").write_text("[platforms.calm]\nrat = 3\n", encoding="utf-8")

    assert "rat" in refused(ready("platforms", "list"), 3)


def test_a_missing_key_stops_a_run_before_anything_is_stored(ready: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    ready("platforms", "add", "deepseek")

    assert "DEEPSEEK_API_KEY" in refused(ready(*RUN, "deepseek"), 3)
    assert ready("batch", "list", "--json").json() == []


def test_an_unreachable_server_stops_a_run_before_anything_is_stored(ready: Cli) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        ready("platforms", "add", "gone", "--base-url", url, "--model", "m", "--key-env", "")
        line = refused(ready(*RUN, "gone"), 3)

    assert "gone" in line
    assert ready("batch", "list", "--json").json() == []


def test_rows_with_errors_import_nothing(ready: Cli, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"question": "a", "answer": "b", "platform": "kimi"}\n{"question": "a"}\n', encoding="utf-8")
    imported = ready("samples", "import", str(answers))

    assert imported.code == 2
    assert imported.err.splitlines()[0] == "Line 2, platform: it is missing"
    assert ready("samples", "list", "--json").json() == []


def test_row_errors_speak_the_language_of_the_session(
    ready: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = tmp_path / "bank.csv"
    bank.write_text("scene_type,query_text,is_active\n??,x,1\nRISK,,1\nRISK,y,z\n", encoding="utf-8")
    monkeypatch.setenv("ANSWERWATCH_LANGUAGE", "zh")

    assert ready("questions", "import", str(bank)).err.splitlines()[:3] == [
        "第 2 行，scene_type：场景“??”不能用；请用字母、数字和 _，例如 RECOMMEND、COMPARE、EVALUATE。",
        "第 3 行，query_text：缺少内容",
        "第 4 行，is_active：“z”既不是“是”也不是“否”",
    ]
    refused_ = ready("questions", "add", " ", "--scene", "RISK")
    assert (refused_.code, refused_.err.strip()) == (2, "错误：问题的 query_text 不能用：缺少内容。")


def test_a_bad_script_names_the_field(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("latencyy: 3", encoding="utf-8")

    assert "latencyy" in refused(cli("platforms", "simulate", "--script", str(script)), 3)


def test_a_taken_port_is_told(cli: Cli) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = str(held.getsockname()[1])
        assert port in refused(cli("platforms", "simulate", "--port", port), 3)


def test_errors_speak_chinese_too(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWERWATCH_LANGUAGE", "zh")

    assert refused(cli("status"), 3).startswith("错误：")


def test_a_full_disk_behind_standard_output_is_no_crash(cli: Cli) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", full)
        finished = cli("--help")

    assert finished.code == 3
    assert "No space left" in finished.err


@pytest.mark.parametrize(
    ("words", "code", "exit_code"),
    [
        (("questions", "show", "nobody"), "question_unknown", 2),
        (("samples", "import", "missing.csv"), "file_unreadable", 2),
        (("questions", "lst"), "usage", 2),
        (("questions", "list", "--limit", "x"), "usage", 2),
    ],
)
def test_an_error_is_one_line_of_json_for_who_asks_for_json(
    ready: Cli, words: tuple[str, ...], code: str, exit_code: int
) -> None:
    told = ready(*words)
    asked = ready(*words, "--json")

    assert (asked.code, asked.out) == (exit_code, "")
    error = {"code": code, "message": told.err.rstrip("\n"), "exit_code": exit_code}
    assert json.loads(asked.err) == {"error": error}


def test_a_file_in_the_place_of_the_objects_is_told_with_what_to_do(ready: Cli, home: Path) -> None:
    answers = home / "a.jsonl"
    answers.write_text('{"question": "q", "answer": "a", "platform": "kimi"}', encoding="utf-8")
    objects = home / "objects"
    if objects.exists():
        shutil.rmtree(objects)
    objects.write_text("in the way", encoding="utf-8")

    refused = ready("samples", "import", str(answers))

    assert (refused.code, refused.out) == (3, "")
    assert refused.err.startswith(f"Error: Raw answers cannot be kept in {objects}: ")
    assert "Check that the folder is there" in refused.err
