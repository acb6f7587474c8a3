"""A command loads what it uses: what is slow to load stays out of a process that has no use for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli

PROGRAM = """
import sys
from answerwatch.interfaces.cli.entry import run
code = run(sys.argv[1:])
sys.stdout.flush()
print(code, *sys.modules, file=sys.stderr)
"""

NETWORK = {"anyio", "httpx2"}
READER = {"ahocorasick_rs", "answerwatch.reading", "numpy", "pyromark", "rjieba"}
ENGINE = {
    "answerwatch.engine.engine",
    "answerwatch.stages.clean",
    "answerwatch.stages.collect",
    "filelock",
    "structlog",
}
SETTING_UP = {"alembic", "answerwatch.simulator"}
FIGURES = {"answerwatch.figures", "numpy"}
WORKSPACE = {"answerwatch.workspace", "orjson", "pydantic_settings", "sqlalchemy"}

SLOW = NETWORK | READER | ENGINE | SETTING_UP | FIGURES


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["questions"], ["stauts"]], ids=" ".join)
def test_nothing_slow_is_loaded_to_say_what_there_is(words: list[str], tmp_path: Path) -> None:
    assert loaded(words, tmp_path) & (SLOW | WORKSPACE) == set()


@pytest.mark.parametrize("words", [["status"], ["questions", "list"], ["brands", "list"], ["alerts"]], ids=" ".join)
def test_a_list_loads_no_reader_engine_or_network(words: list[str], cli: Cli, home: Path) -> None:
    assert cli("init").code == 0

    assert loaded(words, home) & SLOW == set()


def loaded(words: list[str], home: Path) -> set[str]:
    """Names of the modules that a process has loaded when its command has ended."""
    environment = {**os.environ, "ANSWERWATCH_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], capture_output=True, env=environment, timeout=120, check=True
    )
    return set(done.stderr.split(b"\n")[-2].decode().split())
