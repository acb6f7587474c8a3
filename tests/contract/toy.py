"""A stage for tests: what a task does is written in its id, what happened to it is written into two tables.

An id is `WORD:ARGUMENT:REST`: `ok::1`, `sleep:0.2:1` (takes 0.2 s), `flaky:2:1` (fails twice), `dead::1` (fails for
good), `stamp::1` (notes when it started), `parks::1` (bad key), `throttled:0.2:1` (asks to wait, once), `poison::1`
(cannot be stored), `crash::1` (kills its process), `broken::1` (raises), `silent::1` (yields no outcome), `damaged::1`
(cannot be loaded), `two::1` (has a second step).
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from sqlalchemy import Column, Integer, MetaData, Table, Text, select

from answerwatch.domain.failures import Failure, Scope, Severity
from answerwatch.domain.limits import Signal, SignalKind
from answerwatch.domain.work import Claim, Done, Failed, HandedBack, NewTask, Outcome, RetryPolicy, Settled, Why
from answerwatch.engine.carriers.carrier import Carrier
from answerwatch.engine.carriers.dramatiq import DramatiqCarrier
from answerwatch.engine.carriers.hints import Scale
from answerwatch.engine.carriers.poll import PollCarrier
from answerwatch.engine.engine import Engine
from answerwatch.engine.options import EngineOptions
from answerwatch.engine.stage import Stage, Step
from answerwatch.store.database import Read, Store, Write
from answerwatch.store.ops import dead_letters
from answerwatch.store.schema import work_task
from answerwatch.store.schema.work import LEASED
from answerwatch.store.work import backlog, ledger
from answerwatch.store.work.ledger import GroupSpec
from tests.brokers import Place

QUEUE = "toy"
LANE = "toy"
GROUP = "G1"
SLOTS = 20
"""Tasks of a worker in hand at most."""
PATIENCE_S = 60.0
"""Longest wait for anything: only a broken engine needs it."""

STAMPS: list[float] = []
"""When `stamp` tasks of this process started."""

QUICK = RetryPolicy(delays_s=(0.01,), max_retries=3, jitter=0.0, max_crashes=5)

toy = MetaData()

# No unique keys: what happens twice must be seen twice.
toy_event = Table(
    "toy_event",
    toy,
    Column("row", Integer, primary_key=True),
    Column("kind", Text),
    Column("task_id", Text),
    Column("detail", Text),
)


class CannotBeStored(Exception):
    """The poison in a row."""


@dataclass(frozen=True, slots=True)
class ToyItem:
    """What the toy loads: the words of the id."""

    claim: Claim
    word: str
    argument: str


def note(tx: Write, kind: str, outcomes: Sequence[Outcome[Any]], details: Sequence[str] | None = None) -> None:
    """Write one event for each outcome."""
    details = details or [""] * len(outcomes)
    pairs = zip(outcomes, details, strict=True)
    tx.insert(toy_event, [{"kind": kind, "task_id": each.claim.task_id, "detail": detail} for each, detail in pairs])


class ToyWork:
    """The toy's first step."""

    name = "work"

    def load(self, _: Read, claims: Sequence[Claim]) -> Sequence[ToyItem]:
        if any(claim.task_id.startswith("damaged") for claim in claims):
            raise ValueError("a damaged row")
        return [ToyItem(claim, *claim.task_id.split(":")[:2]) for claim in claims]

    async def run(self, items: Sequence[ToyItem]) -> AsyncIterator[Outcome[str]]:
        for item in items:
            if item.word == "silent":
                continue
            try:
                yield await act(item)
            except asyncio.CancelledError:
                yield HandedBack(claim=item.claim, why=Why.STOPPED, value="called")
                raise

    def store(self, tx: Write, done: Sequence[Done[str]]) -> None:
        for outcome in done:
            if outcome.value == "poison":
                raise CannotBeStored(outcome.claim.task_id)
        note(tx, "done", done, [self.name] * len(done))


class ToySecond(ToyWork):
    """The toy's second step."""

    name = "second"

    async def run(self, items: Sequence[ToyItem]) -> AsyncIterator[Outcome[str]]:
        for item in items:
            yield Done(claim=item.claim, value="")


async def act(item: ToyItem) -> Outcome[str]:
    """Do what the id says."""
    claim = item.claim
    match item.word:
        case "stamp":
            STAMPS.append(time.monotonic())
        case "sleep":
            await asyncio.sleep(float(item.argument))
        case "flaky" if claim.failures < int(item.argument):
            failure = Failure(error_type="timeout", severity=Severity.TEMPORARY, transport=True)
            return Failed(claim=claim, failure=failure, value="tried")
        case "throttled" if claim.failures == 0:
            wait = float(item.argument)
            failure = Failure(error_type="rate_limited", severity=Severity.TEMPORARY, retry_after_s=wait)
            return Failed(claim=claim, failure=failure)
        case "dead":
            return Failed(claim=claim, failure=Failure(error_type="bad_request", severity=Severity.PERMANENT))
        case "parks":
            failure = Failure(error_type="bad_key", severity=Severity.PERMANENT, scope=Scope.KEY, message="no key")
            return Failed(claim=claim, failure=failure)
        case "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        case "broken":
            raise RuntimeError("a fault in the stage")
    return Done(claim=claim, value=item.word, more=item.word == "two")


