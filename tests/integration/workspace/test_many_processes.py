"""Several processes on one workspace: nobody is told that the database is locked."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import text

from answerwatch.domain.batches import BatchStatus
from answerwatch.simulator import SimulatorThread, script_from
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.batches.views import BatchRequest, Snapshot
from tests.databases import on_every_database

pytestmark = on_every_database

WORKER = """
import signal, sys, threading
from answerwatch.workspace import open_workspace
stop = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stop.set())
with open_workspace(sys.argv[1], poll_s=0.05) as ws:
    ws.work(stop=stop)
"""


def start_worker(home: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WORKER, str(home)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def end_worker(worker: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    worker.terminate()
    out, err = worker.communicate()
    return worker.returncode, out, err


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait for something that another process does; a minute is far more than it takes."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not happen within a minute"
        time.sleep(0.05)


def test_rep_sqlite_busy_snapshot(ws: Workspace, home: Path) -> None:
    ws.brands.add("华为")
    for number in range(40):
        ws.questions.add(f"第{number}类手机哪个好", scene="RECOMMEND")
    workers = [start_worker(home) for _ in range(2)]
    wait_for(lambda: ws.status().workers == 2)

    def look_at_everything(_: Snapshot) -> None:
        ws.reports.report("华为")
        ws.status()
        assert ws.check_database() == ()

    with SimulatorThread(script_from({"latency": 0.05}), seed=7) as sim:
        limits = {"rate": 50, "capacity": 50, "in_flight": 32}
        ws.platforms.add("sim", {"base_url": f"{sim.base_url}/v1", "model": "m", "key_env": "", **limits})
        request = BatchRequest(brands=("华为",), platforms=("sim",), rounds=3)
        (batch,) = ws.batches.run(request, progress=look_at_everything).batches
    ended = [end_worker(worker) for worker in workers]

    assert ended == [(0, b"", b"")] * 2
    assert (batch.status, batch.completed, batch.failed) == (BatchStatus.COMPLETED, 120, 0)
    assert all(check.name != "counters" or check.fix is None for check in ws.doctor())
    with ws.store.reading() as read:
        retries = read.scalar(text("SELECT SUM(retry_count) FROM question_usage_log"))
        calls = read.scalar(text("SELECT COUNT(*) FROM call_attempt"))
    assert (retries, calls) == (0, 120)


def test_a_running_worker_sees_platforms_brands_and_questions_that_come_later(ws: Workspace, home: Path) -> None:
    worker = start_worker(home)
    wait_for(lambda: ws.status().workers == 1)
    ws.brands.add("华为")
    ws.questions.add("手机哪个好", scene="RECOMMEND")
    with SimulatorThread(seed=7) as sim:
        ws.platforms.add("late", {"base_url": f"{sim.base_url}/v1", "model": "m", "key_env": "", "rate": 50})
        (batch,) = ws.batches.create(BatchRequest(brands=("华为",), platforms=("late",), rounds=2))
        last = ws.batches.watch(batch.batch_id, lambda _: None, every_s=0.1)
    ended = end_worker(worker)

    assert ended == (0, b"", b"")
    assert (last.completed, last.failed, last.cleaning.completed) == (2, 0, 2)
    assert ws.cleaning.explain(ws.samples.list()[0].sub_task_id).lexicon_version == 1


def test_four_producers_with_one_key_make_one_batch_and_see_no_error(ws: Workspace, home: Path) -> None:
    ws.brands.add("华为")
    ws.brands.add("小米")
    ws.questions.add("手机哪个好", scene="RECOMMEND")
    ws.platforms.add("sim", {"base_url": "http://127.0.0.1:9/v1", "model": "m", "key_env": ""})
    start = threading.Barrier(4)

    def create(number: int) -> list[tuple[str, ...]]:
        """Create the same ones at the same time as the others, and one of its own between them."""
        with open_workspace(home) as mine:
            made = []
            for key in (key for turn in range(5) for key in (f"all-{turn}", f"mine-{turn}-{number}")):
                start.wait(20)
                request = BatchRequest(brands=("华为", "小米"), platforms=("sim",), idempotency_key=key)
                made.append(tuple(batch.batch_id for batch in mine.batches.create(request)))
            return made

    with ThreadPoolExecutor(4) as producers:
        told = list(producers.map(create, range(4)))
    assert all(len({made[turn] for made in told}) == 1 for turn in range(0, 10, 2))
    assert len({ids for made in told for ids in made}) == 25
    with ws.store.reading() as read:
        assert read.scalar(text("SELECT COUNT(*) FROM task_batch")) == 50
        assert read.scalar(text("SELECT COUNT(*) FROM work_task")) == 150
