"""Claims work into free slots: one thread reads the piles, reserves starts, claims and loads.

Hints of carriers only wake it; what is claimed is what the ledger says comes first.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.work import Claim, Why
from answerwatch.engine.hand import Hand, LaneOfQueue
from answerwatch.engine.lanes import Grant, Limiter
from answerwatch.engine.options import EngineOptions
from answerwatch.engine.patience import patiently
from answerwatch.engine.runner import Deliver, Runner, Start
from answerwatch.engine.scheduler import Lot, Slots, lots, slots_of, turns
from answerwatch.engine.stage import Stage
from answerwatch.engine.work import Loaded, load
from answerwatch.store.database import Store, Write
from answerwatch.store.upsert import IN_LIST
from answerwatch.store.work import ledger

HUNGRY = 100
"""Claims of one round from which the next one follows at once: there is more where that came from."""

HOLD_S = 10.0
"""How long an offer waits for a free slot. Brokers take back what is not acknowledged, Redis after a minute; a slot
that becomes free later looks for work by itself."""

RELAY_S = 1.0
"""Shortest time between two hints that are passed on: busy workers need none, and one is enough for idle ones."""


Offer = tuple[str, threading.Event]
"""A queue, and what is set once somebody looked into it."""


@dataclass(slots=True)
class Round:
    """What one look at the ledger brought."""

    loaded: list[Loaded] = field(default_factory=list)
    grants: list[Grant] = field(default_factory=list)
    starts: dict[str, Start] = field(default_factory=dict)
    """When each claimed task may start."""
    claimed: int = 0
    """How many tasks were claimed."""
    next_s: float | None = None
    """Seconds until the first of the tasks that are due later; None: there are none."""
    unstartable: set[str] = field(default_factory=set)
    """Tasks that wait for their moment and must not start: paused, cancelled or taken by somebody else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimer:
    """The part of the inbox that works in the claiming thread."""

    store: Store
    stages: Mapping[str, Stage]
    limiter: Limiter
    options: EngineOptions
    worker_id: str

    def slots(self, working: Mapping[LaneOfQueue, int]) -> dict[str, Slots]:
        """Return the slots by queue when these are in use."""
        return {queue: slots_of(queue, self.options.slots_of(queue), working) for queue in self.stages}

    def look(self, slots: Mapping[str, Slots], waiting: Sequence[Claim], round_: Round) -> None:
        """Claim and load what free slots and lanes allow; `waiting` are the claims whose moment has not come.

        What was claimed before a ServiceError stays in `round_`.
        """
        with self.store.reading() as tx:
            if waiting:
                good = ledger.startable(tx, waiting)
                round_.unstartable = {claim.task_id for claim in waiting if claim.task_id not in good}
            open_queues = [queue for queue, of_queue in slots.items() if of_queue.free]
            piles = ledger.ready(tx, open_queues) if open_queues else []
            now_us = tx.now_us()
            later = [pile.oldest_us for pile in piles if pile.oldest_us > now_us]
            round_.next_s = (min(later) - now_us) / MICROSECONDS if later else None
            found = self.limiter.promising(tx, lots(piles, now_us=now_us, slots=slots))
        self._claim_all(found, slots, round_)

    def _claim_all(self, found: Sequence[Lot], slots: Mapping[str, Slots], round_: Round) -> None:
        free = {queue: of_queue.free for queue, of_queue in slots.items()}
        for lot in found:
            most = min(lot.most, free[lot.queue], IN_LIST)
            if most <= 0:
                continue
            grant = self.store.transact(partial(self._claim, lot=lot, most=most))
            free[lot.queue] -= len(grant.claims)
            round_.claimed += len(grant.claims)
            for claim, start_s in zip(grant.claims, grant.starts_s, strict=True):
                round_.starts[claim.task_id] = Start(start_s, start_s + grant.late_s)
            round_.grants.append(grant)
            round_.loaded.append(load(self.store, self.stages[lot.queue], grant.claims))

    def _claim(self, tx: Write, *, lot: Lot, most: int) -> Grant:
        def claim(allowed: int) -> list[Claim]:
            claims: list[Claim] = []
            for pile, quota in turns(lot.piles, allowed, self.options.brands_together):
                want = min(quota, allowed - len(claims))
                if want > 0:
                    claims += ledger.claim(tx, pile, most=want, worker_id=self.worker_id, lease_s=self.options.lease_s)
            return claims

        grant = self.limiter.take(tx, lot, most, claim)
        if grant.claims:
            self.stages[lot.queue].claimed(tx, grant.claims)
        return grant


