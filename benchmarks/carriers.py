"""Tasks that do nothing through each broker: our ledger, and Dramatiq and Celery where the message is the task.

Two worker processes stand ready; measured is the time from the first task handed in until all are done. Ours keeps the
state of every task in PostgreSQL and is told of fifty at a time; the others keep theirs in the broker alone.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy import func, select

from answerwatch.store.database import Store
from answerwatch.store.schema import metadata, worker
from benchmarks.carrier_worker import carrier_of
from benchmarks.frame import LeftOut, Options, Row
from benchmarks.idle_stage import fill, is_empty
from benchmarks.plain_bodies import BROKER, FOLDER, NAMESPACE, counted
from benchmarks.servers import POSTGRES, database

NAME = "carriers"
WORKERS = 2
RABBITMQ = os.environ.get("ANSWERWATCH_TEST_RABBITMQ", "amqp://guest:guest@127.0.0.1:5672/")
REDIS = os.environ.get("ANSWERWATCH_TEST_REDIS", "redis://127.0.0.1:6379/0")
BROKERS = {"RabbitMQ": RABBITMQ, "Redis": REDIS}
PLAIN: dict[str, Sequence[str]] = {
    "Dramatiq": ("-m", "dramatiq", "benchmarks.plain_dramatiq", "--processes", "2", "--threads", "8"),
    "Celery": ("-m", "celery", "-A", "benchmarks.plain_celery", "worker", "--concurrency", "2", "--loglevel", "ERROR"),
}
SHARE = 0.8
"""Of plain Dramatiq's throughput, while the state of every task is kept."""


def run(options: Options) -> list[Row]:
    """Measure each way in turn; best of some rounds, since others disturb."""
    tasks, rounds = options.size(20_000, 500), options.size(3, 1)
    rows = [_row("ours, polling PostgreSQL", max(_ours("", tasks) for _ in range(rounds)), tasks)]
    for name, broker in BROKERS.items():
        plain: dict[str, float] = {}
        ours = 0.0
        for _ in range(rounds):
            ours = max(ours, _ours(broker, tasks))
            for library in PLAIN:
                if find_spec(library.lower()) is not None:
                    plain[library] = max(plain.get(library, 0.0), _plain(library, broker, tasks))
        rows.append(_row(f"ours over {name}", ours, tasks))
        rows += [_row(f"plain {library} over {name}", rate, tasks) for library, rate in plain.items()]
        rows += _ratios(name, ours, plain)
    return rows


def _row(name: str, rate: float, tasks: int) -> Row:
    return Row(name=name, measured=rate, unit="tasks/s", note=f"{tasks:,} tasks, {WORKERS} worker processes")


def _ratios(name: str, ours: float, plain: dict[str, float]) -> list[Row]:
    targets = {"Dramatiq": SHARE, "Celery": 1.0}
    return [
        Row(name=f"ours over {name}", measured=ours / rate, unit=f"x plain {library}", target=targets[library])
        for library, rate in plain.items()
    ]


def _ours(broker: str, tasks: int) -> float:
    namespace = _name()
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder, database(POSTGRES) as url:
        store = Store(url)
        metadata.create_all(store.engine)
        carrier = carrier_of(store, broker, namespace)
        command = ("-m", "benchmarks.carrier_worker", url, broker, namespace, folder)
        with contextlib.closing(store), _processes([command] * WORKERS, dict(os.environ)):
            _until(lambda: _present(store) == WORKERS)
            if carrier is not None:
                store.listeners.append(carrier.tell)
            start = time.perf_counter()
            fill(store, tasks)
            _until(lambda: is_empty(store))
            taken = time.perf_counter() - start
            if carrier is not None:
                carrier.close(5.0)
    return tasks / taken


def _present(store: Store) -> int:
    with store.reading() as read:
        return int(read.scalar(select(func.count()).select_from(worker)))


def _plain(library: str, broker: str, tasks: int) -> float:
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder:
        environ = {**os.environ, FOLDER: folder, BROKER: broker, NAMESPACE: _name()}
        sender = [sys.executable, "-c", _SENDER.format(module=f"benchmarks.plain_{library.lower()}", how=_HOW[library])]
        with _processes([PLAIN[library]], environ):
            with _ready([*sender, "1"], environ) as send:
                send()
                _until(lambda: counted(Path(folder)) == 1)
            with _ready([*sender, str(tasks)], environ) as send:
                start = time.perf_counter()
                send()
                _until(lambda: counted(Path(folder)) == tasks + 1)
                return tasks / (time.perf_counter() - start)


_HOW = {"Dramatiq": "task.send", "Celery": "task.delay"}
_SENDER = """
import sys
from {module} import task
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[1])):
    {how}(number)
"""


@contextmanager
def _ready(command: Sequence[str], environ: dict[str, str]) -> Iterator[Callable[[], object]]:
    """Start a sender and give what lets it begin: loading a library is no part of the time."""
    with subprocess.Popen(
        command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield partial(process.stdin.write, "\n")


@contextmanager
def _processes(commands: Sequence[Sequence[str]], environ: dict[str, str]) -> Iterator[None]:
    quiet = subprocess.DEVNULL
    started = [subprocess.Popen([sys.executable, *each], env=environ, stdout=quiet, stderr=quiet) for each in commands]
    try:
        yield
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(60)


def _until(condition: Callable[[], bool]) -> None:
    """Look until a condition holds; five minutes are more than anything here takes."""
    end = time.monotonic() + 300
    while not condition():
        if time.monotonic() > end:
            raise LeftOut("it did not come to its end within five minutes")
        time.sleep(0.01)


def _name() -> str:
    return f"aw-bench-{uuid.uuid4().hex[:8]}"
