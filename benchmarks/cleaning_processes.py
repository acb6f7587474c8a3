"""Cleaning real answers on PostgreSQL with one worker process and with two, and who uses the processor meanwhile."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import orjson
from sqlalchemy import func, select, text

from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.work import CLEAN
from answerwatch.store.schema import clean_attempt
from answerwatch.store.work import groups
from answerwatch.workspace import Workspace, open_workspace
from benchmarks.cleaning import POOL, load_pool
from benchmarks.frame import Options, Row
from benchmarks.many_workers import wait_for_workers, workers
from benchmarks.names import BRANDS
from benchmarks.servers import POSTGRES, database

NAME = "cleaning_processes"
TARGET = 1.4
COPIES = 3
"""How often the pool of answers is cleaned in one measurement."""


@dataclass(frozen=True, slots=True)
class Run:
    """One measurement."""

    rate: float
    """Answers a second."""
    workers_cpu: float
    """Processors that the workers kept busy, on average."""
    server_cpu: float


def run(options: Options) -> list[Row]:
    """Measure one and two processes in turn; raises LeftOut without the pool or the server."""
    path, rounds = options.data / POOL, options.size(3, 1)
    answers = len(load_pool(path)) * options.size(COPIES, 1)
    pairs = [(_measured(path, answers, 1), _measured(path, answers, 2)) for _ in range(rounds)]
    ratio = statistics.median(two.rate / one.rate for one, two in pairs)
    note = f"{answers:,} answers, 200 names, median of {rounds} pairs"
    rows = [Row(name="two processes", measured=ratio, unit="x one", target=TARGET, note=note)]
    for count, runs in ((1, [one for one, _ in pairs]), (2, [two for _, two in pairs])):
        rows += _rows(count, runs)
    return rows


def _rows(count: int, runs: Sequence[Run]) -> list[Row]:
    name = f"{count} process" + "es" * (count > 1)
    return [
        Row(name=f"cleaning, {name}", measured=statistics.median(one.rate for one in runs), unit="answers/s"),
        Row(
            name=f"processors used by workers, {name}", measured=statistics.median(one.workers_cpu for one in runs),
            unit="CPUs",
        ),
        Row(
            name=f"processors used by the server, {name}", measured=statistics.median(one.server_cpu for one in runs),
            unit="CPUs",
        ),
    ]  # fmt: skip


def _measured(path: Path, answers: int, count: int) -> Run:
    with _workspace() as (ws, url):
        batches = [_import(ws, path, number) for number in range(answers // len(load_pool(path)))]
        for batch in batches:
            ws.store.transact(partial(groups.hold, queue=CLEAN, group_id=batch))
        with workers(ws.settings.home, url, count, "--queues", CLEAN) as processes:
            wait_for_workers(ws, count)
            before = _cpu(processes), _server_cpu(ws)
            for batch in batches:
                ws.store.transact(partial(groups.release, queue=CLEAN, group_id=batch))
            while dict(ws.cleaning.status().states)[CleanState.COMPLETED] < answers:
                time.sleep(0.05)
            after = _cpu(processes), _server_cpu(ws)
        seconds = _seconds(ws)
    return Run(answers / seconds, (after[0] - before[0]) / seconds, (after[1] - before[1]) / seconds)


@contextmanager
def _workspace() -> Iterator[tuple[Workspace, str]]:
    with (
        tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder,
        database(POSTGRES) as url,
        open_workspace(Path(folder) / "workspace", database_url=url) as ws,
    ):
        ws.init()
        for brand, names in BRANDS.items():
            ws.brands.add(brand, aliases=[name for name in names if name != brand])
        yield ws, url


def _import(ws: Workspace, path: Path, number: int) -> str:
    """Import the pool once more, under ids of its own; return its batch."""
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / f"{number}.jsonl"
        rows = [orjson.loads(line) for line in path.read_bytes().split(b"\n") if line]
        part.write_bytes(b"\n".join(orjson.dumps({**row, "id": f"{number}-{row['id']}"}) for row in rows))
        ws.samples.import_file(part, platform="qwen", scene="RECOMMEND")
    return ws.batches.list()[0].batch_id


def _seconds(ws: Workspace) -> float:
    """Return the time from the first attempt at a task to the end of the last."""
    with ws.store.reading() as read:
        first = read.scalar(select(func.min(clean_attempt.c.started_at)))
        last = read.scalar(select(func.max(clean_attempt.c.ended_at)))
    return float((last - first).total_seconds())


def _cpu(processes: Sequence[subprocess.Popen[bytes]]) -> float:
    return sum(_cpu_of(process.pid) for process in processes)


def _server_cpu(ws: Workspace) -> float:
    with ws.store.reading() as read:
        query = text("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        return sum(_cpu_of(int(row[0])) for row in read.all(query))


def _cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
