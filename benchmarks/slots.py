"""How busy the slots of a process are when every call takes seconds and some are slow."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import uuid
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from answerwatch.engine.carriers.dramatiq import DramatiqCarrier
from answerwatch.engine.carriers.hints import Scale
from answerwatch.engine.engine import Engine
from answerwatch.engine.options import EngineOptions
from answerwatch.store.database import Store
from answerwatch.store.schema import metadata
from benchmarks.carriers import BROKERS
from benchmarks.frame import LeftOut, Options, Row
from benchmarks.idle_stage import QUEUE, IdleStage, IdleStep, fill, scratch
from benchmarks.servers import POSTGRES, database

NAME = "slots"
CALL_S = 2.0
SLOW_S = 20.0
SLOW_SHARE = 0.04
SLOTS = 500


def run(options: Options) -> list[Row]:
    """Sample the busy slots in steady state: after all have started once, while more work waits than they can take."""
    warm_up, observed = options.size(6, 3), options.size(20, 3)
    rows: list[Row] = []
    with scratch() as (store, folder):
        rows += _rows("polling SQLite", _samples(store, folder, None, warm_up, observed), observed)
    for name, broker in BROKERS.items():
        try:
            with tempfile.TemporaryDirectory() as folder, database(POSTGRES) as url, closing(Store(url)) as store:
                metadata.create_all(store.engine)
                rows += _rows(f"{name}, PostgreSQL", _samples(store, Path(folder), broker, warm_up, observed), observed)
        except LeftOut as missing:
            print(f"{name} is left out: {missing}")
    return rows


def _samples(store: Store, folder: Path, broker: str | None, warm_up: int, observed: int) -> list[int]:
    step = IdleStep(_seconds)
    fill(store, SLOTS * (warm_up + observed))
    scale = Scale(slots={QUEUE: SLOTS})
    carrier = (
        None if broker is None else DramatiqCarrier(broker, store, scale, namespace=f"aw-bench-{uuid.uuid4().hex}")
    )
    options = EngineOptions(lock_folder=folder / "locks", slots={QUEUE: SLOTS})
    engine = Engine(store, [IdleStage(step, 1)], options, carrier=carrier)
    return asyncio.run(_sample(engine, lambda: step.working, warm_up, observed))


def _rows(where: str, samples: Sequence[int], observed: int) -> list[Row]:
    busy = statistics.mean(samples) / SLOTS * 100
    note = f"{SLOTS} slots, calls of {CALL_S:g} s, {SLOW_SHARE:.0%} of them {SLOW_S:g} s, {observed} s in steady state"
    worst = min(samples) / SLOTS * 100
    return [
        Row(name=f"busy slots, {where}", measured=busy, unit="%", target=90.0, note=note),
        Row(name=f"busy slots, worst moment, {where}", measured=worst, unit="%", note="sampled every 50 ms"),
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
