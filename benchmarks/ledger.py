"""Tasks that do nothing, through ledger and engine on SQLite: claim, run, finish."""

from __future__ import annotations

import asyncio
import time
from functools import partial

from answerwatch.engine.engine import Engine
from answerwatch.engine.options import EngineOptions
from benchmarks.frame import Options, Row
from benchmarks.idle_stage import QUEUE, IdleStage, IdleStep, fill, is_empty, scratch

NAME = "ledger"
SLOTS = 2_000
TARGET = 20_000.0


def run(options: Options) -> list[Row]:
    """Serve the tasks in one process and return the rates: the best of some rounds, for others disturb."""
    tasks, rounds = options.size(60_000, 2_000), options.size(3, 1)
    note = f"{tasks:,} tasks on SQLite, one process, best of {rounds}"
    together = max(_rate(tasks, 50) for _ in range(rounds))
    alone = max(_rate(tasks, 1) for _ in range(rounds))
    return [
        Row(name="no-op tasks", measured=together, unit="tasks/s", target=TARGET, note=f"{note}, 50 in a run"),
        Row(name="no-op tasks, each a run of its own", measured=alone, unit="tasks/s", note=note),
    ]


def _rate(tasks: int, together: int) -> float:
    with scratch() as (store, folder):
        fill(store, tasks)
        options = EngineOptions(lock_folder=folder / "locks", slots={QUEUE: SLOTS})
        engine = Engine(store, [IdleStage(IdleStep(), together)], options)
        start = time.perf_counter()
        asyncio.run(engine.run(until=partial(is_empty, store)))
        return tasks / (time.perf_counter() - start)
