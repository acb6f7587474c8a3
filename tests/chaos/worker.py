"""A worker process for the chaos tests: works on a line until nothing is left, or dies at a point of its choice.

`python -m tests.chaos.worker FOLDER DATABASE_URL BASE_URL [options]` prints `ready` when work begins.
Points of `--die POINT:N`: `answered` (the answer is kept, nothing is stored), `stored` (rows are written, not
committed), `committed`, `sweeping` (in the middle of a sweep).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from answerwatch.domain.work import CLEAN, COLLECT, Claim, Done, Outcome, RetryPolicy
from answerwatch.engine.carriers.carrier import Carrier
from answerwatch.engine.carriers.dramatiq import NAMESPACE, DramatiqCarrier
from answerwatch.engine.carriers.hints import Scale
from answerwatch.engine.carriers.poll import PollCarrier
from answerwatch.engine.engine import Engine
from answerwatch.engine.options import EngineOptions
from answerwatch.engine.stage import Step
from answerwatch.platforms.sender import Sender
from answerwatch.stages.clean.stage import CleanStage
from answerwatch.store.database import Read, Store, Write
from tests.integration.stages.line import Line, surface

PATIENT = RetryPolicy(delays_s=(0.05,), max_retries=20, jitter=0.0, max_crashes=1_000)
"""Kills and faults come often here; what ends a task early is tested elsewhere."""

CLOCK = "clock"
"""File of a line whose content are seconds that its workers are ahead of the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """How a worker works."""

    slots: int = 8
    lease_s: float = 20.0
    sweep_s: float = 0.2
    die: str | None = None
    broker: str | None = None
    """Address of a broker; None: poll."""
    namespace: str = NAMESPACE


@dataclass
class MovedClock:
    """The clock of a machine that somebody sets."""

    file: Path
    is_held: bool = False

    def now(self) -> datetime:
        """Return the time as this machine has it."""
        try:
            ahead = float(self.file.read_text() or 0)
        except FileNotFoundError:
            ahead = 0.0
        return datetime.now(UTC) + timedelta(seconds=ahead)

    def monotonic(self) -> float:
        """Return seconds that nobody can set."""
        return time.monotonic()


def line_in(folder: Path, url: str, base_url: str) -> Line:
    """Return the line of a folder and a database."""
    return Line(folder, url, {"sim": surface(base_url)}, policy=PATIENT)


@dataclass
class Fuse:
    """Kills its own process the n-th time it comes to a point."""

    point: str
    left: int

    def come_to(self, point: str) -> None:
        """Die at the chosen point; `committed` is passed once before anything was."""
        if point == self.point:
            self.left -= 1
            if self.left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class DyingStep:
    """A step with a fuse."""

    inner: Step[Any, Any]
    fuse: Fuse
    name: str = "dying"

    def load(self, tx: Read, claims: Sequence[Claim]) -> Sequence[Any]:
        """Load as the real step does."""
        return self.inner.load(tx, claims)

    async def run(self, items: Sequence[Any]) -> AsyncIterator[Outcome[Any]]:
        """Run as the real step does."""
        async for outcome in self.inner.run(items):
            if isinstance(outcome, Done):
                self.fuse.come_to("answered")
            yield outcome

    def store(self, tx: Write, done: Sequence[Done[Any]]) -> None:
        """Store as the real step does."""
        if done:
            self.fuse.come_to("committed")
        self.inner.store(tx, done)
        if done:
            self.fuse.come_to("stored")


class DyingCleanStage(CleanStage):
    """A stage whose duty has a fuse."""

    fuse: Fuse | None = None

    def swept(self, store: Store) -> None:
        """Do the duty, and perhaps die of it."""
        super().swept(store)
        if self.fuse is not None:
            self.fuse.come_to("sweeping")


def options_of(line: Line, given: Conditions) -> EngineOptions:
    """Return the settings of a worker's engine."""
    slots = {COLLECT: given.slots, CLEAN: 20}
    usual = line.options((COLLECT, CLEAN))
    return replace(usual, slots=slots, lease_s=given.lease_s, sweep_s=given.sweep_s)


def carrier_of(store: Store, options: EngineOptions, given: Conditions) -> Carrier:
    """Return the carrier that brings hints to a worker."""
    if given.broker is None:
        return PollCarrier(options.poll_s)
    scale = Scale(slots=options.slots, sweep_s=options.sweep_s)
    carrier = DramatiqCarrier(given.broker, store, scale, namespace=given.namespace)
    store.listeners.append(carrier.tell)
    return carrier


async def work(line: Line, given: Conditions | None = None, until: Callable[[], bool] | None = None) -> None:
    """Serve both queues until the ledger is empty."""
    given = given or Conditions()
    clock, options = line.store.clock, options_of(line, given)
    carrier = carrier_of(line.store, options, given)
    async with Sender(slots=given.slots) as sender:
        collect = line.collect_stage(sender)
        clean = DyingCleanStage(clock=clock, policy=line.policy)
        if given.die is not None:
            point, _, count = given.die.partition(":")
            clean.fuse = Fuse(point, int(count) + (point == "committed"))
            collect.steps = (DyingStep(collect.steps[0], clean.fuse),)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await Engine(line.store, [collect, clean], options, carrier=carrier).run(until=until or line.is_idle)
    carrier.close(1.0)


def main() -> None:
    """Read the arguments and work."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("url")
    parser.add_argument("base_url")
    parser.add_argument("--slots", type=int, default=8)
    parser.add_argument("--lease-s", type=float, default=20.0)
    parser.add_argument("--sweep-s", type=float, default=0.2)
    parser.add_argument("--die")
    parser.add_argument("--broker")
    parser.add_argument("--clock", default=CLOCK)
    parser.add_argument("--for-ever", action="store_true")
    given = vars(parser.parse_args())
    line = line_in(given.pop("folder"), given.pop("url"), given.pop("base_url"))
    line.store.clock = MovedClock(line.folder / given.pop("clock"))
    until = (lambda: False) if given.pop("for_ever") else None
    asyncio.run(work(line, Conditions(**given), until))


if __name__ == "__main__":
    main()
