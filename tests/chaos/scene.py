"""Workers at work on batches that keep coming, and somebody who watches: the stage for faults."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select

from answerwatch.clock import HeldClock
from answerwatch.domain.work import COLLECT
from answerwatch.errors import ServiceError
from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.stages.collect.orphans import Orphans
from answerwatch.store import migrations
from answerwatch.store.database import Store
from answerwatch.store.schema import clean_result, task_batch
from answerwatch.store.schema.work import work_task
from answerwatch.store.work import ledger
from tests.brokers import REDIS
from tests.chaos.judge import Fair, faults_of
from tests.chaos.proxy import Proxy, proxy_to
from tests.chaos.servers import DATABASE, DatabaseServer, Rabbit, Redis, Server, Servers, python_environ, until
from tests.chaos.worker import CLOCK, line_in
from tests.conftest import ROOT
from tests.databases import SQLITE
from tests.integration.stages.line import Line, Surfaces, questions

LEASE_S = 2.0
SWEEP_S = 0.5
SLOTS = 4
WORKERS = 2
BATCH = 80
"""Sub-tasks of one batch; about twice as many are kept outstanding."""

PATIENCE_S = 90.0

SCRIPT = """
seed: 5
latency: 200
answers: by_question
retry_after_s: 0
faults: {e500: 0.05, e429_retry_after: 0.02}
per_question: {第3个: e422, 第7个: refusal_text_zh}
"""


@dataclass(frozen=True, slots=True)
class Cell:
    """One combination of a database and what brings the hints."""

    database: str
    broker: str | None = None

    @property
    def name(self) -> str:
        """Return its name."""
        return f"{self.database}-{self.broker or 'poll'}"


@dataclass
class Watch:
    """What somebody sees who looks at the database all the time."""

    line: Line
    outcomes: int = 0
    base: int = 0
    moved_s: float | None = None
    """When there were more outcomes than `base` for the first time."""
    overdue_s: float = 0.0
    """Longest time that a task lay in a hand whose lease was over, while the database could be asked."""
    since_s: float = 0.0
    """When the database could be asked again after it was away."""
    ended: threading.Event = field(default_factory=threading.Event)

    def look(self) -> None:
        """Look until told to end."""
        while not self.ended.wait(0.03):
            try:
                self.see()
            except ServiceError:
                self.go_on()

    def pause(self) -> None:
        """Judge no lease: the clock by which it was given is not this one."""
        self.since_s = float("inf")

    def go_on(self) -> None:
        """Judge leases again, those that begin now."""
        self.since_s = time.monotonic()

    def mark(self) -> None:
        """Wait for the next outcome from now on."""
        self.base, self.moved_s = self.outcomes, None

    def see(self) -> None:
        """Look once."""
        oldest = select(func.min(work_task.c.lease_us))
        ended = select(func.sum(task_batch.c.completed_sub_tasks + task_batch.c.failed_sub_tasks))
        with self.line.store.reading() as tx:
            lease, now = tx.scalar(oldest), tx.now_us()
            self.outcomes = int(tx.scalar(ended) or 0) + int(tx.scalar(select(func.count()).select_from(clean_result)))
        if self.moved_s is None and self.outcomes > self.base:
            self.moved_s = time.monotonic()
        if lease is not None and time.monotonic() - self.since_s > LEASE_S:
            self.overdue_s = max(self.overdue_s, (now - int(lease)) / 1_000_000)


@dataclass
class Scene:
    """One cell at work."""

    cell: Cell
    line: Line
    watch: Watch
    simulator: SimulatorThread
    dice: random.Random
    database: DatabaseServer | None
    broker: Server | None
    proxy: Proxy | None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    batches: int = 0
    sub_tasks: int = 0
    died: int = 0
    """Workers that were killed or ended by themselves, each with calls in flight."""
    is_right: bool = False
    """Nothing was wrong at the end; otherwise its folder stays, to be looked at."""
    reads: bool = True
    """Whether the last question was answered, whatever the answer was."""
    frozen: list[tuple[float, float]] = field(default_factory=list)

    def start(self, *more: str) -> subprocess.Popen[bytes]:
        """Start a worker and return when it works; one that dies at once is for `mend` to replace."""
        url = self.line.url if self.proxy is None or self.database is None else self.database.url(self.proxy.port)
        words = ["--slots", SLOTS, "--lease-s", LEASE_S, "--sweep-s", SWEEP_S, "--for-ever", *more]
        if self.broker is not None:
            words += ["--broker", self.broker.url()]  # type: ignore[attr-defined]  # Redis and Rabbit have one
        log = self.line.folder / f"worker-{len(list(self.line.folder.glob('worker-*')))}.log"
        command = [sys.executable, "-m", "tests.chaos.worker", self.line.folder, url, self.simulator.base_url, *words]
        with log.open("wb") as out:
            worker = subprocess.Popen(
                [str(word) for word in command], cwd=ROOT, env=python_environ(), stdout=out, stderr=out
            )
        self.workers.append(worker)
        until(lambda: "ready" in log.read_text() or worker.poll() is not None, PATIENCE_S, "a worker works")
        return worker

    def mend(self) -> None:
        """Replace workers that died."""
        alive = [worker for worker in self.workers if worker.poll() is None]
        self.died += len(self.workers) - len(alive)
        self.workers = alive
        while len(self.workers) < WORKERS:
            self.start()

    def supply(self) -> bool:
        """Keep work outstanding."""
        with self.line.store.reading() as tx:
            left = sum(depth.ready + depth.waiting for depth in ledger.depths(tx, queue=COLLECT))
        while left < 2 * BATCH:
            self.add_batch()
            left += BATCH
        return True

    def add_batch(self, count: int = BATCH, timeout_s: float | None = None) -> str:
        """Add a batch."""
        self.batches += 1
        name = f"B{self.batches}"
        self.sub_tasks += len(self.line.add_batch(name, questions(count), timeout_s=timeout_s))
        return name

    def victim(self) -> subprocess.Popen[bytes]:
        """Choose a worker that lives."""
        self.mend()
        return self.dice.choice(self.workers)

    def recover(self) -> float:
        """Return how long it takes until work goes on, and nothing is in the hands any more in which it was."""
        began = time.monotonic()
        self.watch.mark()
        until(lambda: self.quietly(self.line.is_idle) or self.reads, PATIENCE_S, "the ledger can be read")
        held = self.in_hand()
        until(lambda: self.quietly(lambda: not held & self.in_hand()), PATIENCE_S, "nothing stays in dead hands")
        freed_s = time.monotonic()
        until(lambda: self.quietly(self.supply), PATIENCE_S, "batches can be added")
        until(lambda: self.watch.moved_s is not None, PATIENCE_S, f"work goes on in {self.cell.name}")
        return max(freed_s, self.watch.moved_s or began) - began

    def in_hand(self) -> set[str]:
        """Return the tokens of all claims."""
        with self.line.store.reading() as tx:
            return {row.token for row in tx.all(select(work_task.c.token).where(work_task.c.token.is_not(None)))}

    def mend_when_it_can(self) -> None:
        """Replace the dead; a database that has just come back may not take everybody at once."""
        with contextlib.suppress(AssertionError):
            self.mend()

    def finish(self) -> list[str]:
        """Let all work end, give every answer an owner, and return what is wrong."""
        self.mend()
        until(lambda: self.quietly(self.line.is_idle), 2 * PATIENCE_S, f"{self.cell.name}: {self.line.depths()}")
        for worker in self.workers:
            worker.send_signal(signal.SIGKILL)
            worker.wait()
        self.watch.ended.set()
        later = HeldClock(datetime.now(UTC) + timedelta(days=1))
        orphans = Orphans(Surfaces(self.line.surfaces), self.line.objects, later)
        while orphans.next_s <= later.monotonic():
            orphans.sweep(self.line.store)
        fair = Fair(unfinished=(self.died + WORKERS) * SLOTS, frozen=self.frozen)
        wrong = [*faults_of(self.line, self.simulator.calls(), fair), *self.said()]
        self.is_right = not wrong
        return wrong

    def quietly(self, question: Callable[[], bool]) -> bool:
        """Ask, taking a database that is away for a no; replace workers that died."""
        self.mend_when_it_can()
        try:
            answer = question()
        except ServiceError:
            self.reads = False
            return False
        self.reads = True
        return answer

    def said(self) -> Iterator[str]:
        """Return what workers said that a person should not see."""
        for log in sorted(self.line.folder.glob("worker-*.log")):
            for line in log.read_text(errors="replace").splitlines():
                if any(word in line for word in ("step_failed", "cannot_be_stored", "eadlock", "IntegrityError")):
                    yield f"{log.name}: {line[:300]}"


@contextmanager
def scene_of(cell: Cell, servers: Servers, dice: random.Random) -> Iterator[Scene]:
    """Prepare a cell, with workers at work."""
    folder = Path(tempfile.mkdtemp(prefix="aw-scene-"))
    with ExitStack() as stack:
        simulator = stack.enter_context(SimulatorThread(parse_script(SCRIPT)))
        database = proxy = broker = None
        url = f"sqlite:///{folder / 'aw.db'}"
        if cell.database != SQLITE:
            found = servers.get(cell.database)
            assert isinstance(found, DatabaseServer)
            database, url = found, found.create(DATABASE)
            proxy = stack.enter_context(proxy_to(database.port))
        if cell.broker is not None:
            broker = servers.get(cell.broker)
            assert isinstance(broker, (Redis if cell.broker == REDIS else Rabbit))
        made = Store(url)
        migrations.upgrade(made)
        made.close()
        line = line_in(folder, url, simulator.base_url)
        line.add_lexicon(A牌=["砚山咖啡"], B牌=["霁白咖啡", "九墨咖啡"])
        (folder / CLOCK).write_text("0")
        watch = Watch(line_in(folder, url, simulator.base_url))
        scene = Scene(cell, line, watch, simulator, dice, database, broker, proxy)
        eyes = threading.Thread(target=watch.look, daemon=True)
        scene.supply()
        eyes.start()
        try:
            scene.mend()
            yield scene
        finally:
            watch.ended.set()
            eyes.join()
            for worker in scene.workers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker.pid, signal.SIGKILL)
                worker.wait()
            line.store.close()
            watch.line.store.close()
            if scene.is_right:
                shutil.rmtree(folder)
