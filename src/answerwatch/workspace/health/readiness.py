"""Whether work can be done here: asked once before workers start, and again and again by who watches over them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.said import Said
from answerwatch.engine.lock_folder import refuse_unlockable
from answerwatch.errors import AnswerwatchError, ServiceError
from answerwatch.settings import WITHOUT_BROKER
from answerwatch.store.connection.revision import check
from answerwatch.store.ops import shared_numbers
from answerwatch.workspace.health.reach import keeps_bytes
from answerwatch.workspace.parts import Parts

DATABASE_WITHIN_S = 1.0
OTHERS_WITHIN_S = 3.0
"""A disk that sleeps or a broker far away may take longer than a database."""

SWEEPS = 3
"""Somebody must have swept within so many intervals: then a worker's loop, its threads and the database all work."""

FRESH_S = 1.0
"""For so long an answer is given again: looking costs the services something, and anybody may ask often."""


def refuse_unready(parts: Parts) -> None:
    """Raise what a worker that started now would end with before any work.

    A broker that cannot be reached is no reason: workers wait for it and go on with what the database tells.
    """
    parts.store()
    parts.environ()
    parts.platforms()
    refuse_unlockable(parts.lock_folder)
    if parts.settings.engine_url not in WITHOUT_BROKER:
        from answerwatch.engine.carriers.brokers import AWAY  # noqa: PLC0415 - most workspaces have no broker

        try:
            parts.carrier.check()
        except ServiceError as error:
            if error.code != AWAY:
                raise


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One reason why work cannot be done."""

    check: str
    """Word of `doctor`'s checks: database, objects, broker."""
    why: Said


class Readiness:
    """Looks at everything that workers need; threads may share it."""

    def __init__(self, parts: Parts) -> None:
        """Look at nothing yet."""
        self._lock = threading.Lock()
        self._known: tuple[float, tuple[Fault, ...]] | None = None
        self._looks = [
            _Look("database", lambda: _database(parts), DATABASE_WITHIN_S),
            _Look("objects", lambda: _objects(parts), OTHERS_WITHIN_S),
        ]
        if parts.settings.engine_url not in WITHOUT_BROKER:
            self._looks.append(_Look("broker", lambda: _broker(parts), OTHERS_WITHIN_S))

    def faults(self) -> tuple[Fault, ...]:
        """Return every reason why work cannot be done, none when it can; takes a few seconds at most."""
        with self._lock:
            if self._known is None or time.monotonic() - self._known[0] > FRESH_S:
                found = self._look()
                self._known = time.monotonic(), found
            return self._known[1]

    def _look(self) -> tuple[Fault, ...]:
        for look in self._looks:
            look.begin()
        found = ((look.check, look.result()) for look in self._looks)
        return tuple(Fault(check=name, why=why) for name, why in found if why is not None)


class _Look:
    """One look in a thread of its own, so that a service that hangs holds up nobody; never two at a time."""

    def __init__(self, check: str, find: Callable[[], Said | None], within_s: float) -> None:
        self.check = check
        self._find = find
        self._within_s = within_s
        self._thread: threading.Thread | None = None
        self._found: Said | None = None

    def begin(self) -> None:
        """Start to look, unless the last look has not ended yet."""
        if self._thread is None or not self._thread.is_alive():
            self._found = Said("ready_broken", "looking at it failed; see the log")
            self._thread = threading.Thread(target=self._run, name=f"answerwatch-ready-{self.check}", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        try:
            self._found = self._find()
        except AnswerwatchError as error:
            self._found = Said.of_error(error)

    def result(self) -> Said | None:
        """Return what was found, after waiting for it a little."""
        if self._thread is not None:
            self._thread.join(self._within_s)
            if self._thread.is_alive():
                seconds = f"{self._within_s:g}"
                return Said("ready_slow", f"does not answer within {seconds} s", seconds=seconds)
        return self._found


def _database(parts: Parts) -> Said | None:
    from answerwatch.engine.sweeper import LAST_SWEEP  # noqa: PLC0415 - the engine is slow to load, and may be loaded never

    check(parts.unchecked_store)
    with parts.unchecked_store.reading() as read:
        swept, now = shared_numbers.get(read, LAST_SWEEP), read.now_us()
    if swept is None:
        return Said("ready_unswept", "no worker has swept yet")
    since_s = (now - swept) / MICROSECONDS
    if since_s > SWEEPS * parts.settings.sweep_s:
        return Said("ready_late", f"no worker has swept for {since_s:.0f} s", seconds=f"{since_s:.0f}")
    return None


def _objects(parts: Parts) -> Said | None:
    if keeps_bytes(parts.objects):
        return None
    return Said("objects_changed", "what was put into the object store came back changed")


def _broker(parts: Parts) -> Said | None:
    parts.carrier.check()
    return None
