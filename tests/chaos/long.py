"""The long form: every cell of the matrix gets random faults, one after another; figures are printed as Markdown.

`python -m tests.chaos.long [--faults N] [--seed S] [--cells sqlite-poll,...] [--minute]`
"""

from __future__ import annotations

import argparse
import random
import signal
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.brokers import RABBITMQ, REDIS
from tests.chaos.faults import Fault, database_away_for_a_minute, faults_for
from tests.chaos.scene import Cell, Scene, scene_of
from tests.chaos.servers import NEVER, Servers
from tests.databases import MYSQL, POSTGRES, SQLITE

CELLS = [Cell(database, broker) for database in (SQLITE, POSTGRES, MYSQL) for broker in (None, RABBITMQ, REDIS)]


@dataclass
class Told:
    """What came of one cell."""

    cell: Cell
    seed: int
    sub_tasks: int = 0
    calls: int = 0
    faults: list[tuple[str, float]] = field(default_factory=list)
    """Each with the seconds until work went on."""
    overdue_s: float = 0.0
    wrong: list[str] = field(default_factory=list)


def suffer(cell: Cell, servers: Servers, *, seed: int, count: int, last: dict[str, Fault] | None = None) -> Told:
    """Let faults happen to a cell, in a random order that has each of them about as often."""
    told, dice = Told(cell, seed), random.Random(seed)
    known = faults_for(cell)
    names: list[str] = []
    while len(names) < count:
        names += dice.sample(sorted(known), len(known))
    with scene_of(cell, servers, dice) as scene:
        try:
            for name, fault in [*((name, known[name]) for name in names[:count]), *(last or {}).items()]:
                told.faults.append((name, _happen(scene, name, fault)))
            told.wrong = scene.finish()
        except AssertionError as error:
            told.wrong.append(f"after {len(told.faults)} faults, {told.faults[-1:]}: {error}")
        told.sub_tasks, told.calls = scene.sub_tasks, len(scene.simulator.calls())
        told.overdue_s = scene.watch.overdue_s
    return told


def _happen(scene: Scene, name: str, fault: Fault) -> float:
    scene.mend()
    scene.supply()
    NEVER.wait(scene.dice.uniform(0.1, 0.6))
    fault(scene)
    recovery_s = scene.recover()
    sys.stdout.write(f"  {scene.cell.name}: {name}: {recovery_s:.2f} s\n")
    sys.stdout.flush()
    return recovery_s


def tables(all_told: Sequence[Told]) -> str:
    """Return the figures."""
    lines = ["| cell | seed | sub-tasks | calls | faults | wrong | recovery median, worst | overdue at most |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for one in all_told:
        times = [seconds for _, seconds in one.faults]
        lines.append(
            f"| {one.cell.name} | {one.seed} | {one.sub_tasks:,} | {one.calls:,} | {len(times)} | {len(one.wrong)} "
            f"| {statistics.median(times):.2f} s, {max(times):.2f} s | {one.overdue_s:.2f} s |"
        )
    by_kind: dict[str, list[float]] = defaultdict(list)
    for name, seconds in (fault for one in all_told for fault in one.faults):
        by_kind[name].append(seconds)
    lines += ["", "| fault | times | recovery median | worst |", "|---|---|---|---|"]
    for name, times in sorted(by_kind.items()):
        lines.append(f"| {name} | {len(times)} | {statistics.median(times):.2f} s | {max(times):.2f} s |")
    wrong = [f"{one.cell.name} (seed {one.seed}): {each}" for one in all_told for each in one.wrong]
    return "\n".join([*lines, "", *wrong])


def main() -> int:
    """Run the cells, and return 1 where something was wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--faults", type=int, default=23, help="of each cell")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--cells", default=",".join(cell.name for cell in CELLS))
    parser.add_argument("--minute", action="store_true", help="stop each database for a minute, too")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the servers must not outlive us
    servers, all_told = Servers(), []
    try:
        for number, cell in enumerate(cell for cell in CELLS if cell.name in given.cells.split(",")):
            seed, began = given.seed + number, time.monotonic()
            last: dict[str, Fault] = {"database stopped for a minute": database_away_for_a_minute}
            with_minute = given.minute and cell.database != SQLITE and cell.broker is None
            one = suffer(cell, servers, seed=seed, count=given.faults, last=last if with_minute else None)
            all_told.append(one)
            sys.stdout.write(f"{cell.name} (seed {seed}): {len(one.wrong)} wrong, {time.monotonic() - began:.0f} s\n")
            sys.stdout.write("".join(f"  WRONG {each}\n" for each in one.wrong))
    finally:
        servers.drop()
        sys.stdout.write(tables(all_told) + "\n")
    return 1 if any(one.wrong for one in all_told) else 0


if __name__ == "__main__":
    sys.exit(main())
