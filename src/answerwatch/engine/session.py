"""The running parts of an engine on one loop, and the order in which they start and stop.

```
carrier --hint--> inbox --claims--> runner --outcomes--> outbox --> writer
                    ^                  |                              |
                    +---- slot free ---+------ next step, new work ---+
```
Claims, writes and sweeps have a thread each, renewals another: nothing blocks the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from answerwatch.domain.work import Claim, Outcome, Why
from answerwatch.engine.carriers.carrier import Carrier
from answerwatch.engine.hand import Hand
from answerwatch.engine.inbox import Claimer, ClaimingInbox
from answerwatch.engine.lanes import Limiter
from answerwatch.engine.leases import Renewer
from answerwatch.engine.options import EngineOptions
from answerwatch.engine.outbox import Outbox
from answerwatch.engine.patience import patiently
from answerwatch.engine.runner import Runner
from answerwatch.engine.stage import Stage
from answerwatch.engine.sweeper import Sweeper
from answerwatch.engine.workers import Presence
from answerwatch.engine.writer import Writer, Written
from answerwatch.store.database import Store

TICK_S = 0.25
"""How often the loop says that it is alive."""

ASK_S = 0.1
"""Shortest time between two questions whether all is done."""

DONE_WITHIN_S = 10.0
"""How long work of others in hand may still take when the caller's own work is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What an engine is made of before it runs."""

    store: Store
    stages: Mapping[str, Stage]
    options: EngineOptions
    carrier: Carrier
    presence: Presence
    hand: Hand


