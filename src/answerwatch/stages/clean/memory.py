"""Readings between the two steps: an answer is read once, and its outcome is stored in two moves."""

from __future__ import annotations

import threading
from collections import OrderedDict

from answerwatch.domain.work import Claim
from answerwatch.stages.clean.records import Judged

MOST = 1_000
"""Readings kept; one whose claim was lost in between is never asked for and goes when newer ones come."""


class Memory:
    """Readings by claim; a crash empties it, and then the next worker reads again."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.Lock()
        self._readings: OrderedDict[tuple[str, str], Judged] = OrderedDict()

    def keep(self, claim: Claim, judged: Judged) -> None:
        """Keep a reading for the next step of this claim."""
        with self._lock:
            self._readings[claim.task_id, claim.token] = judged
            while len(self._readings) > MOST:
                self._readings.popitem(last=False)

    def take(self, claim: Claim) -> Judged | None:
        """Return the reading of this claim, once; None where this process has none."""
        with self._lock:
            return self._readings.pop((claim.task_id, claim.token), None)
