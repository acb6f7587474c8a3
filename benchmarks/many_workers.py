"""One bucket and several worker processes: is it kept, and is it used? The simulator's log is the judge."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from answerwatch.simulator import worst_excess
from answerwatch.workspace import BatchRequest, Workspace, open_workspace
from benchmarks.collection import add_questions, simulator_process
from benchmarks.frame import Better, Options, Row
from benchmarks.servers import POSTGRES, SQLITE, database

NAME = "many_workers"
RATE, CAPACITY, ANSWER_S = 20.0, 10, 0.5
ROUNDS = 2


def run(options: Options) -> list[Row]:
    """Collect the same batch with more and more processes."""
    questions = options.size(200, 10)
    rows: list[Row] = []
    for kind, count in ((SQLITE, 2), (POSTGRES, 1), (POSTGRES, 2), (POSTGRES, 4), (POSTGRES, 8)):
        arrivals = _arrivals(kind, count, questions)
        assert len(arrivals) == questions * ROUNDS, "every call is made exactly once"
        rows += _rows(f"{kind}, {count} processes", arrivals)
    return rows


def _rows(where: str, arrivals: Sequence[float]) -> list[Row]:
    used = (len(arrivals) - CAPACITY) / RATE / (max(arrivals) - min(arrivals))
    note = f"{len(arrivals)} calls at {RATE:g}/s, capacity {CAPACITY}, in the simulator's log"
    excess = worst_excess(arrivals, RATE, CAPACITY)
    return [
        Row(name=f"share of the bucket used, {where}", measured=used * 100, unit="%", target=95.0, note=note),
        Row(
            name=f"arrivals above the limit, {where}", measured=excess, unit="calls", target=1.0, better=Better.LOWER,
            note=note,
        ),
    ]  # fmt: skip


def _arrivals(kind: str, processes: int, questions: int) -> list[float]:
    script = f"latency: {round(ANSWER_S * 1000)}\n"
    with (
        tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder,
        database(kind) as url,
        simulator_process(Path(folder), script) as (address, log),
        open_workspace(Path(folder) / "workspace", database_url=url) as ws,
    ):
        _prepare(ws, questions, address)
        with workers(ws.settings.home, url, processes):
            wait_for_workers(ws, processes)
            (batch,) = ws.batches.create(BatchRequest(brands=("Acme",), platforms=("sim",), rounds=ROUNDS))
            last = ws.batches.watch(batch.batch_id, lambda _: None, every_s=0.5)
            assert (last.completed, last.failed) == (questions * ROUNDS, 0)
        records: list[dict[str, Any]] = [orjson.loads(line) for line in log.read_bytes().splitlines()]
    return [float(each["arrived"]) for each in records]


def _prepare(ws: Workspace, questions: int, address: str) -> None:
    ws.init()
    ws.brands.add("Acme")
    add_questions(ws, questions)
    limits = {"rate": RATE, "capacity": CAPACITY, "in_flight": 40, "answer_s": ANSWER_S}
    ws.platforms.add("sim", {"base_url": f"{address}/sim/v1", "model": "sim-answer", "key_env": "", **limits})


@contextmanager
def workers(home: Path, url: str, count: int, *arguments: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Give worker processes of the real command; they are asked to end, and must end well."""
    command = [sys.executable, "-m", "answerwatch", "worker", *arguments]
    environ = {**os.environ, "ANSWERWATCH_HOME": str(home), "ANSWERWATCH_DATABASE_URL": url}
    started = [subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL) for _ in range(count)]
    try:
        yield started
    finally:
        for process in started:
            process.terminate()
        assert [process.wait(60) for process in started] == [0] * count


def wait_for_workers(ws: Workspace, count: int) -> None:
    """Return when so many workers are at work."""
    while ws.status().workers < count:
        time.sleep(0.05)