class Session:
    """One run of an engine."""

    def __init__(self, kit: Kit) -> None:
        """Must be made on the loop that runs it."""
        self._loop = asyncio.get_running_loop()
        self._kit = kit
        self._threads = {name: _thread(name) for name in ("claims", "writer", "sweeper")}
        self._runner = Runner(self._deliver)
        limiter = Limiter(kit.options.limits, kit.options.horizon_s, self._loop.time)
        writer = Writer(kit.store, kit.stages, limiter)
        self._outbox = Outbox(writer, self._written, self._threads["writer"], kit.options)
        claimer = Claimer(
            store=kit.store, stages=kit.stages, limiter=limiter, options=kit.options,
            worker_id=kit.presence.worker_id,
        )  # fmt: skip
        claiming = self._threads["claims"]
        self._inbox = ClaimingInbox(
            claimer, kit.hand, self._runner, self._deliver, executor=claiming, tell=kit.carrier.tell
        )
        self._sweeper = Sweeper(kit.store, kit.stages, kit.presence)
        self._renewer = Renewer(kit.store, kit.hand, kit.options.lease_s, self._lost_in_thread)
        self._stopping = asyncio.Event()
        self._hurry = asyncio.Event()
        self._changed = asyncio.Event()
        self._within_s = DONE_WITHIN_S

    def stop(self, within_s: float) -> None:
        """Ask to stop; from any thread or signal handler."""
        self._loop.call_soon_threadsafe(self._notice_stop, within_s)

    def _notice_stop(self, within_s: float) -> None:
        self._within_s = within_s
        if within_s <= 0:
            self._hurry.set()
        self._stopping.set()

    async def run(self, until: Callable[[], bool] | None) -> None:
        """Serve until stopped; raises the first error that ended a part of the engine."""
        duties: list[Coroutine[Any, Any, None]] = [
            self._inbox.run(lambda: self._outbox.is_full), self._sweep(), self._tick(),
        ]  # fmt: skip
        if until is not None:
            duties.append(self._watch(until))
        tasks = [self._loop.create_task(duty) for duty in duties]
        writing = self._loop.create_task(self._outbox.run())
        stopping = self._loop.create_task(self._notice(self._stopping))
        ended: list[BaseException | None] = []
        with self._running_threads():
            self._inbox.wake()
            try:
                await asyncio.to_thread(self._kit.carrier.start, list(self._kit.stages), self._inbox)
                await asyncio.wait([*tasks, writing, stopping], return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                self._within_s = 0.0
                raise
            finally:
                ended = await self._end([*tasks, stopping], tasks[0], writing)
        for result in ended:
            if isinstance(result, Exception):
                raise result

    async def _end(
        self, others: list[asyncio.Task[None]], claiming: asyncio.Task[None], writing: asyncio.Task[None]
    ) -> list[BaseException | None]:
        """Wind down, end all tasks and return how each of them ended."""
        try:
            await self._wind_down(claiming, writing)
        finally:
            for task in (*others, writing):
                task.cancel()
            ended = await asyncio.gather(*others, writing, return_exceptions=True)
        return ended

    @contextlib.contextmanager
    def _running_threads(self) -> Iterator[None]:
        self._renewer.start()
        try:
            yield
        finally:
            self._renewer.stop()
            for thread in self._threads.values():
                thread.shutdown(wait=True)

    async def _wind_down(self, claiming: asyncio.Task[None], writing: asyncio.Task[None]) -> None:
        """Stop in the order of the flow: hints, claims, work, outcomes."""
        broken = any(task.done() for task in (claiming, writing))
        self._inbox.close()
        await asyncio.to_thread(self._kit.carrier.stop, 1.0)
        await asyncio.wait([claiming])
        self._runner.close()
        await self._let_end(0.0 if broken else self._within_s)
        self._outbox.close()
        await asyncio.wait([writing])

    async def _let_end(self, within_s: float) -> None:
        quiet = self._loop.create_task(self._runner.quiet())
        hurry = self._loop.create_task(self._notice(self._hurry))
        await asyncio.wait([quiet, hurry], timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
        hurry.cancel()
        self._runner.cancel(Why.STOPPED)
        await quiet

    async def _notice(self, event: asyncio.Event) -> None:
        await event.wait()

    async def _tick(self) -> None:
        while True:
            self._renewer.tick()
            await asyncio.sleep(TICK_S)

    async def _sweep(self) -> None:
        async def attempt() -> None:
            await self._loop.run_in_executor(self._threads["sweeper"], self._sweeper.sweep)

        while True:
            await patiently(attempt, self._kit.options.patience_s)
            self._inbox.wake()
            # What was told and lost is told again; nothing is told where nothing is due.
            self._kit.carrier.tell(self._kit.stages)
            await asyncio.sleep(self._kit.options.sweep_s)

    async def _watch(self, until: Callable[[], bool]) -> None:
        while not await patiently(lambda: asyncio.to_thread(until), self._kit.options.patience_s):
            # Asked when something was stored, but not each time: the question may be a query.
            await asyncio.sleep(ASK_S)
            # Not wait_for: in Python 3.11 it swallows a cancellation that comes together with the event.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._kit.options.poll_s):
                    await self._changed.wait()
            self._changed.clear()

    def _deliver(self, outcome: Outcome[Any]) -> None:
        self._kit.hand.free(outcome.claim)
        self._outbox.put(outcome)
        self._inbox.wake()

    def _written(self, written: Written) -> None:
        self._kit.hand.drop(written.settled)
        for loaded in written.advanced:
            self._kit.hand.take([claim for work in loaded.works for claim in work.claims])
            self._kit.hand.take([outcome.claim for outcome in loaded.outcomes])
            for outcome in loaded.outcomes:
                self._deliver(outcome)
            for work in loaded.works:
                self._runner.go_on(work)
        for told in written.told:
            if told.closed:
                self._runner.hand_back_waiting(_is_on(told.lane), Why.PARKED)
            if told.blocked_s > 0:
                self._runner.block(told.lane, told.blocked_s)
        self._changed.set()
        self._inbox.wake()

    def _lost_in_thread(self, claims: list[Claim]) -> None:
        self._loop.call_soon_threadsafe(self._lost, {(claim.task_id, claim.token) for claim in claims})

    def _lost(self, tokens: set[tuple[str, str]]) -> None:
        self._runner.hand_back_waiting(lambda claim: (claim.task_id, claim.token) in tokens, Why.LOST)
        self._runner.cancel(Why.LOST, tokens)


def _is_on(lane: str) -> Callable[[Claim], bool]:
    return lambda claim: claim.lane == lane


def _thread(name: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"answerwatch-{name}")
