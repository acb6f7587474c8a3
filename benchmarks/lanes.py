"""How long limited lanes take against the shortest possible time, and whether they keep to their limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial

from answerwatch.domain.work import NewTask
from answerwatch.engine.engine import Engine
from answerwatch.engine.options import EngineOptions
from answerwatch.store.database import Write
from answerwatch.store.work import lanes, ledger
from answerwatch.store.work.ledger import GroupSpec
from benchmarks.frame import Better, Options, Row
from benchmarks.idle_stage import QUEUE, IdleStage, IdleStep, is_empty, scratch

NAME = "lanes"
LANES = {"first": (5.0, 10), "second": (3.0, 6), "third": (5.0, 10)}
"""Rate and capacity, as a paid account usually has them."""
ANSWER_S = 1.0


def run(options: Options) -> list[Row]:
    """Serve three lanes at a time; each call takes a second."""
    calls = options.size(300, 20)
    starts: dict[str, list[float]] = {lane: [] for lane in LANES}
    taken = _serve(calls, starts)
    bound = max((calls - capacity) / rate for rate, capacity in LANES.values()) + ANSWER_S
    excess = max(above_limit(starts[lane], rate, capacity) for lane, (rate, capacity) in LANES.items())
    note = f"{calls} calls on each of three lanes: 5/s capacity 10, 3/s capacity 6, 5/s capacity 10"
    return [
        Row(name="makespan", measured=taken / bound, unit="x bound", target=1.05, better=Better.LOWER, note=note),
        Row(name="starts above the limit", measured=excess, unit="calls", target=1.0, better=Better.LOWER,
            note="most in any window over capacity + rate x t"),
    ]  # fmt: skip


def above_limit(starts: Sequence[float], rate: float, capacity: int) -> float:
    """Return by how many calls any window holds more than capacity + rate x its length; 0 or less: kept."""
    times = sorted(starts)
    # Over all i <= j the excess is (j - rate t_j) - (i - rate t_i) + 1 - capacity: the lowest left side so far decides.
    worst, lowest = float("-inf"), float("inf")
    for index, moment in enumerate(times):
        level = index - rate * moment
        lowest = min(lowest, level)
        worst = max(worst, level - lowest + 1 - capacity)
    return worst


def _serve(calls: int, starts: dict[str, list[float]]) -> float:
    def answer(task_id: str) -> float:
        starts[task_id.split("_", maxsplit=1)[0]].append(time.monotonic())
        return ANSWER_S

    def prepare(tx: Write) -> None:
        ledger.open_group(tx, GroupSpec(queue=QUEUE, group_id="bench"))
        for lane, (rate, capacity) in LANES.items():
            lanes.ensure(tx, lane, rate=rate, capacity=capacity, in_flight=None)
        tasks = [
            NewTask(task_id=f"{lane}_{number:04}", lane=lane, seq=number) for lane in LANES for number in range(calls)
        ]
        ledger.add(tx, QUEUE, "bench", tasks)

    with scratch() as (store, folder):
        store.transact(prepare)
        engine = Engine(store, [IdleStage(IdleStep(answer), 1)], EngineOptions(lock_folder=folder, slots={QUEUE: 64}))
        asyncio.run(engine.run(until=partial(is_empty, store)))
        return time.monotonic() - min(min(times) for times in starts.values())
