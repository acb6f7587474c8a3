"""Exports as processes: on a terminal, into a pipe that closes, interrupted."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from answerwatch.workspace import open_workspace
from tests.e2e.cli.program import Program

pytestmark = pytest.mark.usefixtures("heard_signals")


def filled(program: Program, *, rows: int = 1, text: str = "哪个好") -> None:
    with open_workspace(program.home) as ws:
        ws.init()
        file = program.home / "bank.csv"
        file.write_text("\n".join(["question", *(f"{number} {text}" for number in range(rows))]), encoding="utf-8")
        assert ws.questions.import_file(file, apply=True).applied


def test_rows_cannot_drive_the_terminal_that_shows_them(program: Program) -> None:
    filled(program)
    file = program.home / "answers.jsonl"
    row = {"platform": "kimi", "question": "哪个好", "answer": "0 \x1b[2J\x1b[31m\x07"}
    file.write_text(json.dumps(row), encoding="utf-8")
    with open_workspace(program.home) as ws:
        ws.samples.import_file(file)
    ours, theirs = os.openpty()
    arguments = [sys.executable, "-m", "answerwatch", "export", "samples", "-", "--columns", "raw_response"]
    subprocess.run(
        arguments, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=program.environment(), check=True
    )
    said = os.read(ours, 10_000)
    os.close(theirs)
    os.close(ours)

    assert b"\x1b" not in said
    assert b"0 \\u001b[2J\\u001b[31m\\u0007" in said


def test_a_workbook_is_not_written_on_a_terminal(program: Program) -> None:
    filled(program)
    ours, theirs = os.openpty()
    arguments = [sys.executable, "-m", "answerwatch", "export", "questions", "-", "--format", "xlsx"]
    done = subprocess.run(
        arguments, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=program.environment(), check=False
    )
    os.close(theirs)
    os.close(ours)

    assert done.returncode == 2
    assert b"A workbook cannot be shown on a terminal" in done.stderr


def test_a_reader_who_goes_away_ends_the_export_quietly(program: Program) -> None:
    filled(program, rows=3_000, text="哪个好" * 30)
    with program.started("export", "questions", "-", "--format", "jsonl") as running:
        assert running.out_line().startswith('{"question_id":')
        running.process.stdout.close()  # type: ignore[union-attr]  # it is a pipe
        code = running.process.wait()
        assert running.process.stderr is not None
        assert b"Traceback" not in running.process.stderr.read()

    assert code != 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_an_export_that_nobody_takes(program: Program, tmp_path: Path, number: signal.Signals) -> None:
    filled(program, rows=3_000, text="哪个好" * 30)
    with program.started("export", "questions", "-", "--format", "jsonl") as running:
        running.out_line()  # the pipe is full by now, or will be before all rows are in it
        running.signal(number)
        ended = running.ended()

    assert ended.code == 130
    assert ended.err.decode() == "Interrupted.\n"
    assert not list(tmp_path.glob("**/.answerwatch-*"))


WRITES_AND_SAYS_SO = """
import sys, time
from pathlib import Path
from answerwatch.workspace.exports.layout import Layout
from answerwatch.workspace.exports.writers import FORMATS
from answerwatch.workspace.files.fresh_file import fresh_file

with fresh_file(Path(sys.argv[1]), force=False) as file:
    writer = FORMATS["xlsx"](file, Layout(name="rows", columns=(), zone=None, zone_name=""), Path(file.name))
    print("begun", flush=True)
    sys.stdin.read()
"""


def test_what_a_killed_export_left_is_removed_by_the_next_and_what_is_being_written_is_not(
    program: Program, tmp_path: Path
) -> None:
    filled(program)
    folder = tmp_path / "out"
    folder.mkdir()

    def left() -> set[str]:
        return {path.name for path in folder.iterdir()}

    def export(name: str) -> None:
        assert program.run("export", "questions", str(folder / name)).code == 0

    with subprocess.Popen(
        [sys.executable, "-c", WRITES_AND_SAYS_SO, str(folder / "never.xlsx")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as writing:
        assert writing.stdout is not None
        assert writing.stdout.readline() == b"begun\n"
        begun = left()
        assert len(begun) == 2  # the workbook, and the folder of what does not fit into memory
        export("a.csv")
        assert left() == {*begun, "a.csv"}
        writing.kill()
    export("b.csv")

    assert left() == {"a.csv", "b.csv"}
