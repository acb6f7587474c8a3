"""What is told to workers: the ids that the ledger puts first, few of them, for workers that live.

One hint for each living worker is enough: who was woken looks again whenever a slot becomes free, until nothing is due.
A hint holds at most a worker's slots, and each worker holds back at most one, so that hints that wait and hints
that are held never name more tasks than living workers have slots, twice. The order of the work is the ledger's.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.limits import Breaker
from answerwatch.domain.work import DEFAULT_SLOTS, LEASE_S, SWEEP_S, Pile
from answerwatch.store.database import Read, Write
from answerwatch.store.ops import shared_numbers
from answerwatch.store.upsert import chunks
from answerwatch.store.work import lanes, ledger, workers

MOST = 50
"""Ids of one message at most."""

TURN_S = 0.1
"""How long a queue is one publisher's; publishing takes milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """What is known of the workers without asking them: all run with the settings of one workspace."""

    slots: Mapping[str, int] = field(default_factory=dict)
    """Slots of one worker by queue, over DEFAULT_SLOTS."""
    lease_s: float = LEASE_S
    sweep_s: float = SWEEP_S

    def size(self, queue: str) -> int:
        """Return how many ids a hint holds at most."""
        return min(MOST, self.slots.get(queue, DEFAULT_SLOTS.get(queue, MOST)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What could be told now."""

    workers: int
    """Living workers: as many hints may wait in a queue."""
    by_queue: Mapping[str, Sequence[Sequence[str]]]
    """Ids of each hint, those of one pile, in the ledger's order."""


def hints(read: Read, queues: Collection[str], scale: Scale) -> Hints:
    """Return what is worth telling: due work that is not paused, on lanes that let calls out."""
    living = workers.count_living(read, lease_s=scale.lease_s, sweep_s=scale.sweep_s)
    found: dict[str, list[list[str]]] = {queue: [] for queue in queues}
    if living:
        closed = {lane.lane for lane in lanes.every(read) if lane.breaker is not Breaker.CLOSED}
        for pile in ledger.due(read, sorted(queues)):
            if pile.lane not in closed:
                made = found[pile.queue]
                made += _of_pile(read, pile, size=scale.size(pile.queue), most=living - len(made))
    return Hints(workers=living, by_queue=found)


def take_turn(tx: Write, queue: str) -> bool:
    """Return whether the caller may publish to a queue now: two who count what waits at once would both fill it."""
    name, now = f"hints/{queue}", tx.now_us()
    last = shared_numbers.move(tx, name, now)
    if 0 < now - last < round(TURN_S * MICROSECONDS):
        shared_numbers.move(tx, name, last)
        return False
    return True


def _of_pile(read: Read, pile: Pile, *, size: int, most: int) -> list[list[str]]:
    """Return up to `most` hints with the first ids of a pile; few ids are spread, so that every worker hears."""
    ids = ledger.next_due(read, pile, most=size * most) if most > 0 else []
    return list(chunks(ids, math.ceil(len(ids) / most))) if ids else []
