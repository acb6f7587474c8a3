"""A served workspace: a real process on a free port, whose every answer is held against its description."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx2
import pytest

from answerwatch.workspace import open_workspace
from tests.databases import Databases
from tests.e2e.api.description import Description


@pytest.fixture
def home(tmp_path: Path) -> Path:
    if find_spec("fastapi") is None:
        assert not os.environ.get("CI"), "fastapi is not installed"
        pytest.skip("fastapi is not installed")
    folder = tmp_path / "workspace"
    with open_workspace(folder) as workspace:
        workspace.init()
    return folder


@contextmanager
def served(home: Path, *options: str, **environment: str) -> Iterator[tuple[httpx2.Client, subprocess.Popen[str]]]:
    """Serve a workspace and give a client of it and its process, which is ended by force if it is still there."""
    command = [sys.executable, "-m", "answerwatch", "serve", "--port", "0", *options]
    environ = {**os.environ, "ANSWERWATCH_HOME": str(home), "ANSWERWATCH_LANGUAGE": "en", **environment}
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            address = process.stderr.readline().partition("at ")[2].partition(";")[0]
            with httpx2.Client(base_url=address, timeout=30) as client:
                if process.poll() is None and address:
                    client.event_hooks = {"response": [Description.of(client).check]}
                yield client, process
        finally:
            process.kill()


@pytest.fixture
def client(home: Path) -> Iterator[httpx2.Client]:
    with served(home) as (client, _):
        yield client


@pytest.fixture
def client_without_workers(home: Path) -> Iterator[httpx2.Client]:
    with served(home, "--no-workers") as (client, _):
        yield client


@pytest.fixture
def client_of_any_database(home: Path, database_kind: str, databases: Databases) -> Iterator[httpx2.Client]:
    """Serve from every kind of database in turn."""
    with databases.ready(database_kind) as url, served(home, ANSWERWATCH_DATABASE_URL=url) as (client, process):
        yield client
        process.terminate()
        process.wait(30)