class ClaimingInbox:
    """Serves hints: a round of claiming for any number of them."""

    def __init__(
        self,
        claimer: Claimer,
        hand: Hand,
        runner: Runner,
        deliver: Deliver,
        *,
        executor: Executor,
        tell: Callable[[Sequence[str]], None],
    ) -> None:
        """Claim in `executor` (one thread), `tell` others what is too much; must be made on the loop that runs it."""
        self._claimer = claimer
        self._hand = hand
        self._runner = runner
        self._deliver = deliver
        self._executor = executor
        self._tell = tell
        self._told_s: dict[str, float] = {}
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._closed = False
        self._offers: list[Offer] = []
        self._timer: asyncio.TimerHandle | None = None
        self._last_s = float("-inf")
        self._hungry = True

    def look(self) -> None:
        """Say that there may be work; from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake.set)

    def wake(self) -> None:
        """Say that there may be work; on the loop."""
        self._wake.set()

    def offer(self, queue: str, task_ids: Sequence[str]) -> None:
        """Say that these tasks are due; returns once this process has claimed, or after HOLD_S without a free slot."""
        if not task_ids or self._closed or queue not in self._claimer.stages:
            return
        offer = (queue, threading.Event())
        try:
            self._loop.call_soon_threadsafe(self._offered, offer)
            if not offer[1].wait(HOLD_S):
                self._loop.call_soon_threadsafe(self._withdraw, offer)
        except RuntimeError:
            return  # the loop was closed: nothing is claimed here any more

    def _offered(self, offer: Offer) -> None:
        if self._closed:
            offer[1].set()
            return
        self._offers.append(offer)
        self._wake.set()

    def _withdraw(self, offer: Offer) -> None:
        if offer in self._offers:
            self._offers.remove(offer)

    def close(self) -> None:
        """Claim nothing any more, and let go of everybody who waits to offer."""
        self._closed = True
        self._look_in()
        for _, served in self._offers:
            served.set()
        self._offers.clear()
        self._wake.set()

    async def run(self, is_full: Callable[[], bool]) -> None:
        """Serve hints until closed; `is_full` tells that the writer is behind and nothing may be claimed."""
        while self._is_open():
            await self._wake.wait()
            pause = self._last_s + self._claimer.options.gather_s - self._loop.time()
            if pause > 0 and not self._hungry:
                await asyncio.sleep(pause)
            self._wake.clear()
            if self._is_open() and not is_full():
                await self._round()

    def _is_open(self) -> bool:
        return not self._closed

    async def _round(self) -> None:
        round_ = Round()
        offers, waiting = list(self._offers), self._runner.waiting_claims()
        slots = self._claimer.slots(self._hand.working())

        async def attempt() -> None:
            if not round_.grants:
                await self._loop.run_in_executor(self._executor, self._claimer.look, slots, waiting, round_)

        try:
            await patiently(attempt, self._claimer.options.patience_s)
        finally:
            self._spread(round_)
        self._last_s = self._loop.time()
        self._hungry = round_.claimed >= HUNGRY
        if self._hungry:
            self._wake.set()
        self._look_in(round_.next_s, self._claimer.options.poll_s if self._runner.waiting_claims() else None)
        for offer in offers:
            if slots[offer[0]].free and offer in self._offers:
                self._offers.remove(offer)
                offer[1].set()
                self._pass_on(offer[0])

    def _pass_on(self, queue: str) -> None:
        """Tell others where a hint filled this worker: it may take the next one too, which was meant for them."""
        full = not self._claimer.slots(self._hand.working())[queue].free
        if full and self._last_s - self._told_s.get(queue, float("-inf")) >= RELAY_S:
            self._told_s[queue] = self._last_s
            self._tell([queue])

    def _look_in(self, *seconds: float | None) -> None:
        """Look again at the earliest of these times, whatever a carrier brings.

        Nobody else says when the wait of a retry is over, or that what waits for its moment was paused.
        """
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        times = [each for each in seconds if each is not None]
        if times and not self._closed:
            self._timer = self._loop.call_later(min(times), self._wake.set)

    def _spread(self, round_: Round) -> None:
        """Start what was claimed, and give back what must not start."""
        for grant in round_.grants:
            self._hand.take(grant.claims)
        self._runner.hand_back_waiting(lambda claim: claim.task_id in round_.unstartable, Why.HELD)
        for loaded in round_.loaded:
            for outcome in loaded.outcomes:
                self._deliver(outcome)
            for work in loaded.works:
                self._runner.start(work, max(round_.starts[item.claim.task_id] for item in work.items))
