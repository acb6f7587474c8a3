"""Ctrl-C in the middle of a run leaves a batch that can be resumed, and nothing is asked for twice."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator

import pytest

from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.workspace import open_workspace
from tests.e2e.cli.program import Program

SCRIPT = """
answers: by_question
latency: 400
"""
QUESTIONS = 12


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
    process = program.start("batch", "run", "--brand", "砚山咖啡", "--platform", "sim", "--rounds", "1", "--json")
    assert process.stderr is not None
    batch = process.stderr.readline().decode().split()[1].removesuffix(":")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)

    assert process.returncode == 130, err.decode()
    assert f"answerwatch batch resume {batch}" in err.decode()
    assert b"Traceback" not in err
    stopped = json.loads(out)
    assert (stopped["end"], stopped["batch_id"], stopped["running"]) == ("paused", batch, 0)
    assert stopped["completed"] < QUESTIONS
    resumed = program.run("batch", "resume", batch, "--json").json()
    asked = [str(call["question"]) for call in slow.calls() if call["answered"]]
    assert (resumed["end"], resumed["completed"]) == ("completed", QUESTIONS)
    assert sorted(asked) == sorted(set(asked)), "an answer that was received was asked for again"


def test_a_worker_stops_when_it_is_asked_to(program: Program) -> None:
    open_workspace(program.home).init()
    worker = program.start("worker", "--queues", "clean")
    assert worker.stderr is not None
    assert b"Working on clean" in worker.stderr.readline()
    worker.send_signal(signal.SIGTERM)
    _, err = worker.communicate(timeout=60)

    assert worker.returncode == 0
    assert b"Stopped." in err


def test_a_simulated_platform_answers_until_it_is_interrupted(program: Program) -> None:
    simulator = program.start("platforms", "simulate", "--port", "0")
    assert simulator.stdout is not None
    line = simulator.stdout.readline().decode()
    simulator.send_signal(signal.SIGINT)
    simulator.communicate(timeout=60)

    assert "http://127.0.0.1:" in line
    assert simulator.returncode == 0
