"""A worker process for the kill tests: works on a line until nothing is left, or dies at a point of its choice.

`python -m tests.chaos.worker FOLDER DATABASE_URL BASE_URL [--slots N] [--die POINT:N]` prints `ready` when work begins.
Points: `answered` (the answer is kept, nothing is stored), `stored` (rows are written, not committed), `committed`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from answerwatch.clock import SystemClock
from answerwatch.domain.work import CLEAN, COLLECT, Claim, Done, Outcome, RetryPolicy
from answerwatch.engine.engine import Engine
from answerwatch.engine.stage import Step
from answerwatch.platforms.sender import Sender
from answerwatch.stages.clean.stage import CleanStage
from answerwatch.store.database import Read, Write
from tests.integration.stages.line import Line, surface

PATIENT = RetryPolicy(delays_s=(0.05,), max_retries=20, jitter=0.0, max_crashes=1_000)
"""Kills and faults come often here; what ends a task early is tested elsewhere."""


def line_in(folder: Path, url: str, base_url: str) -> Line:
    """Return the line of a folder and a database."""
    return Line(folder, url, {"sim": surface(base_url)}, policy=PATIENT)


@dataclass
class DyingStep:
    """A step that kills its own process the n-th time it comes to a point."""

    inner: Step[Any, Any]
    point: str
    left: int
    name: str = "dying"

    def load(self, tx: Read, claims: Sequence[Claim]) -> Sequence[Any]:
        """Load as the real step does."""
        return self.inner.load(tx, claims)

    async def run(self, items: Sequence[Any]) -> AsyncIterator[Outcome[Any]]:
        """Run as the real step does."""
        async for outcome in self.inner.run(items):
            if isinstance(outcome, Done):
                self.come_to("answered")
            yield outcome

    def store(self, tx: Write, done: Sequence[Done[Any]]) -> None:
        """Store as the real step does."""
        if done:
            self.come_to("committed")
        self.inner.store(tx, done)
        if done:
            self.come_to("stored")

    def come_to(self, point: str) -> None:
        """Die at the chosen point; `committed` is passed once before anything was."""
        if point == self.point:
            self.left -= 1
            if self.left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)


async def work(line: Line, slots: int, die: str | None) -> None:
    """Serve both queues until the ledger is empty."""
    options = replace(line.options((COLLECT, CLEAN)), slots={COLLECT: slots, CLEAN: 20}, lease_s=20.0, sweep_s=0.2)
    async with Sender(slots=slots) as sender:
        collect = line.collect_stage(sender)
        if die is not None:
            point, _, count = die.partition(":")
            collect.steps = (DyingStep(collect.steps[0], point, int(count) + (point == "committed")),)
        clean = CleanStage(clock=SystemClock(), policy=line.policy)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await Engine(line.store, [collect, clean], options).run(until=line.is_idle)


def main() -> None:
    """Read the arguments and work."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("url")
    parser.add_argument("base_url")
    parser.add_argument("--slots", type=int, default=8)
    parser.add_argument("--die")
    given = parser.parse_args()
    asyncio.run(work(line_in(given.folder, given.url, given.base_url), given.slots, given.die))


if __name__ == "__main__":
    main()
