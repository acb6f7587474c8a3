"""The carrier over RabbitMQ or Redis: Dramatiq dispatches, SQL remembers.

```
tell --> herald: due ids, at most one hint for each living worker --> broker
broker --> Dramatiq's consumer --> actor: offers to the inbox, returns once claimed --> acknowledged
```
Of Dramatiq nothing but transport is used: no retries, delays, results, time limits, middleware or command line.
A broker that is away costs time until the next sweep, never a task.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

import structlog

from answerwatch.engine.carriers.brokers import AWAY, Kind, explained, kind_of, refuse_unusable
from answerwatch.engine.carriers.carrier import Inbox
from answerwatch.engine.carriers.herald import Herald
from answerwatch.engine.carriers.hints import MOST, TURN_S, Hints, Scale, hints, take_turn
from answerwatch.errors import AnswerwatchError
from answerwatch.store.database import Store

if TYPE_CHECKING:
    from dramatiq import Broker, Worker

log = structlog.get_logger(__name__)

NAMESPACE = "answerwatch"
"""First word of all queues and keys in the broker."""

ACTOR = "hint"

WAKE_MS = 100
"""Longest sleep of Dramatiq's threads: Redis is asked so often when idle, and a stop takes no longer."""


TURNS = 10
"""How often a queue at which somebody else is busy is tried again; what is not told then is told by the next sweep."""


class DramatiqCarrier:
    """Hints over a broker; may be started again after a stop."""

    def __init__(self, url: str, store: Store, scale: Scale, *, namespace: str = NAMESPACE) -> None:
        """Open nothing yet."""
        self._kind: Kind = kind_of(url, namespace)
        self._namespace = namespace
        self._store = store
        self._scale = scale
        self._lock = threading.Lock()
        self._herald: Herald | None = None
        self._outgoing: Broker | None = None
        """The herald's own: connections belong to threads."""
        self._worker: Worker | None = None
        self._away = False

    def check(self) -> None:
        """Raise ConfigurationError or ServiceError, with cause and fix, when the broker cannot be used now."""
        refuse_unusable(self._kind)

    def tell(self, queues: Collection[str]) -> None:
        """Say that these queues may have due work; returns at once."""
        with self._lock:
            self._herald = self._herald or Herald(self._announce, self._hang_up)
            self._herald.tell(queues)

    def start(self, queues: Sequence[str], inbox: Inbox) -> None:
        """Begin to consume, in threads of Dramatiq; raises when the broker refuses us, not when it is away."""
        names = [self._name(queue) for queue in queues]
        with self._lock:
            reachable = self._reachable()
            broker = self._kind.open()
            if reachable:
                with contextlib.suppress(AnswerwatchError), explained(self._kind):
                    self._kind.declare(broker, names)
            self._worker = _consume(broker, names, inbox)

    def _reachable(self) -> bool:
        try:
            self.check()
        except AnswerwatchError as error:
            if error.code != AWAY:
                raise
            self._notice(error)
            return False
        return True

    def stop(self, within_s: float) -> None:
        """Consume no more; messages that were fetched and not served go back to the broker."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            # Dramatiq joins two kinds of threads, each for so long; what then still hangs on a broker is a daemon.
            # What it cannot give back to a broker that is away is lost, as hints may be.
            with contextlib.suppress(Exception):
                worker.stop(timeout=round(within_s * 500))
            with contextlib.suppress(Exception):
                worker.broker.close()

    def close(self, within_s: float) -> None:
        """Announce what was told, and let go of the broker."""
        with self._lock:
            herald, self._herald = self._herald, None
        if herald is not None:
            herald.close(within_s)

    def _name(self, queue: str) -> str:
        return f"{self._namespace}.{queue}"

    def _announce(self, queues: Collection[str]) -> None:
        """Publish hints for work that is due, in the herald's thread; whatever fails, the sweeps find the work."""
        try:
            for _ in range(TURNS):
                with self._store.reading() as read:
                    found = hints(read, queues, self._scale)
                if not found.workers:
                    return
                queues = self._send(found)
                self._notice(None)
                if not queues:
                    return
                time.sleep(TURN_S)
        except AnswerwatchError as error:
            self._hang_up()
            self._notice(error)

    def _send(self, found: Hints) -> Collection[str]:
        """Publish, over a new connection where the one that was open turns out to be closed."""
        was_open = self._outgoing is not None
        try:
            with explained(self._kind):
                return self._publish(found)
        except AnswerwatchError:
            if not was_open:
                raise
        self._hang_up()
        with explained(self._kind):
            return self._publish(found)

    def _publish(self, found: Hints) -> Collection[str]:
        """Fill up the queues and return those to which somebody else publishes now."""
        broker = self._outgoing = self._outgoing or self._kind.open()
        later: list[str] = []
        for queue, parts in found.by_queue.items():
            # Asked where there is nothing to tell, too: it keeps the connection alive and notices one that is not.
            if found.workers <= self._kind.waiting(broker, self._name(queue)) or not parts:
                continue
            if self._store.transact(partial(take_turn, queue=queue)):
                self._fill(broker, queue, parts, found.workers)
            else:
                later.append(queue)
        return later

    def _fill(self, broker: Broker, queue: str, parts: Sequence[Sequence[str]], most: int) -> None:
        from dramatiq import Message

        name = self._name(queue)
        for ids in parts[: max(0, most - self._kind.waiting(broker, name))]:
            args = (queue, list(ids))
            broker.enqueue(Message(queue_name=name, actor_name=ACTOR, args=args, kwargs={}, options={}))

    def _hang_up(self) -> None:
        broker, self._outgoing = self._outgoing, None
        if broker is not None:
            with contextlib.suppress(Exception):
                broker.close()

    def _notice(self, error: AnswerwatchError | None) -> None:
        """Say once that hints cannot be sent, and once that they can again."""
        if error is not None and not self._away:
            log.warning("hints_stopped", error=error.text)
        elif error is None and self._away:
            log.info("hints_resumed")
        self._away = error is not None


def _consume(broker: Broker, names: Sequence[str], inbox: Inbox) -> Worker:
    """Start Dramatiq's threads: one for each queue, so that a full one does not hold up the others."""
    from dramatiq import Worker, actor

    def hint(*words: object, **_: object) -> None:
        match words:
            case (str(queue), [*ids]) if len(ids) <= MOST:
                inbox.offer(queue, [id_ for id_ in ids if isinstance(id_, str)])
            case _:
                log.debug("hint_unreadable")

    for name in names:
        broker.declare_queue(name)
    # Consumers for delayed messages would wait for what is never sent, each with a connection of its own.
    broker.delay_queues.clear()
    actor(actor_name=ACTOR, queue_name=names[0], broker=broker)(hint)
    worker = Worker(broker, worker_timeout=WAKE_MS, worker_threads=len(names))
    # A worker whose slots are full holds back one hint of a queue and leaves the next ones to others.
    worker.queue_prefetch = 1
    worker.start()
    return worker
