"""How a server begins, and how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from tests.e2e.api.conftest import served
from tests.e2e.api.test_jobs import JOBS, LISTS, handed_in


@pytest.mark.usefixtures("heard_signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_well_when_it_is_asked_to(home: Path, number: int) -> None:
    with served(home) as (client, process):
        client.get("/healthz")
        process.send_signal(number)
        assert process.wait(30) == 0


def test_an_address_that_is_taken_is_told(home: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        served(home, "--port", str(taken.getsockname()[1])) as (_, process),
    ):
        assert process.wait(30) == 3


def test_a_library_that_is_missing_is_named_with_its_cure(home: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text("import sys\nsys.modules['uvicorn'] = None\n", encoding="utf-8")
    environ = {**os.environ, "ANSWERWATCH_HOME": str(home), "ANSWERWATCH_LANGUAGE": "en"}
    environ["PYTHONPATH"] = os.pathsep.join([str(hidden), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "answerwatch", "serve"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 3
    assert "uvicorn" in done.stderr
    assert "pip install 'answerwatch[serve]'" in done.stderr


def test_followers_hold_nobody_up_and_end_with_the_server(home: Path) -> None:
    with served(home, "--no-workers") as (client, process), ExitStack() as followed:
        job = handed_in(client)
        streams = [followed.enter_context(client.stream("GET", f"{JOBS}/{job}/events")) for _ in range(60)]
        assert client.get(f"{JOBS}/{job}").json()["status"] == "pending"
        process.terminate()
        told = [[line for line in stream.iter_lines() if line.startswith("data: ")] for stream in streams]
        assert {json.loads(lines[0].removeprefix("data: "))["job_id"] for lines in told} == {job}
        assert process.wait(30) == 0


def test_a_job_that_waits_is_cancelled(client_without_workers: httpx2.Client) -> None:
    job = client_without_workers.post(JOBS, json=LISTS).json()["job_id"]
    assert client_without_workers.post(f"{JOBS}/{job}/cancel").json()["status"] == "cancelled"
    assert client_without_workers.get(f"{JOBS}/{job}").json()["status"] == "cancelled"
