"""The strict rate limit of a fake platform, and the measure of how far a client overstepped one."""

from collections.abc import Iterable


class StrictBucket:
    """A token bucket that starts full; a call without a token is turned away.

    `rate` is tokens per second, `capacity` the most that can be saved up. `slack` more tokens are granted on top: the
    network makes evenly sent calls arrive unevenly, and a limiter that forgives nothing punishes that.
    """

    def __init__(self, rate: float, capacity: float, slack: float = 0.0) -> None:
        """Start with a full bucket."""
        self._rate = rate
        self._size = capacity + slack
        self._tokens = self._size
        self._last: float | None = None

    def take(self, now: float) -> float:
        """Take one token at the monotonic time `now`; return 0.0, or the seconds until there will be one."""
        elapsed = 0.0 if self._last is None else max(0.0, now - self._last)
        self._last = now if self._last is None else max(now, self._last)
        self._tokens = min(self._size, self._tokens + elapsed * self._rate)
        # A billionth is forgiven: sums of floating-point waits miss the whole number by less than that.
        if self._tokens >= 1 - 1e-9:
            self._tokens -= 1
            return 0.0
        return (1 - self._tokens) / self._rate


def worst_excess(arrivals: Iterable[float], rate: float, capacity: float) -> float:
    """Return by how many calls the fullest window exceeds `capacity + rate * its length`.

    Every window between two arrivals counts, both ends included. The result is negative when the limit was never
    reached, and `-capacity` when nothing arrived. A client that keeps a token bucket exactly has at most 0; the house
    allows 1, for the unevenness of the network.
    """
    worst = -float(capacity)
    fewest = float("inf")
    for position, arrival in enumerate(sorted(arrivals)):
        level = position - rate * arrival
        fewest = min(fewest, level)
        worst = max(worst, level - fewest + 1 - capacity)
    return worst
