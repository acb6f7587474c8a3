"""Starts loaded work at its reserved moment, runs it on the loop and passes on each outcome as it comes.

Everything here happens on the loop. A piece of work is either *waiting* for its moment (no call was made) or *running*.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import structlog

from answerwatch.domain.failures import Severity
from answerwatch.domain.work import Claim, Failed, HandedBack, Outcome, Why
from answerwatch.engine.stage import Item
from answerwatch.engine.work import Work, broken

log = structlog.get_logger(__name__)

Deliver = Callable[[Outcome[Any]], None]


class Start(NamedTuple):
    """When a call may start, in the loop's time."""

    at_s: float
    """The moment granted by the lane."""
    latest_s: float
    """Later than this it would no longer keep to the bucket of the lane."""


@dataclass(slots=True, eq=False)
class _Waiting:
    work: Work
    start: Start
    timer: asyncio.TimerHandle | None = None


@dataclass(slots=True, eq=False)
class _Running:
    work: Work
    why: Why = Why.STOPPED
    """What is said of items without an outcome when the run is cancelled."""
    cancelled: bool = False
    left: dict[str, Claim] = field(default_factory=dict)


class Runner:
    """The work of one process that was claimed and has no outcome yet."""

    def __init__(self, deliver: Deliver) -> None:
        """Pass outcomes to `deliver`."""
        self._deliver = deliver
        self._blocked_s: dict[str, float] = {}
        self._closed = False
        self._waiting: set[_Waiting] = set()
        self._running: dict[asyncio.Task[None], _Running] = {}

    def block(self, lane: str, seconds: float) -> None:
        """Let nothing start on a lane for a while, its platform asked so; a shorter wait never ends a longer one."""
        until = asyncio.get_running_loop().time() + seconds
        self._blocked_s[lane] = max(until, self._blocked_s.get(lane, until))

    def start(self, work: Work, start: Start) -> None:
        """Run the work, whose items are on one lane, when its start comes."""
        self._try(_Waiting(work, start))

    def go_on(self, work: Work) -> None:
        """Run a later step of work that has started already: no lane has a say in it."""
        if self._closed:
            self._give_back(work, Why.STOPPED)
        else:
            self._run(work)

    def close(self) -> None:
        """Start nothing any more: what waits, or comes later, is given back."""
        self._closed = True
        self.hand_back_waiting(lambda _: True, Why.STOPPED)

    def _try(self, waiting: _Waiting) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._waiting.discard(waiting)
        if self._closed:
            self._give_back(waiting.work, Why.STOPPED)
            return
        if now > waiting.start.latest_s:
            self._give_back(waiting.work, Why.LATE_START)
            return
        at_s = waiting.start.at_s
        if self._blocked_s.get(waiting.work.items[0].claim.lane, now) > max(now, at_s):
            self._give_back(waiting.work, Why.SLOWED)
        elif at_s > now:
            waiting.timer = loop.call_at(at_s, self._try, waiting)
            self._waiting.add(waiting)
        else:
            self._run(waiting.work)

    def _run(self, work: Work) -> None:
        run = _Running(work, left={claim.task_id: claim for claim in work.claims})
        task = asyncio.get_running_loop().create_task(self._drive(run))
        self._running[task] = run
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        run = self._running.pop(task)
        for claim in run.left.values():
            self._deliver(HandedBack(claim=claim, why=run.why))

    async def _drive(self, run: _Running) -> None:
        await self._pass(run, run.work.items)
        if len(run.work.items) > 1:
            # One item's fault ended the run of all: each of the others gets a run of its own.
            for item in run.work.items:
                if item.claim.task_id in run.left and not run.cancelled:
                    await self._pass(run, [item])

    async def _pass(self, run: _Running, items: Sequence[Item]) -> None:
        """Run items and deliver their outcomes; a single one that has none fails. Our own cancelling fails nothing."""
        error: Exception = LookupError(f"step {run.work.step.name!r} ended without an outcome")
        try:
            async for outcome in run.work.step.run(items):
                if run.left.pop(outcome.claim.task_id, None) is not None:
                    self._deliver(outcome)
        except Exception as fault:  # noqa: BLE001 -- whatever is wrong in a stage fails its items, never the engine
            # The trace is text: a formatter that shows local values would print answers and keys.
            trace = "".join(traceback.format_exception(fault, limit=-5))
            log.warning("step_failed", step=run.work.step.name, trace=trace)
            error = fault
        claim = items[0].claim
        if len(items) == 1 and not run.cancelled and run.left.pop(claim.task_id, None) is not None:
            failure = broken(error, "internal_error", Severity.TEMPORARY)
            self._deliver(Failed(claim=claim, failure=failure))

    def _give_back(self, work: Work, why: Why) -> None:
        for claim in work.claims:
            self._deliver(HandedBack(claim=claim, why=why))

    def waiting_claims(self) -> list[Claim]:
        """Return the claims whose calls have not been made yet."""
        return [claim for waiting in self._waiting for claim in waiting.work.claims]

    def hand_back_waiting(self, which: Callable[[Claim], bool], why: Why) -> None:
        """Give back the work whose moment has not come, where `which` holds for any of its claims."""
        for waiting in [each for each in self._waiting if any(map(which, each.work.claims))]:
            self._waiting.discard(waiting)
            if waiting.timer is not None:
                waiting.timer.cancel()
            self._give_back(waiting.work, why)

    def cancel(self, why: Why, tokens: Collection[tuple[str, str]] | None = None) -> None:
        """Cancel running work: all of it, or the runs of which every open item is among `tokens` (task id, token)."""
        for task, run in list(self._running.items()):
            if tokens is None or all((claim.task_id, claim.token) in tokens for claim in run.left.values()):
                run.why, run.cancelled = why, True
                task.cancel()

    async def quiet(self) -> None:
        """Return when nothing runs any more."""
        while self._running:
            await asyncio.wait(list(self._running))
