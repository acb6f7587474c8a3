"""A thread that passes on what was told, so that nobody who tells waits for a broker."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection

PAUSE_S = 0.05
"""Shortest time between two announcements: what is told meanwhile goes out together."""


class Herald:
    """Calls `announce` with the queues told since its last call; runs from the first word until it is closed."""

    def __init__(self, announce: Callable[[Collection[str]], None], end: Callable[[], None]) -> None:
        """Call both in the thread; neither may raise. `end` is the last call."""
        self._announce = announce
        self._end = end
        self._news: set[str] = set()
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="answerwatch-herald", daemon=True)
        self._thread.start()

    def tell(self, queues: Collection[str]) -> None:
        """Note that these queues have news."""
        with self._changed:
            self._news.update(queues)
            self._changed.notify()

    def close(self, within_s: float) -> None:
        """Announce what was told, then end; give up waiting after `within_s`."""
        with self._changed:
            self._closing.set()
            self._changed.notify()
        self._thread.join(within_s)

    def _run(self) -> None:
        while news := self._next():
            self._announce(news)
            self._closing.wait(PAUSE_S)
        self._end()

    def _next(self) -> set[str]:
        """Return what was told; nothing when all is announced and the herald was closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._news or self._closing.is_set())
            news, self._news = self._news, set()
        return news
