"""Renews the leases of everything in hand, from a thread of its own so that a busy loop does not lose them.

A loop that has not ticked within one lease hangs: its leases are left to run out, so that others can take the work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import structlog

from answerwatch.clock import Clock
from answerwatch.domain.work import Claim
from answerwatch.engine.hand import Hand
from answerwatch.errors import ServiceError
from answerwatch.store.database import Store
from answerwatch.store.work import ledger

log = structlog.get_logger(__name__)

RENEWALS = 3
"""Renewals in the length of one lease: two may fail."""


class Renewer:
    """The lease thread of one worker."""

    def __init__(self, store: Store, hand: Hand, lease_s: float, on_lost: Callable[[list[Claim]], None]) -> None:
        """Report claims that somebody else has taken to `on_lost`, from the thread."""
        self._store = store
        self._hand = hand
        self._lease_s = lease_s
        self._on_lost = on_lost
        self._clock: Clock = store.clock
        self._ticked_s = self._clock.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="answerwatch-leases", daemon=True)

    def start(self) -> None:
        """Begin to renew."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; leases run on until they are settled or expire."""
        self._stop.set()
        self._thread.join()

    def tick(self) -> None:
        """Say, from the loop, that the loop is alive."""
        self._ticked_s = self._clock.monotonic()

    def _run(self) -> None:
        while not self._stop.wait(self._lease_s / RENEWALS):
            self.turn()

    def turn(self) -> None:
        """Renew, unless the loop hangs; a database that is away now is tried again at the next turn."""
        if self._clock.monotonic() - self._ticked_s > self._lease_s:
            log.warning("loop_hangs", in_hand=len(self._hand))
            return
        try:
            self.renew()
        except ServiceError as error:
            # If the database stays away, leases run out and the fence protects what others do.
            log.warning("leases_not_renewed", error=error.text)

    def renew(self) -> None:
        """Renew all claims in hand once and report those that are lost."""
        claims = self._hand.claims()
        if not claims:
            return
        held = self._store.transact(partial(ledger.renew, claims=claims, lease_s=self._lease_s))
        still = {(claim.task_id, claim.token) for claim in self._hand.claims()}
        lost = [c for c in claims if c.task_id not in held and (c.task_id, c.token) in still]
        if lost:
            self._on_lost(lost)
