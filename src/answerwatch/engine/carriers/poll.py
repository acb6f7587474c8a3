"""The carrier without a broker: look at the ledger at short intervals."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence

from answerwatch.engine.carriers.carrier import Inbox


class PollCarrier:
    """Wakes the inbox every `poll_s`; work made in this process wakes it at once without a carrier's help."""

    def __init__(self, poll_s: float) -> None:
        """Look every `poll_s` seconds once started."""
        self._poll_s = poll_s
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def check(self) -> None:
        """Find nothing: there is no server."""

    def tell(self, queues: Collection[str]) -> None:
        """Tell nobody: every worker looks by itself."""

    def start(self, queues: Sequence[str], inbox: Inbox) -> None:
        """Wake the inbox at intervals, from a thread of its own."""
        del queues  # the ledger is asked for all of them at once
        self._stop.clear()
        self._thread = threading.Thread(target=self._tick, args=(inbox,), name="answerwatch-poll", daemon=True)
        self._thread.start()

    def _tick(self, inbox: Inbox) -> None:
        while not self._stop.wait(self._poll_s):
            inbox.look()

    def stop(self, within_s: float) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(within_s)
            self._thread = None

    def close(self, within_s: float) -> None:
        """Do nothing: nothing is open."""
