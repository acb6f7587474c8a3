"""One worker: serves the queues of some stages until it is asked to stop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from answerwatch.engine.carriers.carrier import Carrier
from answerwatch.engine.carriers.poll import PollCarrier
from answerwatch.engine.hand import Hand
from answerwatch.engine.options import EngineOptions
from answerwatch.engine.session import Kit, Session
from answerwatch.engine.stage import Stage
from answerwatch.engine.workers import Presence
from answerwatch.errors import ServiceError, UsageError
from answerwatch.store.database import Store

CLOSE_WITHIN_S = 2.0
"""How long an engine waits at its end until others are told of what it handed back."""


class Engine:
    """A worker process's engine; runs once."""

    def __init__(
        self, store: Store, stages: Sequence[Stage], options: EngineOptions, *, carrier: Carrier | None = None
    ) -> None:
        """Start nothing yet; raises UsageError when a queue is to be served that no stage has."""
        self._kit = Kit(
            store=store,
            stages=_served(stages, options),
            options=options,
            carrier=carrier or PollCarrier(options.poll_s),
            presence=Presence(store, options.lock_folder),
            hand=Hand(),
        )
        self._asked = 0
        self._within_s = 0.0
        self._session: Session | None = None

    @property
    def worker_id(self) -> str:
        """Return the id of this worker, new for every engine."""
        return self._kit.presence.worker_id

    @property
    def in_hand(self) -> int:
        """Return how many tasks this worker has claimed and not settled; from any thread."""
        return len(self._kit.hand)

    def request_stop(self, within_s: float = 10.0) -> None:
        """Claim nothing more, let work in flight end for `within_s`, then cancel it; a second request cancels at once.

        What was received is stored in any case. May be called from any thread and from a signal handler.
        """
        self._asked += 1
        self._within_s = within_s
        if self._session is not None:
            self._session.stop(0.0 if self._asked > 1 else within_s)

    async def run(self, until: Callable[[], bool] | None = None) -> None:
        """Work until asked to stop, or until `until` says that all is done; it is asked in a thread, again and again.

        Raises ServiceError when database or lock folder cannot be used; outcomes that could not be stored then are
        made again, or adopted, by the next worker.
        """
        await asyncio.to_thread(self._kit.presence.enter)
        try:
            self._session = Session(self._kit)
            if self._asked:
                self._session.stop(self._within_s)
            await self._session.run(until)
        finally:
            self._session = None
            await asyncio.to_thread(self._kit.carrier.close, CLOSE_WITHIN_S)
            # The error that ended the session is the one to tell; an entry left behind is found by its free lock.
            with contextlib.suppress(ServiceError):
                await asyncio.to_thread(self._kit.presence.leave, settled=self.in_hand == 0)


def _served(stages: Sequence[Stage], options: EngineOptions) -> dict[str, Stage]:
    by_queue = {stage.queue: stage for stage in stages}
    queues = tuple(by_queue) if options.queues is None else options.queues
    unknown = [queue for queue in queues if queue not in by_queue]
    if unknown or not queues:
        named, known = ", ".join(unknown), ", ".join(sorted(by_queue))
        text = f"There is no queue {named!r}; queues are {known}."
        raise UsageError("queue_unknown", text, queues=named, known=known)
    return {queue: by_queue[queue] for queue in queues}
