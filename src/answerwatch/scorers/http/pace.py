"""How many calls are under way at once: one more after each round that went well, half after "too fast"."""

from __future__ import annotations

STARTING = 2.0
SHORTEST_WAIT_S = 1.0
"""Wait after "too fast" where the server names none; it doubles until a call goes well."""
LONGEST_WAIT_S = 60.0


class Pace:
    """Additive increase, multiplicative decrease; moments are seconds of any clock that only goes forward."""

    def __init__(self, most: int) -> None:
        """Begin with two calls at once, or fewer where `most` says so."""
        self._most = most
        self._width = min(STARTING, float(most))
        self._wait_s = SHORTEST_WAIT_S
        self.quiet_until = float("-inf")
        """No call is begun before."""
        self.slow_since: float | None = None
        """Since when no call went well because of our speed; None: the last one did."""

    @property
    def width(self) -> int:
        """Return how many calls may be under way."""
        return int(self._width)

    def went_well(self) -> None:
        """Count a call that was answered."""
        self._width = min(float(self._most), self._width + 1 / self._width)
        self._wait_s = SHORTEST_WAIT_S
        self.slow_since = None

    def too_fast(self, now: float, wait_s: float | None) -> None:
        """Halve the calls, once for all that were under way together, and be quiet for as long as was asked."""
        if now >= self.quiet_until:
            self._width = max(1.0, self._width / 2)
            if wait_s is None:
                wait_s, self._wait_s = self._wait_s, min(2 * self._wait_s, LONGEST_WAIT_S)
        self.slow_since = now if self.slow_since is None else self.slow_since
        self.quiet_until = max(self.quiet_until, now + (wait_s or 0.0))

    def begin(self, now: float, patience_s: float) -> None:
        """Begin with new work: what was waited before does not count, and no wait may be longer than patience."""
        self.slow_since = None
        self.quiet_until = min(self.quiet_until, now + patience_s)

    def wait_in_all(self) -> float:
        """Return the seconds from the last call that went well until the next may be begun."""
        return 0.0 if self.slow_since is None else self.quiet_until - self.slow_since
