"""How busy the slots of a process are when every call takes seconds and some are slow."""

from __future__ import annotations

import asyncio
import statistics
import zlib
from collections.abc import Callable

from answerwatch.engine.engine import Engine
from answerwatch.engine.options import EngineOptions
from benchmarks.frame import Options, Row
from benchmarks.idle_stage import QUEUE, IdleStage, IdleStep, fill, scratch

NAME = "slots"
CALL_S = 2.0
SLOW_S = 20.0
SLOW_SHARE = 0.04
SLOTS = 500


def run(options: Options) -> list[Row]:
    """Sample the busy slots in steady state: after all have started once, while more work waits than they can take."""
    warm_up, observed = options.size(6, 3), options.size(20, 3)
    with scratch() as (store, folder):
        step = IdleStep(_seconds)
        fill(store, SLOTS * (warm_up + observed))
        engine = Engine(store, [IdleStage(step, 1)], EngineOptions(lock_folder=folder / "locks", slots={QUEUE: SLOTS}))
        samples = asyncio.run(_sample(engine, lambda: step.working, warm_up, observed))
    busy = statistics.mean(samples) / SLOTS * 100
    note = f"{SLOTS} slots, calls of {CALL_S:g} s, {SLOW_SHARE:.0%} of them {SLOW_S:g} s, {observed} s in steady state"
    worst = min(samples) / SLOTS * 100
    return [
        Row(name="busy slots", measured=busy, unit="%", target=90.0, note=note),
        Row(name="busy slots, worst moment", measured=worst, unit="%", note="sampled every 50 ms"),
    ]


def _seconds(task_id: str) -> float:
    """Return how long a task takes, the same in every run."""
    return SLOW_S if zlib.crc32(task_id.encode()) % 1000 < SLOW_SHARE * 1000 else CALL_S


async def _sample(engine: Engine, working: Callable[[], int], warm_up_s: float, observed_s: float) -> list[int]:
    running = asyncio.create_task(engine.run())
    await asyncio.sleep(warm_up_s)
    samples = []
    for _ in range(round(observed_s / 0.05)):
        samples.append(working())
        await asyncio.sleep(0.05)
    engine.request_stop(0.0)
    await running
    return samples
