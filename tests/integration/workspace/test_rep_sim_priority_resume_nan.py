"""A high job overtakes a normal one, the worker is killed in the middle of both, and one text is never taken."""

import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from answerwatch.domain.similarity import BlockStatus, JobStatus
from answerwatch.engine.carriers.dramatiq import NAMESPACE
from answerwatch.store.similarity import blocks, texts, units
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.similarity.views import JobRequest, JobView, ListSource
from tests.brokers import RABBITMQ, REDIS, Brokers, wipe_rabbitmq, wipe_redis
from tests.databases import MYSQL, POSTGRES, SQLITE
from tests.integration.workspace.conftest import QUICK
from tests.integration.workspace.test_many_processes import wait_for
from tests.scripted_scorers import Scripted
from tests.wired_scorer import Call, Wire

POLL = "poll"
PLACES = [
    pytest.param(SQLITE, POLL, id="sqlite-poll"),
    pytest.param(POSTGRES, RABBITMQ, marks=[pytest.mark.postgres, pytest.mark.rabbitmq], id="postgres-rabbitmq"),
    pytest.param(MYSQL, REDIS, marks=[pytest.mark.mysql, pytest.mark.redis], id="mysql-redis"),
]

POISON = "毒" * 250
LEFT = (*(f"左 {number:05} " + "甲乙丙丁" * 60 for number in range(1999)), POISON)
RIGHT = (POISON, *(f"右 {number:05} " + "戊己庚辛" * 60 for number in range(1999)))
HIGH_LEFT, HIGH_RIGHT = (tuple(f"急 {side} {number}" for number in range(50)) for side in "左右")

WORKER = """
import sys
from answerwatch.workspace import open_workspace
from tests.integration.workspace.conftest import QUICK
from tests.integration.workspace.test_rep_sim_priority_resume_nan import POISON
from tests.wired_scorer import Wired
with open_workspace(sys.argv[1], **QUICK) as ws:
    ws.similarity.bring("wired", Wired(int(sys.argv[2]), never={POISON}))
    ws.work(queues=("similarity",))
"""


@pytest.fixture
def engine_url(carrier: str, needs_server: Callable[[str], None], brokers: Brokers) -> Iterator[str]:
    if carrier == POLL:
        yield "sql"
        return
    needs_server(carrier)
    with brokers.lent(carrier) as lent:
        # Workers have one namespace, so this test has a database of Redis to itself.
        url = lent.url.rpartition("/")[0] + "/12" if carrier == REDIS else lent.url
        yield url
        (wipe_redis if carrier == REDIS else wipe_rabbitmq)(url, NAMESPACE)


@pytest.fixture
def home_on_carrier(made_home: Path, engine_url: str) -> Path:
    with (made_home / "answerwatch.toml").open("a", encoding="utf-8") as file:
        file.write(f'engine_url = "{engine_url}"\n')
    return made_home


