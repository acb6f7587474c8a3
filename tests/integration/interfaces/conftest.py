"""The command line inside the test process: the same entry point, without the cost of starting Python each time."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from answerwatch.interfaces.cli.entry import run
from answerwatch.simulator import SimulatorThread, parse_script


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:  # noqa: ANN401 - any JSON document
        assert self.code == 0, self.err
        return json.loads(self.out)


Cli = Callable[..., Finished]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "workspace"
    monkeypatch.setenv("ANSWERWATCH_HOME", str(folder))
    monkeypatch.setenv("ANSWERWATCH_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def cli(home: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command in the workspace `home`; `stdin` are the bytes of standard input."""

    def command(*arguments: str, stdin: bytes = b"", language: str | None = None) -> Finished:
        if language is not None:
            monkeypatch.setenv("ANSWERWATCH_LANGUAGE", language)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        code = run(arguments)
        out, err = capfdbinary.readouterr()
        return Finished(code, out.decode(), err.decode())

    return command


@pytest.fixture
def ready(cli: Cli) -> Cli:
    """A command line over a workspace with one brand and two questions."""
    assert cli("init").code == 0
    assert cli("brands", "add", "砚山咖啡", "--alias", "Yanshan Coffee", "--exclude", "砚山咖啡机").code == 0
    for number, text in enumerate(("哪些连锁咖啡值得推荐？", "Which coffee chains are good?"), start=1):
        assert cli("questions", "add", text, "--scene", "RECOMMEND", "--id", f"Q{number}").code == 0
    return cli


SCRIPT = """
seed: 5
profiles:
  calm:
    brands: {zh: {砚山咖啡: 1.0}, en: {Yanshan Coffee: 1.0}}
  picky:
    per_question: {连锁: e422}
  poor:
    faults: {e402: 1.0}
"""


@pytest.fixture
def simulator() -> Iterator[SimulatorThread]:
    with SimulatorThread(parse_script(SCRIPT)) as running:
        yield running


@pytest.fixture
def asked(ready: Cli, simulator: SimulatorThread) -> Cli:
    """A command line over a workspace with a calm, a picky and a poor platform."""
    for name in ("calm", "picky", "poor"):
        url = f"{simulator.base_url}/{name}/v1"
        added = ready(
            "platforms", "add", name, "--base-url", url, "--model", "sim-answer", "--rate", "50", "--key-env", ""
        )
        assert added.code == 0
    return ready
