"""Report rep-stdout-encoding: locales that cannot show Chinese, closed pipes, and bytes that are no text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from answerwatch.workspace import open_workspace
from tests.e2e.cli.program import Program

ANSWERS = 3
BRAND = "砚山咖啡"
ASCII = {"PYTHONIOENCODING": "ascii"}
BARE_C = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


@dataclass(frozen=True, slots=True)
class Filled:
    """A program over a workspace with a brand, a question and imported answers."""

    program: Program
    sample: str


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    folder = tmp_path_factory.mktemp("encoding")
    program = Program(folder / "workspace")
    answers = folder / "answers.jsonl"
    rows = (
        {"question": f"咖啡推荐{n}？", "answer": f"推荐{BRAND}，第{n}条", "platform": "kimi"} for n in range(ANSWERS)
    )
    answers.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    workspace = open_workspace(program.home)
    workspace.init()
    workspace.brands.add(BRAND)
    workspace.questions.add("哪些咖啡值得推荐？", scene="RECOMMEND", question_id="Q1")
    workspace.samples.import_file(answers)
    workspace.cleaning.run()
    sample = workspace.samples.list(limit=1)[0].sub_task_id
    workspace.close()
    return Filled(program, sample)


def test_a_sample_is_shown_under_the_c_locale(filled: Filled) -> None:
    shown = filled.program.run("samples", "show", filled.sample, env=BARE_C)

    assert shown.code == 0
    assert b"Traceback" not in shown.err
    assert BRAND.encode() in shown.out or shown.err.count(b"cannot be shown") == 1


def test_a_report_in_ascii_replaces_and_says_so_once(filled: Filled) -> None:
    shown = filled.program.run("report", BRAND, env=ASCII)

    assert shown.code == 0
    assert shown.out.isascii()
    assert b"?" in shown.out
    assert shown.err.count(b"cannot be shown in ascii") == 1


def test_json_and_arguments_are_utf_8_whatever_the_locale_says(filled: Filled) -> None:
    shown = filled.program.run("report", BRAND, "--json", env={**ASCII, **BARE_C})

    assert json.loads(shown.out.decode("utf-8"))["brand"] == BRAND
    assert not shown.err


def test_a_list_in_cp936_is_readable_there(filled: Filled) -> None:
    shown = filled.program.run("questions", "list", env={"PYTHONIOENCODING": "cp936"})

    assert shown.code == 0
    assert "哪些咖啡值得推荐？" in shown.out.decode("cp936")
    assert not shown.err


def test_chinese_gives_way_to_english_where_it_cannot_be_shown(filled: Filled) -> None:
    shown = filled.program.run("clean", "stuck", env={"ANSWERWATCH_LANGUAGE": "zh", **ASCII})

    assert shown.out == b"No task is stuck.\n"


def test_a_closed_pipe_is_left_quietly(filled: Filled) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = subprocess.Popen(
        [sys.executable, "-m", "answerwatch", "samples", "list", "--json"],
        stdout=write_end,
        stderr=subprocess.PIPE,
        env=filled.program.environment(),
    )
    os.close(write_end)
    _, err = process.communicate(timeout=120)

    assert err == b""
    assert process.returncode == 141


def test_both_streams_closed_is_left_quietly_too(filled: Filled) -> None:
    shell = f'"{sys.executable}" -m answerwatch samples list 2>&1 | head -1; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(
        ["bash", "-c", shell], capture_output=True, env=filled.program.environment(), timeout=120, check=False
    )

    assert done.stderr == b""
    assert done.stdout.splitlines()[-1] in (b"0", b"141")


@pytest.mark.parametrize(("data", "offset"), [(b"\xff\xfe\xd0\xa1", 0), ("好".encode() + b"\xd0\xff", 3)])
def test_undecodable_standard_input_is_refused_with_its_offset(filled: Filled, data: bytes, offset: int) -> None:
    ended = filled.program.run("clean", "text", stdin=data)

    assert ended.code == 2
    assert ended.out == b""
    assert f"byte {offset}".encode() in ended.err
    assert len(ended.err.splitlines()) == 1


def test_undecodable_arguments_are_refused_and_nothing_is_stored(filled: Filled) -> None:
    ended = filled.program.run("brands", "add", "小".encode() + b"\xff")

    assert ended.code == 2
    assert b"byte 3" in ended.err
    assert [brand.standard_name for brand in open_workspace(filled.program.home).brands.list()] == [BRAND]


def test_standard_streams_may_be_missing(tmp_path: Path) -> None:
    program = Program(tmp_path / "workspace")
    shell = f'"{sys.executable}" -m answerwatch init >&- 2>&-'
    done = subprocess.run(["bash", "-c", shell], env=program.environment(), timeout=120, check=False)

    assert done.returncode == 0
    assert (tmp_path / "workspace" / "platforms.toml").exists()
