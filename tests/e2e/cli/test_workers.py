"""`worker --processes`: a crew of real processes that loses members, is reloaded, stopped and killed."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import text

from answerwatch.domain.work import QUEUES
from answerwatch.interfaces.cli.running.supervised import command_of
from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.batches.views import BatchRequest
from answerwatch.workspace.running import crew as crews
from answerwatch.workspace.running.crew import Fallen, Patience
from tests.e2e.cli.program import PATIENCE_S, Program, Running

pytestmark = pytest.mark.usefixtures("heard_signals")

BRAND = "砚山咖啡"
QUESTIONS = 20
REQUEST = BatchRequest(brands=(BRAND,), platforms=("sim",), rounds=2)


@pytest.fixture
def sim() -> Iterator[SimulatorThread]:
    with SimulatorThread(parse_script("latency: 200")) as simulator:
        yield simulator


@pytest.fixture
def ws(program: Program, sim: SimulatorThread) -> Iterator[Workspace]:
    """A workspace with a platform that may be asked once a second, which is too slow for any test."""
    with open_workspace(program.home) as workspace:
        workspace.init()
        workspace.brands.add(BRAND)
        for number in range(QUESTIONS):
            workspace.questions.add(f"咖啡推荐{number}？", scene="RECOMMEND")
        values = {"base_url": f"{sim.base_url}/v1", "model": "sim-answer", "key_env": "", "in_flight": 8}
        workspace.platforms.add("sim", {**values, "rate": 1, "capacity": 2})
        yield workspace


class Crew:
    """A crew that runs, seen from outside."""

    def __init__(self, running: Running) -> None:
        self.running = running
        url = re.findall(r"http://[\d.:]+", running.err_line())[0]
        self.url = url
        self.first = running.err_line()

    def page(self, path: str) -> tuple[int, Any]:
        """Status and content of a page."""
        try:
            with urllib.request.urlopen(f"{self.url}/{path}", timeout=PATIENCE_S) as reply:  # noqa: S310 - it is http
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def healthy(self) -> bool:
        return self.page("healthz")[0] == 200

    def processes(self) -> list[dict[str, Any]]:
        """All processes, when all are at work."""
        wait_for(self.healthy)
        found: list[dict[str, Any]] = self.page("healthz")[1]["processes"]
        return found


@contextmanager
def crew_of(program: Program, processes: int = 2) -> Iterator[Crew]:
    with program.started("worker", "--processes", str(processes), "--slots", "4", "--health", "0") as running:
        yield Crew(running)


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait for something that another process does; starting one takes seconds on a busy machine."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def quicken(program: Program) -> None:
    """Let the platform be asked as fast as any test wants."""
    file = program.home / "platforms.toml"
    file.write_text(file.read_text().replace("rate = 1\n", "rate = 200\n").replace("capacity = 2", "capacity = 99"))


def test_a_crew_replaces_who_was_killed_follows_changes_and_finishes_the_batch(
    program: Program, ws: Workspace, sim: SimulatorThread
) -> None:
    with crew_of(program) as crew:
        assert crew.first.startswith("2 processes are working on collect, clean, similarity in ")
        killed, other = crew.processes()
        wait_for(lambda: crew.page("readyz") == (200, {"ready": True, "reasons": []}))
        (batch,) = ws.batches.create(REQUEST)
        wait_for(lambda: len(sim.calls()) > 1)

        os.kill(killed["pid"], signal.SIGKILL)
        line = crew.running.err_line()
        assert line.startswith(f"Worker {killed['number']} (process {killed['pid']}) ended: signal SIGKILL.")
        quicken(program)
        wait_for(lambda: (lane := ws.platforms.show("sim").lane) is not None and lane.rate == 200)
        ended = ws.batches.watch(batch.batch_id, lambda _: None, every_s=0.1)

        new, same = crew.processes()
        assert (new["restarts"], same["restarts"], same["pid"]) == (1, 0, other["pid"])
        assert new["pid"] != killed["pid"]
        ws.brands.add("霁白咖啡")
        (later,) = ws.batches.create(REQUEST)
        ws.batches.watch(later.batch_id, lambda _: None, every_s=0.1)
        os.kill(new["pid"], signal.SIGSTOP)  # its loop ticks no more than one that hangs
        wait_for(lambda: not crew.healthy())
        os.kill(new["pid"], signal.SIGCONT)
        wait_for(crew.healthy)
        crew.running.signal(signal.SIGTERM)
        stopped = crew.running.ended()

    assert (stopped.code, stopped.err) == (0, b"Stopped.\n")
    assert (ended.completed, ended.failed, ended.cleaning.completed) == (2 * QUESTIONS, 0, 2 * QUESTIONS)
    versions = {ws.cleaning.explain(one.sub_task_id).lexicon_version for one in ws.samples.list(batch=later.batch_id)}
    assert versions == {2}
    assert all(check.name != "counters" or check.fix is None for check in ws.doctor())


def test_rep_sigterm_retry_budget_restarts_of_a_crew_spend_none(
    program: Program, ws: Workspace, sim: SimulatorThread
) -> None:
    sim.use(parse_script("faults: {hang: 1.0}"))
    (batch,) = ws.batches.create(REQUEST)
    for _ in range(2):
        asked = len(sim.calls())
        with crew_of(program) as crew:
            wait_for(lambda before=asked: len(sim.calls()) > before)  # type: ignore[misc]  # mypy sees no default
            crew.running.signal(signal.SIGTERM)
            crew.running.signal(signal.SIGINT)
            stopped = crew.running.ended()
        assert (stopped.code, stopped.err) == (0, b"Stopped.\n")
    sim.use(parse_script("latency: 200"))
    quicken(program)
    (ended,) = ws.batches.resume(batch.batch_id).batches

    assert (ended.completed, ended.failed) == (2 * QUESTIONS, 0)
    assert ws.dead.list() == ()
    with ws.store.reading() as read:
        retries = read.scalar(text("SELECT SUM(retry_count) FROM question_usage_log"))
        outcomes = {row.outcome for row in read.all(text("SELECT DISTINCT outcome FROM call_attempt"))}
    assert (retries, outcomes) == (0, {"answered", "interrupted"})
    lane = ws.platforms.show("sim").lane
    assert lane is not None
    assert (lane.factor, str(lane.breaker)) == (1.0, "closed")


def test_a_worker_that_hangs_is_replaced_and_its_work_is_done(
    program: Program, ws: Workspace, sim: SimulatorThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in program.environment().items():
        monkeypatch.setenv(name, value)
    sim.use(parse_script("latency: 1000"))
    quicken(program)
    patience = Patience(hung_s=5.0, kill_after_s=0.5)
    crew, stop, fallen = crews.Crew(command_of(QUEUES, 4), 2, patience), threading.Event(), list[Fallen]()
    watching = threading.Thread(target=crew.run, args=(stop, fallen.append))
    watching.start()
    try:
        (batch,) = ws.batches.create(REQUEST)
        wait_for(lambda: any(member.in_hand for member in crew.members()))
        hung = next(member for member in crew.members() if member.in_hand)
        assert hung.pid is not None
        os.kill(hung.pid, signal.SIGSTOP)
        wait_for(lambda: bool(fallen))
        ended = ws.batches.watch(batch.batch_id, lambda _: None, every_s=0.1)
        wait_for(lambda: all(member.in_hand is not None for member in crew.members()))
    finally:
        stop.set()
        watching.join()

    assert (fallen[0].pid, fallen[0].code) == (hung.pid, -signal.SIGKILL)
    assert (ended.completed, ended.failed, ended.cleaning.completed) == (2 * QUESTIONS, 0, 2 * QUESTIONS)
    assert ws.dead.list() == ()
    assert all(check.name != "counters" or check.fix is None for check in ws.doctor())


def test_workers_end_by_themselves_when_their_crew_is_killed(program: Program, ws: Workspace) -> None:
    with crew_of(program) as crew:
        crew.processes()
        wait_for(lambda: ws.status().workers == 2)
        crew.running.signal(signal.SIGKILL)
        crew.running.ended()  # comes when the last of them has closed standard error

    assert ws.status().workers == 0, "a worker that ends well leaves the registry"