@pytest.fixture
def start(home_on_carrier: Path, wire: Wire) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Start a worker; what still runs at the end is killed."""
    started = []

    def worker() -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([sys.executable, "-c", WORKER, str(home_on_carrier), str(wire.port)]))
        return started[-1]

    yield worker
    for one in started:
        one.kill()
        one.wait()


@pytest.fixture
def wire() -> Iterator[Wire]:
    with Wire() as made:
        yield made


def submit(ws: Workspace, left: tuple[str, ...], right: tuple[str, ...], scorer: str, priority: int = 0) -> str:
    lists = ListSource(texts=left), ListSource(texts=right)
    return ws.similarity.submit(
        JobRequest(left=lists[0], right=lists[1], scorer=scorer, priority=priority)
    ).job_id  # fmt: skip


def is_high(call: Call) -> bool:
    return call.texts[0].startswith("急")


def stored_texts(ws: Workspace, job: str) -> set[str]:
    with ws.store.reading() as read:
        firsts = [first for first, _ in units.covering(read, job)]
        done = [one for one in units.some(read, job, firsts) if one.status is BlockStatus.SUCCESS]
        return {each.text for one in done for each in texts.span(read, job, one.first, one.texts)}


def workers(ws: Workspace) -> set[str]:
    with ws.store.reading() as read:
        return {row.worker_id for row in read.all(text("SELECT worker_id FROM worker"))}


def all_scores(ws: Workspace, job: str) -> list[tuple[object, bytes | None]]:
    with ws.store.reading() as read:
        return [(one.place, one.scores) for one in blocks.every(read, job)]


def is_sane(job: JobView) -> bool:
    return job.eta_seconds is None or (math.isfinite(job.eta_seconds) and job.eta_seconds >= 0)


@pytest.mark.parametrize(("database_kind", "carrier"), PLACES, indirect=["database_kind"])
def test_rep_sim_priority_resume_nan(
    home_on_carrier: Path, wire: Wire, start: Callable[[], subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    with open_workspace(home_on_carrier, **QUICK) as ws:
        ws.similarity.bring("wired", Scripted())
        normal = submit(ws, LEFT, RIGHT, "wired")
        first = start()
        ended_calls = [end(wire.call())]
        running = wire.call()
        high = submit(ws, HIGH_LEFT, HIGH_RIGHT, "wired", priority=1)
        ended_calls.append(end(running))
        passed = calls_until_high(wire)
        assert len(passed) <= 1  # what was claimed already when the high job came
        stored = {one for call in (*ended_calls, *passed) for one in call.texts}
        wait_for(lambda: stored_texts(ws, normal) == stored)

        first.kill()
        first.wait()
        before = ws.similarity.status(normal)
        dead = workers(ws)
        start()
        wait_for(lambda: not dead & workers(ws))  # its work is free by then
        sent = drive(ws, wire, normal, high)
        ended = ws.similarity.status(normal)

        assert not stored & set(sent)
        assert len(stored) + len(set(sent) - set(HIGH_LEFT + HIGH_RIGHT)) == 3999
        assert before.eta_seconds is not None
        assert (ended.status, ended.processed, ended.failed) == (JobStatus.PARTIAL, 4_000_000, 3999)
        assert (ended.progress, ended.eta_seconds) == (100.0, 0.0)
        assert [one.error_type for one in ws.dead.list(batch=normal)] == ["refused"]
        assert sum(ws.similarity.histogram(normal).counts) == 4_000_000 - 3999
        assert [ws.similarity.pair(f"{normal}:{at}").status for at in ("2000:7", "7:1", "7:7")] == [
            "failed", "failed", "success"
        ]  # fmt: skip
        same_as_uninterrupted(ws, (normal, high), tmp_path / "other")
    command = [sys.executable, "-m", "answerwatch", "similarity", "watch", normal]
    environ = {**os.environ, "ANSWERWATCH_HOME": str(home_on_carrier)}
    assert subprocess.run(command, env=environ, capture_output=True, check=False).returncode == 1


def calls_until_high(wire: Wire) -> list[Call]:
    """Let calls of the normal job end until one of the high job comes, which is left unanswered."""
    passed: list[Call] = []
    while not is_high(call := wire.call()):
        passed.append(end(call))
    return passed


def end(call: Call) -> Call:
    call.end()
    return call


def drive(ws: Workspace, wire: Wire, normal: str, high: str) -> list[str]:
    """Let all calls of the second worker end; return their texts.

    The high job is at its end before the next chunk but one of the normal job is. A chunk that was claimed before the
    work of the dead worker was free is none of these: it runs already.
    """
    sent: list[str] = []
    others = 0
    while not ws.similarity.status(normal).status.is_final:
        wait_for(lambda: not wire.is_quiet() or ws.similarity.status(normal).status.is_final)
        if wire.is_quiet():
            break
        call = wire.call()
        others += bool(sent) and not is_high(call)
        sent += call.texts
        if others == 2 and not is_high(call):
            wait_for(lambda: ws.similarity.status(high).status is JobStatus.COMPLETED)
        call.end()
        assert is_sane(ws.similarity.status(normal))
        assert is_sane(ws.similarity.status(high))
    return sent


def same_as_uninterrupted(ws: Workspace, jobs: tuple[str, str], home: Path) -> None:
    with open_workspace(home, **QUICK) as other:
        other.init()
        other.similarity.bring("wired", Scripted(never={POISON}))
        for job, lists in zip(jobs, ((LEFT, RIGHT), (HIGH_LEFT, HIGH_RIGHT)), strict=True):
            again = submit(other, *lists, "wired")
            other.similarity.run(again)
            assert all_scores(ws, job) == all_scores(other, again)
