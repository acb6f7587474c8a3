"""What a stage gives to the engine: ordered steps, and what to record when work does not go well.

The engine alone opens transactions and talks to the ledger. A stage never claims and never settles, and commits nothing
but its own periodic duty.

```
claim tx:      Stage.claimed
read tx:       Step.load
no database:   Step.run            outcomes arrive one by one
finish tx:     Step.store          for Done that is still ours
               Stage.failed        for Failed that is still ours, after the retry policy has spoken
               Stage.handed_back   for HandedBack that is still ours and had made a call
               Stage.lost          for outcomes whose claim is no longer ours
sweep tx:      Stage.failed       for tasks whose workers died too often (`worker_died`, value None)
               Stage.expired
no tx open:    Stage.swept
```
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, Protocol, TypeVar

from answerwatch.domain.limits import Signal
from answerwatch.domain.work import Claim, Done, HandedBack, NewTask, Outcome, RetryPolicy, Settled
from answerwatch.store.database import Read, Store, Write
from answerwatch.store.work.ledger import GroupSpec


class Item(Protocol):
    """What `load` makes of a claim: everything that `run` needs, so that it needs no database."""

    @property
    def claim(self) -> Claim:
        """Return the claim that the item was loaded for."""


I = TypeVar("I", bound=Item)  # noqa: E741 -- the pair I, O (in, out) is how architecture.md writes a step
O = TypeVar("O")  # noqa: E741 -- see above


class Step(Protocol[I, O]):
    """One part of a stage's work that is stored on its own; a crash later starts from the step after it."""

    name: str
    """For logs and errors: `ask`, `validate`, `extract`."""

    def load(self, tx: Read, claims: Sequence[Claim]) -> Sequence[I]:
        """Return one item for every claim, with few queries for all of them.

        A claim whose rows are damaged becomes an item that `run` turns into a permanent failure.
        """

    def run(self, items: Sequence[I]) -> AsyncIterator[Outcome[O]]:
        """Yield exactly one outcome for every item as they come; no database, nothing that blocks the loop.

        When it is cancelled (stop, lost lease) it may raise: the engine hands back what has no outcome yet.
        A call that had gone out by then is reported as HandedBack with a value, before the error is raised again.
        """

    def store(self, tx: Write, done: Sequence[Done[O]]) -> None:
        """Write what was done, in the order given (task ids ascending); a data error rejects the whole call.

        Called again with fewer items when it raises, until the one that cannot be stored stands alone.
        """


class Stage(Protocol):
    """One queue's work. The engine reads `policy` and `together`."""

    queue: str
    policy: RetryPolicy
    together: int
    """Items of one `run`: 1 where each is a call, more where a batch is cheaper."""
    steps: Sequence[Step[Any, Any]]

    def claimed(self, tx: Write, claims: Sequence[Claim]) -> None:
        """Record, in the claim's transaction, that these tasks are being worked on."""

    def failed(self, tx: Write, settled: Sequence[Settled[Any]]) -> None:
        """Record failed attempts, and for `Ending.DEAD` the end of the task; the engine writes the dead letters."""

    def handed_back(self, tx: Write, back: Sequence[HandedBack[Any]]) -> None:
        """Record interrupted attempts: those whose call had gone out (`value` is not None)."""

    def lost(self, tx: Write, late: Sequence[Outcome[Any]]) -> None:
        """Keep what came too late as evidence, never as a result: somebody else has the task or its outcome."""

    def expired(self, tx: Write, group_id: str) -> None:
        """End a group whose time is over: take what is outstanding off the ledger and record it as failed."""

    def revive(self, tx: Write, task_ids: Sequence[str]) -> Sequence[tuple[GroupSpec, NewTask]]:
        """Make dead tasks pending again and return what the caller must put on the ledger."""

    def signal(self, outcome: Outcome[Any]) -> Signal | None:
        """Return what the outcome tells the lane's limiter; None for nothing, as for our own cancellations."""

    def swept(self, store: Store) -> None:
        """Do the stage's periodic duty, such as finding stuck tasks, in transactions of its own."""
