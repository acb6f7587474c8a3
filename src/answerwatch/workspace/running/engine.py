"""Running the engine in this process until something is done, with progress and a wish to stop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from answerwatch.domain.work import COLLECT
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.running.stopping import Stop, UrgentStop

if TYPE_CHECKING:
    from answerwatch.engine.engine import Engine

LOOK_EVERY_S = 0.5
"""Seconds between two looks at the progress, more where a look takes long."""

LOOK_SHARE = 5
"""A look may take at most one part in so many of the time."""

STOP_WITHIN_S = 10.0
"""Seconds that calls in flight may still take after a wish to stop."""

LISTEN_EVERY_S = 0.1
"""Seconds between two looks at the wish to stop."""

AT_ONCE = 2
"""Requests that let an engine wait for nothing."""

BEAT_S = 0.5
"""Seconds between two signs of life of the loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow:
    """What the caller wants to know while the engine runs."""

    done: Callable[[], bool]
    """Whether the work is done; asked in a thread, often, so it must be cheap."""
    show: Callable[[], None] | None = None
    """Reads and shows the progress; called in a thread, one at a time."""
    stop: Stop | None = None
    beat: Callable[[int], None] | None = None
    """Told by the loop itself, again and again, how many tasks are in hand: a loop that hangs tells nothing."""


def run_engine(parts: Parts, queues: tuple[str, ...], follow: Follow) -> None:
    """Serve `queues` in this thread until `follow` says that all is done or asks to stop.

    Calls in flight may end well after a wish to stop, unless it is or becomes urgent: then they are cancelled at once.
    Raises ServiceError when the database or a folder cannot be used.
    """
    asyncio.run(_run(parts, queues, replace(follow, show=_one_at_a_time(follow.show))))


def _one_at_a_time(show: Callable[[], None] | None) -> Callable[[], None] | None:
    """Return what waits for a show that still goes on in a thread: at the end of the work one is left to itself."""
    if show is None:
        return None
    lock = threading.Lock()

    def shown() -> None:
        with lock:
            show()

    return shown


async def _run(parts: Parts, queues: tuple[str, ...], follow: Follow) -> None:
    sender = parts.sender()
    # Getting ready for calls takes longer than cleaning a hundred answers: not where nobody will be asked.
    async with sender if COLLECT in queues else nullcontext():
        engine = parts.engine(sender, queues)
        running = asyncio.create_task(engine.run(until=follow.done))
        besides = [
            asyncio.create_task(duty) for duty in (_show(follow), _stop(engine, follow.stop), _beat(engine, follow))
        ]
        try:
            await running
        finally:
            for task in besides:
                task.cancel()
            await asyncio.gather(*besides, return_exceptions=True)
    if follow.show is not None:
        await asyncio.to_thread(follow.show)


async def _show(follow: Follow) -> None:
    loop = asyncio.get_running_loop()
    while follow.show is not None:
        began = loop.time()
        await asyncio.to_thread(follow.show)
        await asyncio.sleep(max(LOOK_EVERY_S, (loop.time() - began) * LOOK_SHARE))


async def _stop(engine: Engine, stop: Stop | None) -> None:
    told = 0
    while stop is not None and told < AT_ONCE:
        if told < _wish(stop):
            told += 1
            engine.request_stop(STOP_WITHIN_S)  # the second request is one to stop at once
        else:
            await asyncio.sleep(LISTEN_EVERY_S)


async def _beat(engine: Engine, follow: Follow) -> None:
    while follow.beat is not None:
        follow.beat(engine.in_hand)
        await asyncio.sleep(BEAT_S)


def _wish(stop: Stop) -> int:
    """Return how many requests to stop the engine should have had by now."""
    if not stop.is_set():
        return 0
    return AT_ONCE if isinstance(stop, UrgentStop) and stop.is_urgent() else 1
