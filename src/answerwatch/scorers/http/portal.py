"""The way of synchronous scorers to a server: one loop in a thread of its own, for as long as the scorer lives."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack
from typing import Any, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from answerwatch.domain.failures import Failure, Severity
from answerwatch.platforms.sender import Sender
from answerwatch.similarity.scorer import ScorerTrouble

T = TypeVar("T")


class Portal:
    """Runs work on a loop that holds the connections of one scorer; opened with the first work."""

    def __init__(self, make: Callable[[], Sender]) -> None:
        """Open nothing yet."""
        self._make = make
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
        self._sender: Sender | None = None
        self._running: set[Future[Any]] = set()
        self._closed = False

    def run(self, work: Callable[[Sender], Awaitable[T]]) -> T:
        """Return what the work returns; raises ScorerTrouble when the portal is closed meanwhile."""
        future = self._start(work)
        try:
            return future.result()
        except CancelledError:
            raise _closed() from None
        finally:
            self._running.discard(future)

    def close(self) -> None:
        """End what runs and close the connections."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        for future in running:
            future.cancel()
        self._stack.close()
        atexit.unregister(self.close)

    def _start(self, work: Callable[[Sender], Awaitable[T]]) -> Future[T]:
        with self._lock:
            if self._closed:
                raise _closed()
            if self._portal is None or self._sender is None:
                # A loop that nobody ended would keep the process from ending.
                atexit.register(self.close)
                self._portal = self._stack.enter_context(start_blocking_portal(name="scorer"))
                self._sender = self._stack.enter_context(self._portal.wrap_async_context_manager(self._make()))
            future = self._portal.start_task_soon(work, self._sender)
            self._running.add(future)
            return future


def _closed() -> ScorerTrouble:
    text = "The scorer was closed while it worked; the work goes on when it is opened again."
    return ScorerTrouble(Failure(error_type="closed", severity=Severity.TEMPORARY, message=text))
