"""The collect stage as the engine sees it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from answerwatch.clock import Clock
from answerwatch.domain.limits import Signal
from answerwatch.domain.work import (
    COLLECT,
    COLLECT_POLICY,
    Claim,
    HandedBack,
    NewTask,
    Outcome,
    RetryPolicy,
    Settled,
)
from answerwatch.engine.stage import Step
from answerwatch.platforms.ask import Sends
from answerwatch.stages.collect import bookkeeping
from answerwatch.stages.collect.asking import Asker
from answerwatch.stages.collect.duties import follow_limits
from answerwatch.stages.collect.ending import expire_batch, lane_of, revive_sub_tasks
from answerwatch.stages.collect.orphans import Orphans
from answerwatch.stages.collect.outcome import signal_of
from answerwatch.stages.collect.records import Call, FindsSurface, ReadsLimits
from answerwatch.stages.collect.step import AskStep
from answerwatch.store.batch import moves
from answerwatch.store.database import Store, Write
from answerwatch.store.objects import ObjectStore
from answerwatch.store.work.ledger import GroupSpec


class CollectStage:
    """Turns sub-tasks into samples: one call for each task, as many at a time as the engine has slots."""

    queue = COLLECT
    together = 1

    def __init__(
        self,
        platforms: FindsSurface,
        sender: Sends,
        objects: ObjectStore,
        *,
        clock: Clock,
        cleaner_version: str,
        policy: RetryPolicy = COLLECT_POLICY,
        file: ReadsLimits | None = None,
    ) -> None:
        """Work with these platforms and keep payloads in `objects`.

        Lanes follow the limits in `file`, where there is one.
        """
        self.policy = policy
        self._file = file
        self._clock = clock
        self._platforms = platforms
        asker = Asker(platforms=platforms, sender=sender, objects=objects, clock=clock, policy=policy)
        self._orphans = Orphans(platforms, objects, clock)
        self.steps: Sequence[Step[Any, Any]] = (AskStep(asker, cleaner_version),)

    def claimed(self, tx: Write, claims: Sequence[Claim]) -> None:
        """Set the batches running."""
        moves.start(tx, {claim.group for claim in claims}, self._clock.now())

    def failed(self, tx: Write, settled: Sequence[Settled[Call]]) -> None:
        """Record failed attempts and the end of those that are not tried again."""
        bookkeeping.record_failures(tx, settled, self._clock.now())

    def handed_back(self, tx: Write, back: Sequence[HandedBack[Call]]) -> None:
        """Record interrupted attempts."""
        bookkeeping.record_interrupted(tx, back)

    def lost(self, tx: Write, late: Sequence[Outcome[Call]]) -> None:
        """Keep late answers as evidence."""
        bookkeeping.record_late(tx, late, self._clock.now())

    def expired(self, tx: Write, group_id: str) -> None:
        """Record what is unfinished of a batch as failed."""
        expire_batch(tx, group_id, self._clock.now())

    def revive(self, tx: Write, task_ids: Sequence[str]) -> list[tuple[GroupSpec, NewTask]]:
        """Make dead sub-tasks pending again; raises UsageError when one of their platforms is gone."""
        return revive_sub_tasks(tx, task_ids, lambda platform: lane_of(self._platforms, platform))

    def signal(self, outcome: Outcome[Call]) -> Signal | None:
        """Return what the call tells about its platform."""
        return signal_of(outcome)

    def swept(self, store: Store) -> None:
        """Let lanes follow limits that were changed; give an owner to answers whose worker died."""
        if self._file is not None:
            store.transact(partial(follow_limits, file=self._file.limits()))
        self._orphans.sweep(store)
