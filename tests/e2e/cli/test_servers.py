"""The main job by the installed program alone, on a database server and over a broker: what a company's set-up does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from answerwatch.engine.carriers.dramatiq import NAMESPACE
from answerwatch.simulator import SimulatorThread, parse_script
from tests.brokers import RABBITMQ, REDIS, Brokers, Place, wipe_redis
from tests.databases import MYSQL, POSTGRES, Databases
from tests.e2e.cli.program import Program

SETS = ((POSTGRES, RABBITMQ), (MYSQL, REDIS))
"""Each server once."""


@pytest.fixture(params=SETS, ids=["-".join(kinds) for kinds in SETS])
def place(
    request: pytest.FixtureRequest, brokers: Brokers, needs_server: Callable[[str], None]
) -> Iterator[tuple[str, Place]]:
    database, broker = request.param
    needs_server(database)
    needs_server(broker)
    with brokers.lent(broker) as lent:
        if broker != REDIS:
            yield database, lent
            return
        # The program has one namespace, so this test has a database of Redis to itself.
        own = replace(lent, url=lent.url.rpartition("/")[0] + "/11", namespace=NAMESPACE)
        yield database, own
        wipe_redis(own.url, NAMESPACE)


@pytest.fixture
def program(place: tuple[str, Place], databases: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program with addresses in its environment, over a database that has no tables yet."""
    database, broker = place
    monkeypatch.setenv("ANSWERWATCH_DATABASE_URL", databases.empty(database))
    monkeypatch.setenv("ANSWERWATCH_ENGINE_URL", broker.url)
    return Program(tmp_path / "workspace")


def test_from_the_first_command_to_the_figures_on_servers(program: Program, tmp_path: Path) -> None:
    bank = tmp_path / "bank.csv"
    bank.write_text(
        "question_id,scene_type,query_text\n"
        + "".join(f"Q{n},RECOMMEND,咖啡推荐，第{n}个问题？\n" for n in range(1, 6))
    )
    script = "{seed: 3, latency: 20, answers: by_question, per_question: {第3个: e422, 第4个: refusal_text_zh}}"
    with SimulatorThread(parse_script(script)) as simulator:
        for words in (
            ["init"],
            ["brands", "add", "砚山咖啡", "--alias", "砚山咖啡"],
            ["questions", "import", str(bank), "--apply"],
            ["platforms", "add", "sim", "--base-url", f"{simulator.base_url}/v1", "--model", "sim-answer",
             "--key-env", "", "--rate", "200", "--capacity", "50"],
        ):  # fmt: skip
            done = program.run(*words)
            assert done.code == 0, (words, done.err.decode())
        looks = {look["name"]: look["grade"] for look in program.run("doctor", "--json").json()}
        run = program.run(
            "batch",
            "run",
            "--brand",
            "砚山咖啡",
            "--scene",
            "RECOMMEND",
            "--platform",
            "sim",
            "--rounds",
            "2",
            "--json",
        )
        assert run.code == 1, "two calls fail for good"
        (batch,) = program.run("batch", "list", "--json").json()
        status = program.run("batch", "status", batch["batch_id"], "--json").json()
        dead = program.run("dead", "list", "--json").json()
        report = program.run("report", "砚山咖啡", "--json").json()
        asked = len(simulator.calls())

    assert (looks["server"], looks["broker"], looks["revision"]) == ("ok", "ok", "ok"), looks
    assert (status["status"], status["total"], status["completed"], status["failed"]) == ("partial", 10, 8, 2)
    assert [letter["error_type"] for letter in dead] == ["bad_request"] * 2
    assert asked == 10
    overall = report["overall"]
    assert (overall["planned"], overall["collected"], overall["valid"]) == (10, 8, 6)
