"""Fixtures of the stage tests."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from answerwatch.simulator import SimulatorThread, parse_script
from tests.integration.stages.line import Line, surface


@pytest.fixture
def simulator() -> Iterator[SimulatorThread]:
    """A fake platform that answers at once until it is given another script."""
    with SimulatorThread(parse_script("{seed: 1, latency: 0, answers: by_question}")) as running:
        yield running


MakeLine = Callable[..., Line]


@pytest.fixture
def make_line(tmp_path: Path, database_url: str, simulator: SimulatorThread) -> Iterator[MakeLine]:
    """Return a function that gives the simulator a script and makes a line to it."""
    made: list[Line] = []

    def make(script: str = "", *, deadline_s: float = 20.0, key_env: str | None = None) -> Line:
        simulator.use(parse_script(f"{{seed: 1, latency: 0, answers: by_question, retry_after_s: 0, {script}}}"))
        sim = replace(surface(simulator.base_url), deadline_s=deadline_s, key_env=key_env)
        line = Line(tmp_path, database_url, {"sim": sim})
        line.add_lexicon(A牌=["砚山咖啡"], B牌=["霁白咖啡"])
        made.append(line)
        return line

    yield make
    for line in made:
        line.store.close()
