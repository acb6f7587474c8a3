"""The work that this process has in hand: claims by task, and which slots they take.

Changed on the loop alone; the lease thread reads a copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from answerwatch.domain.work import Claim

LaneOfQueue = tuple[str, str]
"""Queue and lane."""


class Hand:
    """Claims that are not settled yet, and the slots of those that still work.

    A slot is free again when the work has its outcome; the claim stays in hand until the outcome is stored.
    """

    def __init__(self) -> None:
        """Hold nothing."""
        self._claims: dict[str, Claim] = {}
        self._working: Counter[LaneOfQueue] = Counter()

    def take(self, claims: Sequence[Claim]) -> None:
        """Hold claims that are new or go on to their next step; each takes a slot."""
        self._claims.update({claim.task_id: claim for claim in claims})
        self._working.update([(claim.queue, claim.lane) for claim in claims])

    def free(self, claim: Claim) -> None:
        """Give back the slot of a claim whose work has its outcome."""
        self._working[claim.queue, claim.lane] -= 1

    def drop(self, claims: Iterable[Claim]) -> None:
        """Let go of claims that are settled, unless the same task was claimed anew in the meantime."""
        for claim in claims:
            held = self._claims.get(claim.task_id)
            if held is not None and held.token == claim.token:
                del self._claims[claim.task_id]

    def claims(self) -> list[Claim]:
        """Return all claims in hand; from any thread (a dictionary's values are copied in one go)."""
        return list(self._claims.values())

    def working(self) -> Mapping[LaneOfQueue, int]:
        """Return the slots taken, by queue and lane."""
        return {key: count for key, count in self._working.items() if count}

    def __len__(self) -> int:
        return len(self._claims)
