"""Who may claim next: pure decisions over piles, lanes and slots.

Order is the ledger's (priority, then age of the group). On each lane the first brand's work goes out first, and only
work that is due now counts, so that nobody waits for a stalled batch (docs/decisions/0006).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from answerwatch.domain.work import Pile
from answerwatch.engine.hand import LaneOfQueue


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """What to claim on one lane of one queue: from these piles, in this order, at most so many."""

    queue: str
    lane: str
    piles: tuple[Pile, ...]
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """The slots of one queue and who uses them."""

    total: int
    working: Mapping[str, int]
    """Slots in use by lane."""

    @property
    def free(self) -> int:
        """Return how many slots nobody uses."""
        return max(0, self.total - sum(self.working.values()))

    def allowance(self, lane: str, wanted: Mapping[str, bool]) -> int:
        """Return how many slots the lane may take; `wanted` tells of each lane with work whether some is due now.

        Every other lane with due work keeps its fair share free, one whose work comes due later a single slot: a
        platform that hangs cannot take the slots of those that answer.
        """
        held = self.working.get(lane, 0)
        share = -(-self.total // len(wanted.keys() | self.working.keys() | {lane}))
        kept = 0
        for other, is_due in wanted.items():
            if other != lane:
                kept += max(0, (share if is_due else 1) - self.working.get(other, 0))
        return max(self.free - kept, min(self.free, share - held), 0)


def slots_of(queue: str, total: int, working: Mapping[LaneOfQueue, int]) -> Slots:
    """Return the slots of one queue out of what all queues use."""
    return Slots(total=total, working={lane: count for (of, lane), count in working.items() if of == queue})


def lots(piles: Sequence[Pile], *, now_us: int, slots: Mapping[str, Slots]) -> list[Lot]:
    """Return what to claim now, in the order of the piles; slots are by queue."""
    by_lane: dict[LaneOfQueue, list[Pile]] = {}
    for pile in piles:
        by_lane.setdefault((pile.queue, pile.lane), []).append(pile)
    wanted: dict[str, dict[str, bool]] = {}
    for (queue, lane), of_lane in by_lane.items():
        wanted.setdefault(queue, {})[lane] = any(pile.oldest_us <= now_us for pile in of_lane)
    found: list[Lot] = []
    for (queue, lane), of_lane in by_lane.items():
        due = tuple(pile for pile in of_lane if pile.oldest_us <= now_us)
        most = slots[queue].allowance(lane, wanted[queue]) if queue in slots else 0
        if due and most > 0:
            found.append(Lot(queue=queue, lane=lane, piles=due, most=most))
    return found


def turns(piles: Sequence[Pile], most: int, brands_together: int) -> Iterator[tuple[Pile, int]]:
    """Yield the piles of a lane in the order of claiming, each with its quota out of `most`.

    One brand at a time: simply in order. Several: the first brands get equal quotas, then whatever is left goes in
    order, so that no allowance stays unused.
    """
    brands = list(dict.fromkeys(pile.brand_name for pile in piles))[:brands_together]
    if len(brands) > 1:
        quota = -(-most // len(brands))
        yield from ((next(pile for pile in piles if pile.brand_name == brand), quota) for brand in brands)
    yield from ((pile, most) for pile in piles)