@dataclass
class ToyStage:
    """The stage; counters of the run are in the database, so that they hold over processes."""

    queue: str = QUEUE
    policy: RetryPolicy = QUICK
    together: int = 1
    steps: Sequence[Step[Any, Any]] = (ToyWork(), ToySecond())

    def claimed(self, tx: Write, claims: Sequence[Claim]) -> None:
        rows = [{"kind": "claimed", "task_id": claim.task_id, "detail": str(claim.attempt)} for claim in claims]
        tx.insert(toy_event, rows)

    def failed(self, tx: Write, settled: Sequence[Settled[Any]]) -> None:
        outcomes = [each.outcome for each in settled]
        note(tx, "failed", outcomes, [f"{each.ending}:{each.outcome.failure.error_type}" for each in settled])

    def handed_back(self, tx: Write, back: Sequence[HandedBack[Any]]) -> None:
        note(tx, "handed_back", back, [each.why for each in back])

    def lost(self, tx: Write, late: Sequence[Outcome[Any]]) -> None:
        note(tx, "lost", late, [type(each).__name__ for each in late])

    def expired(self, tx: Write, group_id: str) -> None:
        gone = ledger.remove(tx, ledger.outstanding(tx, self.queue, group_id))
        tx.insert(toy_event, [{"kind": "expired", "task_id": task_id, "detail": group_id} for task_id in gone])

    def revive(self, _: Write, task_ids: Sequence[str]) -> Sequence[tuple[GroupSpec, NewTask]]:
        group = GroupSpec(queue=self.queue, group_id=GROUP)
        return [(group, NewTask(task_id=task_id.replace("dead", "ok"), lane=LANE)) for task_id in task_ids]

    def signal(self, outcome: Outcome[Any]) -> Signal | None:
        if isinstance(outcome, HandedBack):
            return None
        if isinstance(outcome, Done):
            return Signal(kind=SignalKind.ANSWERED)
        failure = outcome.failure
        kind = SignalKind.TRANSPORT if failure.transport else SignalKind.THROTTLED
        if failure.parks:
            kind = SignalKind.PARKS
        elif failure.error_type not in ("timeout", "rate_limited"):
            kind = SignalKind.ANSWERED
        return Signal(kind=kind, wait_s=failure.retry_after_s, reason=failure.error_type)

    def swept(self, store: Store) -> None:
        """Nothing to do."""


def carrier_at(place: Place | None, store: Store) -> Carrier:
    """Return the carrier over a broker, or the one that polls where there is none."""
    if place is None:
        return PollCarrier(0.02)
    return DramatiqCarrier(place.url, store, Scale(slots={QUEUE: SLOTS}, sweep_s=PATIENCE_S), namespace=place.namespace)


def options(folder: Path, **changes: object) -> EngineOptions:
    """Return options with short times, so that tests wait for conditions and not for leases."""
    quick = EngineOptions(lock_folder=folder / "locks", poll_s=0.02, sweep_s=0.1, gather_s=0.002)
    return replace(quick, **cast("dict[str, Any]", changes))


def add(store: Store, task_ids: Sequence[str], *, group: GroupSpec | None = None, lane: str = LANE) -> None:
    """Put tasks on the ledger."""
    group = group or GroupSpec(queue=QUEUE, group_id=GROUP)

    def work(tx: Write) -> None:
        ledger.open_group(tx, group)
        tasks = (NewTask(task_id=task_id, lane=lane, seq=seq) for seq, task_id in enumerate(task_ids))
        ledger.add(tx, group.queue, group.group_id, tasks)

    store.transact(work)


async def _serve(engine: Engine, until: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await engine.run(until)


def serve(store: Store, folder: Path, carrier: Carrier, *, stage: Stage | None = None, **changes: object) -> Engine:
    """Run an engine of this process until the ledger is empty."""
    engine = Engine(store, [stage or ToyStage()], options(folder, **changes), carrier=carrier)
    asyncio.run(_serve(engine, lambda: nothing_left(store)))
    return engine


@contextmanager
def serving(engine: Engine) -> Iterator[Engine]:
    """Run an engine in a thread for the length of a block; its error is raised at the end."""
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(asyncio.run, engine.run())
        try:
            yield engine
        finally:
            engine.request_stop(0.0)
            running.result(PATIENCE_S)


def eventually(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition; fail the test when it does not come."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"never came: {what}")
        time.sleep(0.01)


def events(store: Store, kind: str) -> list[tuple[str, str]]:
    """Return task ids and details of all events of a kind, in order."""
    query = select(toy_event.c.task_id, toy_event.c.detail).where(toy_event.c.kind == kind).order_by(toy_event.c.row)
    with store.reading() as tx:
        return [(row.task_id, row.detail) for row in tx.all(query)]


def done(store: Store) -> list[str]:
    """Return the ids of the tasks that were done, sorted; a task done twice is there twice."""
    return sorted(task_id for task_id, step in events(store, "done") if step == "work")


def left(store: Store) -> int:
    """Return how many tasks are still on the ledger."""
    with store.reading() as tx:
        return sum(depth.ready + depth.waiting + depth.leased for depth in ledger.depths(tx, queue=QUEUE))


def nothing_left(store: Store) -> bool:
    """Tell whether the ledger is empty."""
    with store.reading() as tx:
        return not backlog.has_work(tx, QUEUE)


def letters(store: Store) -> list[tuple[str, str]]:
    """Return task ids and error types of all dead letters."""
    with store.reading() as tx:
        return sorted((each.task_id, each.error_type) for each in dead_letters.find(tx, dead_letters.Filter()))


def rows(store: Store) -> dict[str, tuple[int, int, int]]:
    """Return failures, interruptions and crashes of every task on the ledger."""
    columns = (work_task.c.task_id, work_task.c.failures, work_task.c.interruptions, work_task.c.crashes)
    with store.reading() as tx:
        return {row.task_id: (row.failures, row.interruptions, row.crashes) for row in tx.all(select(*columns))}


def in_hand(read: Read) -> list[str]:
    """Return the ids of the tasks that some worker holds."""
    return [row.task_id for row in read.all(select(work_task.c.task_id).where(work_task.c.state == LEASED))]
