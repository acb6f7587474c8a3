"""Exports as processes: on a terminal, into a pipe that closes, interrupted."""

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
    filled(program, text="\x1b[2J\x1b[31m\x07")
    ours, theirs = os.openpty()
    arguments = [sys.executable, "-m", "answerwatch", "export", "questions", "-", "--columns", "query_text"]
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


def test_ctrl_c_ends_an_export_that_nobody_takes(program: Program, tmp_path: Path) -> None:
    filled(program, rows=3_000, text="哪个好" * 30)
    with program.started("export", "questions", "-", "--format", "jsonl") as running:
        running.out_line()  # the pipe is full by now, or will be before all rows are in it
        running.signal(signal.SIGINT)
        ended = running.ended()

    assert ended.code == 130
    assert ended.err.decode() == "Interrupted.\n"
    assert not list(tmp_path.glob("**/.answerwatch-*"))
