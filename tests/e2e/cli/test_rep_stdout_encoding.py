"""Report rep-stdout-encoding: locales that cannot show Chinese, closed pipes, and bytes that are no text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.cli.program import Program

ANSWERS = 300
BRAND = "砚山咖啡"
ASCII = {"PYTHONIOENCODING": "ascii"}
BARE_C = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A program over a workspace with a brand, a question and imported answers."""
    folder = tmp_path_factory.mktemp("encoding")
    program = Program(folder / "workspace")
    answers = folder / "answers.jsonl"
    rows = (
        {"question": f"咖啡推荐{n}？", "answer": f"推荐{BRAND}，第{n}条", "platform": "kimi"} for n in range(ANSWERS)
    )
    answers.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    for arguments in (
        ("init",),
        ("brands", "add", BRAND),
        ("questions", "add", "哪些咖啡值得推荐？", "--scene", "RECOMMEND", "--id", "Q1"),
        ("samples", "import", str(answers)),
        ("clean", "run"),
    ):
        ended = program.run(*arguments)
        assert ended.code == 0, ended.err.decode()
    return program


def first_sample(program: Program) -> str:
    return str(program.run("samples", "list", "--limit", "1", "--json").json()[0]["sub_task_id"])


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, BARE_C], ids=["C", "C without coercion"])
def test_a_sample_is_shown_under_the_c_locale(filled: Program, locale: dict[str, str]) -> None:
    shown = filled.run("samples", "show", first_sample(filled), env=locale)

    assert shown.code == 0
    assert b"Traceback" not in shown.err
    assert BRAND.encode() in shown.out or shown.err.count(b"cannot be shown") == 1


def test_a_report_in_ascii_replaces_and_says_so_once(filled: Program) -> None:
    shown = filled.run("report", BRAND, env=ASCII)

    assert shown.code == 0
    assert shown.out.isascii()
    assert b"?" in shown.out
    assert shown.err.count(b"cannot be shown in ascii") == 1


def test_json_is_utf_8_whatever_the_locale_says(filled: Program) -> None:
    for environment in (ASCII, {"PYTHONIOENCODING": "cp936"}, BARE_C):
        shown = filled.run("report", BRAND, "--json", env=environment)
        assert json.loads(shown.out.decode("utf-8"))["brand"] == BRAND
        assert b"cannot be shown" not in shown.err


def test_a_list_in_cp936_is_readable_there(filled: Program) -> None:
    shown = filled.run("questions", "list", env={"PYTHONIOENCODING": "cp936"})

    assert shown.code == 0
    assert "哪些咖啡值得推荐？" in shown.out.decode("cp936")
    assert not shown.err


def test_chinese_gives_way_to_english_where_it_cannot_be_shown(filled: Program) -> None:
    shown = filled.run("clean", "stuck", env={"ANSWERWATCH_LANGUAGE": "zh", **ASCII})

    assert shown.out == b"No task is stuck.\n"


def test_a_closed_pipe_is_left_quietly(filled: Program) -> None:
    process = filled.start("samples", "list", "--limit", str(ANSWERS), "--json")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b"[\n"
    process.stdout.close()

    assert process.stderr.read() == b""
    assert process.wait() == 141


def test_both_streams_closed_is_left_quietly_too(filled: Program) -> None:
    shell = (
        f'"{sys.executable}" -m answerwatch samples list --limit {ANSWERS} 2>&1 | head -1; echo "${{PIPESTATUS[0]}}"'
    )
    done = subprocess.run(
        ["bash", "-c", shell], capture_output=True, env=filled.environment(), timeout=120, check=False
    )

    assert done.stderr == b""
    assert done.stdout.splitlines()[-1] in (b"0", b"141")


@pytest.mark.parametrize(("data", "offset"), [(b"\xff\xfe\xd0\xa1", 0), ("好".encode() + b"\xd0\xff", 3)])
def test_undecodable_standard_input_is_refused_with_its_offset(filled: Program, data: bytes, offset: int) -> None:
    ended = filled.run("clean", "text", stdin=data)

    assert ended.code == 2
    assert ended.out == b""
    assert f"byte {offset}".encode() in ended.err
    assert len(ended.err.splitlines()) == 1


def test_undecodable_arguments_are_refused_and_nothing_is_stored(filled: Program) -> None:
    before = filled.run("brands", "list", "--json").json()
    ended = filled.run("brands", "add", "小".encode() + b"\xff")

    assert ended.code == 2
    assert b"byte 3" in ended.err
    assert filled.run("brands", "list", "--json").json() == before


def test_chinese_arguments_are_understood_under_the_bare_c_locale(filled: Program) -> None:
    assert filled.run("report", BRAND, "--json", env=BARE_C).json()["brand"] == BRAND


def test_standard_streams_may_be_missing(tmp_path: Path) -> None:
    program = Program(tmp_path / "workspace")
    shell = f'"{sys.executable}" -m answerwatch init >&- 2>&-'
    done = subprocess.run(["bash", "-c", shell], env=program.environment(), timeout=120, check=False)

    assert done.returncode == 0
    assert (tmp_path / "workspace" / "platforms.toml").exists()
