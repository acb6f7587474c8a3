"""Keeps the calls that really start within the bucket, when the loop was late for their reserved moments.

Reserved moments conform to the bucket; calls that are all late by a little would start together and no longer do.
The same GCRA runs here over what really starts, so that a stall never becomes a burst above the capacity.
"""

from __future__ import annotations

from dataclasses import dataclass

from answerwatch.domain.limits import LaneState


@dataclass(slots=True)
class _Bucket:
    interval_s: float
    burst_s: float
    tat_s: float = 0.0


class Pacer:
    """One bucket for each lane, in the loop's time."""

    def __init__(self) -> None:
        """Know no lanes yet."""
        self._buckets: dict[str, _Bucket] = {}
        self._blocked_s: dict[str, float] = {}

    def block(self, lane: str, until_s: float) -> None:
        """Let nothing start on the lane before `until_s`; a shorter hint never ends a longer one."""
        self._blocked_s[lane] = max(until_s, self._blocked_s.get(lane, until_s))

    def learn(self, lane: LaneState) -> None:
        """Take over the present speed of a lane."""
        if lane.rate is None:
            self._buckets.pop(lane.lane, None)
            return
        interval = 1 / (lane.rate * lane.factor)
        burst = ((lane.capacity or 1) - 1) / lane.rate
        known = self._buckets.setdefault(lane.lane, _Bucket(interval, burst))
        known.interval_s, known.burst_s = interval, burst

    def start(self, lane: str, count: int, now_s: float) -> float:
        """Count `count` starts now and return 0, or count nothing and return the seconds that they must still wait."""
        blocked = self._blocked_s.get(lane, now_s) - now_s
        if blocked > 0:
            return blocked
        bucket = self._buckets.get(lane)
        if bucket is None:
            return 0.0
        wait = bucket.tat_s - bucket.burst_s - now_s
        if wait > TOLERANCE_S:
            return wait
        bucket.tat_s = max(bucket.tat_s, now_s) + count * bucket.interval_s
        return 0.0


TOLERANCE_S = 0.002
"""Timers of the loop fire within their resolution, a little early too."""
