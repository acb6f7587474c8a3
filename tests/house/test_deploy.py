"""What lies in deploy/ as far as it can be checked here: it parses, its commands exist, its times fit each other."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from answerwatch.interfaces.cli.app import build
from answerwatch.workspace.running.crew import END_WITHIN_S
from tests.house.documents import read
from tests.house.sources import ROOT, tracked_files

UNIT = "deploy/systemd/answerwatch-worker.service"
COMPOSE = "deploy/compose/compose.yaml"
IMAGE = "deploy/Dockerfile"
EXAMPLES = ("deploy/systemd/worker.env.example", "deploy/compose/answerwatch.env.example")


def service() -> dict[str, str]:
    """The last value of every key of the unit's service; a key may stand there twice."""
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys of systemd have capitals
    parser.read_string(read(UNIT))
    return dict(parser["Service"])


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(read(COMPOSE))
    return found


def own_commands() -> list[list[str]]:
    """The words after `answerwatch` of every command in unit, compose file and image."""
    unit = shlex.split(service()["ExecStart"])
    services = [one["command"] for one in compose()["services"].values() if "command" in one]
    image = [re.findall(r'"([^"]+)"', line) for line in read(IMAGE).splitlines() if line.startswith("CMD")]
    lines = [unit, *services, *image]
    assert all(Path(line[0]).name == "answerwatch" for line in lines)
    return [line[1:] for line in lines]


@pytest.mark.parametrize("words", own_commands(), ids=" ".join)
def test_a_command_exists_with_its_options(words: list[str]) -> None:
    command: Any = build()
    if words != ["--help"]:
        assert words[0] in command.commands
        command = command.get_command(None, words[0])
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known


def test_workers_have_time_to_end_before_they_are_killed() -> None:
    workers = compose()["services"]["workers"]

    assert int(service()["TimeoutStopSec"]) > END_WITHIN_S
    assert int(workers["stop_grace_period"].removesuffix("s")) > END_WITHIN_S
    assert (service()["KillMode"], service()["Restart"]) == ("mixed", "on-failure")


def test_the_health_check_asks_the_port_that_is_served() -> None:
    workers = compose()["services"]["workers"]
    port = workers["command"][workers["command"].index("--health") + 1]

    assert f"http://127.0.0.1:{port}/readyz" in workers["healthcheck"]["test"][-1]
    compile(workers["healthcheck"]["test"][-1], COMPOSE, "exec")


def test_every_service_and_volume_that_is_named_is_there() -> None:
    file = compose()
    waited_for = {name for one in file["services"].values() for name in one.get("depends_on", {})}
    volumes = {volume.split(":")[0] for one in file["services"].values() for volume in one.get("volumes", [])}

    assert waited_for <= set(file["services"])
    assert volumes == set(file["volumes"])
    for one in file["services"].values():
        if "build" in one:
            folder = (ROOT / COMPOSE).parent / one["build"]["context"]
            assert (folder / one["build"]["dockerfile"]).resolve() == ROOT / IMAGE


def test_the_image_is_built_from_files_that_reach_the_builder() -> None:
    copied = [words[1:-1] for line in read(IMAGE).splitlines() if (words := line.split())[:1] == ["COPY"]]
    sources = {word for words in copied for word in words if not word.startswith(("--", "/"))}
    let_in = {line[1:] for line in read(f"{IMAGE}.dockerignore").splitlines() if line.startswith("!")}

    assert sources == let_in
    assert not [name for name in sources if not (ROOT / name).exists()]


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_secret_is_in_the_examples_and_none_can_be_committed(name: str) -> None:
    given = [line for line in read(name).splitlines() if line and not line.startswith("#")]

    assert not [line for line in given if not line.endswith("=")]
    assert not [path for path in tracked_files() if path.suffix == ".env"]
    assert "*.env" in read(".gitignore").splitlines()


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not on this machine")
    program = Path(sys.executable).with_name("answerwatch")
    unit = tmp_path / Path(UNIT).name
    unit.write_text(read(UNIT).replace("/usr/local/bin/answerwatch", str(program)))
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
