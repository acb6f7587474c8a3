"""The demo is one command; cut short, it goes on where it was."""

from __future__ import annotations

import signal

from tests.e2e.cli.program import Program


def test_an_interrupted_demo_goes_on_and_shows_its_figures(program: Program) -> None:
    folder = str(program.home)
    with program.started("demo", "--keep", folder, "--rounds", "1") as begun:
        assert begun.err_line().startswith("Batch ")
        begun.signal(signal.SIGINT)
        stopped = begun.ended()
    assert stopped.code == 130, stopped.err.decode()
    assert f"answerwatch demo --keep {folder}" in stopped.err.decode()

    ended = program.run("demo", "--keep", folder, "--rounds", "1")
    shown = ended.out.decode()

    assert ended.code == 0, ended.err.decode()
    (batch,) = program.run("batch", "list", "--json").json()
    assert (batch["total"], batch["completed"] + batch["failed"], batch["failed"]) == (72, 72, 1)
    assert all(platform in shown for platform in ("deepseek-sim", "kimi-sim", "tongyi-sim"))
    assert "call tried again" in shown
    assert "given up" in shown
    assert "%" in shown


def test_a_folder_of_somebody_else_is_not_used_for_the_demo(program: Program) -> None:
    assert program.run("init").code == 0
    refused = program.run("demo", "--keep", str(program.home))

    assert refused.code == 2
    assert b"not the demo's" in refused.err
