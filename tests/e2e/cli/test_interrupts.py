"""Ctrl-C in the middle of a run leaves a batch that can be resumed, and nothing is asked for twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.workspace import open_workspace
from tests.e2e.cli.program import Program

SCRIPT = """
answers: by_question
latency: 400
"""
pytestmark = pytest.mark.usefixtures("heard_signals")

QUESTIONS = 12
RUN = ("batch", "run", "--brand", "砚山咖啡", "--platform", "sim", "--rounds", "1")


@pytest.fixture
def slow(program: Program) -> Iterator[SimulatorThread]:
    """A slow simulated platform, and questions enough in the workspace to be interrupted while asking them."""
    with SimulatorThread(parse_script(SCRIPT)) as simulator:
        workspace = open_workspace(program.home)
        workspace.init()
        workspace.brands.add("砚山咖啡")
        for number in range(QUESTIONS):
            workspace.questions.add(f"咖啡推荐{number}？", scene="RECOMMEND")
        values = {"base_url": f"{simulator.base_url}/v1", "model": "sim-answer", "key_env": "", "in_flight": 2}
        workspace.platforms.add("sim", {**values, "rate": 20, "capacity": 2})
        workspace.close()
        yield simulator


def test_an_interrupted_run_is_resumed_without_asking_twice(program: Program, slow: SimulatorThread) -> None:
    with program.started(*RUN, "--json") as running:
        batch = running.err_line().split()[1].removesuffix(":")
        running.signal(signal.SIGINT)
        stopped = running.ended()

    assert stopped.code == 130, stopped.err.decode()
    assert f"answerwatch batch resume {batch}" in stopped.err.decode()
    assert b"Traceback" not in stopped.err
    told = json.loads(stopped.out)
    assert (told["end"], told["batch_id"], told["running"]) == ("paused", batch, 0)
    assert told["completed"] < QUESTIONS
    resumed = program.run("batch", "resume", batch, "--json").json()
    asked = [str(call["question"]) for call in slow.calls() if call["answered"]]
    assert (resumed["end"], resumed["completed"]) == ("completed", QUESTIONS)
    assert sorted(asked) == sorted(set(asked)), "an answer that was received was asked for again"


def test_a_second_interrupt_does_not_wait_for_a_platform_that_hangs(program: Program, slow: SimulatorThread) -> None:
    slow.use(parse_script("faults: {hang: 1.0}"))
    with program.started(*RUN) as running:
        assert running.err_line().startswith("Batch ")
        running.signal(signal.SIGINT)
        while not (line := running.err_line()).startswith("Stopping"):
            assert line, "it ended without a word"
        running.signal(signal.SIGINT)
        ended = running.ended()

    assert ended.code == 130
    assert b"Traceback" not in ended.err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_worker_stops_when_it_is_asked_to(program: Program, number: signal.Signals) -> None:
    open_workspace(program.home).init()
    with program.started("worker", "--queues", "clean") as worker:
        assert "Working on clean" in worker.err_line()
        worker.signal(number)
        ended = worker.ended()

    assert ended.code == 0
    assert b"Stopped." in ended.err


def test_a_worker_whose_terminal_is_closed_ends_without_a_crash(program: Program) -> None:
    open_workspace(program.home).init()
    ours, theirs = os.openpty()
    arguments = [sys.executable, "-m", "answerwatch", "worker", "--queues", "clean"]
    with subprocess.Popen(arguments, stdin=theirs, stdout=theirs, stderr=theirs, env=program.environment()) as worker:
        os.close(theirs)
        with os.fdopen(ours, "rb") as terminal:
            assert b"Working on clean" in terminal.readline()
        worker.send_signal(signal.SIGHUP)

    assert worker.returncode == 3
    with open_workspace(program.home) as workspace:
        assert workspace.status().workers == 0


def test_a_simulated_platform_answers_until_it_is_interrupted(program: Program) -> None:
    with program.started("platforms", "simulate", "--port", "0") as simulator:
        line = simulator.out_line()
        simulator.signal(signal.SIGINT)
        ended = simulator.ended()

    assert "http://127.0.0.1:" in line
    assert ended.code == 0
