"""Ctrl-C in the middle of a run leaves a batch that can be resumed, and nothing is asked for twice."""

from __future__ import annotations

import signal

import pytest

from answerwatch.simulator import SimulatorThread, parse_script
from tests.e2e.cli.program import Program

SCRIPT = """
answers: by_question
latency: 400
"""
QUESTIONS = 12


@pytest.fixture
def slow(program: Program) -> Program:
    """A program over a workspace with questions enough to be interrupted."""
    bank = program.home.parent / "bank.csv"
    rows = "".join(f"Q{number},RECOMMEND,咖啡推荐{number}？\n" for number in range(QUESTIONS))
    bank.write_text("question_id,scene_type,query_text\n" + rows, encoding="utf-8")
    for arguments in (("init",), ("brands", "add", "砚山咖啡"), ("questions", "import", str(bank), "--apply")):
        assert program.run(*arguments).code == 0
    return program


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_an_interrupted_run_is_resumed_without_asking_twice(slow: Program, number: signal.Signals) -> None:
    with SimulatorThread(parse_script(SCRIPT)) as simulator:
        url = f"{simulator.base_url}/v1"
        limits = ("--rate", "20", "--capacity", "2", "--in-flight", "2")
        slow.run("platforms", "add", "sim", "--base-url", url, "--model", "sim-answer", "--key-env", "", *limits)
        process = slow.start("batch", "run", "--brand", "砚山咖啡", "--platform", "sim", "--rounds", "1", "--json")
        assert process.stderr is not None
        batch = process.stderr.readline().decode().split()[1].removesuffix(":")
        process.send_signal(number)
        out, err = process.communicate(timeout=60)

        assert process.returncode == 130, err.decode()
        assert f"answerwatch batch resume {batch}" in err.decode()
        assert b"Traceback" not in err
        status = slow.run("batch", "status", batch, "--json").json()
        assert (status["paused"], status["running"]) == (True, 0)
        assert status["completed"] < QUESTIONS
        resumed = slow.run("batch", "resume", batch, "--json").json()
        asked = [str(call["question"]) for call in simulator.calls() if call["answered"]]

    assert b'"end": "paused"' in out
    assert (resumed["end"], resumed["completed"]) == ("completed", QUESTIONS)
    assert sorted(asked) == sorted(set(asked)), "an answer that was received was asked for again"


def test_a_worker_stops_when_it_is_asked_to(slow: Program) -> None:
    worker = slow.start("worker", "--queues", "clean")
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
