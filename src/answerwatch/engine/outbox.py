"""Outcomes on their way to the database: collected on the loop, written by one thread in few transactions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from answerwatch.domain.work import Outcome
from answerwatch.engine.options import EngineOptions
from answerwatch.engine.patience import patiently
from answerwatch.engine.writer import Writer, Written

MOST = 500
"""Outcomes in one transaction at most."""

PLENTY = 50
"""Outcomes that are written without waiting for more."""


class Outbox:
    """The queue in front of the writer."""

    def __init__(
        self, writer: Writer, on_written: Callable[[Written], None], executor: Executor, options: EngineOptions
    ) -> None:
        """Write in `executor` (one thread) and report each transaction to `on_written` on the loop."""
        self._writer = writer
        self._on_written = on_written
        self._executor = executor
        self._options = options
        self._outcomes: list[Outcome[Any]] = []
        self._writing = 0
        self._event = asyncio.Event()
        self._closed = False

    def put(self, outcome: Outcome[Any]) -> None:
        """Queue an outcome; called on the loop."""
        self._outcomes.append(outcome)
        self._event.set()

    def __len__(self) -> int:
        return len(self._outcomes) + self._writing

    @property
    def is_full(self) -> bool:
        """Tell whether so much waits that nothing new should be claimed."""
        return len(self) >= self._options.backlog

    def close(self) -> None:
        """Let `run` end when everything is written."""
        self._closed = True
        self._event.set()

    async def run(self) -> None:
        """Write until closed and empty; raises ServiceError when the database cannot be used any more."""
        while self._outcomes or not self._closed:
            await self._event.wait()
            if len(self._outcomes) < PLENTY and not self._closed:
                await asyncio.sleep(self._options.gather_s)
            self._event.clear()
            while self._outcomes:
                await self._write_some()

    async def _write_some(self) -> None:
        part, self._outcomes = self._outcomes[:MOST], self._outcomes[MOST:]
        self._writing = len(part)
        written = Written()
        loop = asyncio.get_running_loop()

        async def attempt() -> None:
            done = {(claim.task_id, claim.token) for claim in written.stored}
            rest = [outcome for outcome in part if (outcome.claim.task_id, outcome.claim.token) not in done]
            await loop.run_in_executor(self._executor, self._writer.write, rest, written)

        try:
            await patiently(attempt, self._options.patience_s)
        finally:
            self._writing = 0
            self._on_written(written)
