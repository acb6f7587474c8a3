"""A stage whose work is nothing, or a wait: what is left is the cost of ledger and engine."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from answerwatch.domain.limits import Signal
from answerwatch.domain.work import Claim, Done, HandedBack, NewTask, Outcome, RetryPolicy, Settled
from answerwatch.engine.stage import Step
from answerwatch.store.database import Read, Store, Write
from answerwatch.store.schema import metadata
from answerwatch.store.work import backlog, ledger
from answerwatch.store.work.ledger import GroupSpec

QUEUE = "idle"


@dataclass(frozen=True, slots=True)
class IdleItem:
    """Nothing but the claim."""

    claim: Claim


class IdleStep:
    """Waits as long as `seconds` says for a task, then is done; stores nothing."""

    name = "idle"

    def __init__(self, seconds: Callable[[str], float] | None = None) -> None:
        """Without `seconds` there is no wait at all."""
        self._seconds = seconds
        self.working = 0

    def load(self, _: Read, claims: Sequence[Claim]) -> Sequence[IdleItem]:
        """Read nothing."""
        return [IdleItem(claim) for claim in claims]

    async def run(self, items: Sequence[IdleItem]) -> AsyncIterator[Outcome[None]]:
        """Wait, one item after another."""
        for item in items:
            if self._seconds is not None:
                self.working += 1
                await asyncio.sleep(self._seconds(item.claim.task_id))
                self.working -= 1
            yield Done(claim=item.claim, value=None)

    def store(self, _: Write, done: Sequence[Done[None]]) -> None:
        """Store nothing."""


class IdleStage:
    """The stage around the step."""

    queue = QUEUE
    policy = RetryPolicy(delays_s=(1.0,), max_retries=0)

    def __init__(self, step: IdleStep, together: int) -> None:
        """Run `together` items at a time."""
        self.together = together
        self.steps: Sequence[Step[Any, Any]] = (step,)

    def claimed(self, tx: Write, claims: Sequence[Claim]) -> None:
        """Record nothing."""

    def failed(self, tx: Write, settled: Sequence[Settled[Any]]) -> None:
        """Record nothing."""

    def handed_back(self, tx: Write, back: Sequence[HandedBack[Any]]) -> None:
        """Record nothing."""

    def lost(self, tx: Write, late: Sequence[Outcome[Any]]) -> None:
        """Record nothing."""

    def expired(self, tx: Write, group_id: str) -> None:
        """Groups here have no end."""

    def revive(self, _: Write, __: Sequence[str]) -> Sequence[tuple[GroupSpec, NewTask]]:
        """Nothing fails here."""
        return []

    def signal(self, _: Outcome[Any]) -> Signal | None:
        """Tell nothing."""
        return None

    def swept(self, store: Store) -> None:
        """Nothing to do."""


@contextmanager
def scratch() -> Iterator[tuple[Store, Path]]:
    """Give an empty store on SQLite and its folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = Store(f"sqlite:///{folder / 'bench.db'}")
        metadata.create_all(store.engine)
        try:
            yield store, folder
        finally:
            store.close()


def fill(store: Store, tasks: int, *, group: GroupSpec | None = None) -> None:
    """Put tasks on the ledger."""
    group = group or GroupSpec(queue=QUEUE, group_id="bench")

    def work(tx: Write) -> None:
        ledger.open_group(tx, group)
        new = (NewTask(task_id=f"{group.group_id}_{number:07d}", lane=QUEUE, seq=number) for number in range(tasks))
        ledger.add(tx, group.queue, group.group_id, new)

    store.transact(work)


def is_empty(store: Store) -> bool:
    """Tell whether no work is left."""
    with store.reading() as tx:
        return not backlog.has_work(tx, QUEUE)
