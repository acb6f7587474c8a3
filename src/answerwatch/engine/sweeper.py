"""Periodic duties over the whole ledger. Any process may do them; two at once do no harm.

Each duty is a transaction of its own: expired leases and dead workers, clocks of groups, time-outs, tidying, and
what the stages want done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.failures import Failure, Severity
from answerwatch.domain.work import Ending, Failed, Settled
from answerwatch.engine.stage import Stage
from answerwatch.engine.workers import Presence, clean_up
from answerwatch.engine.writer import bury
from answerwatch.store.database import Store, Write
from answerwatch.store.ops import shared_numbers
from answerwatch.store.work import groups, lanes, upkeep, workers

LAST_SWEEP = "last_sweep"
"""The mark that tells when anybody swept."""

GAP_S = 30.0
"""Between two sweeps further apart than this, nothing of ours was running, or the clock was set: that time counts for
no deadline and no lease."""


class Sweeper:
    """The duties of one worker's sweeping thread."""

    def __init__(self, store: Store, stages: Mapping[str, Stage], presence: Presence) -> None:
        """Sweep the queues of these stages."""
        self._store = store
        self._stages = stages
        self._presence = presence

    def sweep(self) -> None:
        """Do all duties once; raises ServiceError when the database cannot be used."""
        self._store.transact(_count_gap)
        for queue, stage in self._stages.items():
            for group_id in self._store.transact(partial(_turn_clocks, queue=queue)):
                self._store.transact(partial(_expire, stage=stage, group_id=group_id))
        dead = self._presence.dead()
        self._store.transact(partial(self._take_back, dead=dead))
        clean_up(dead)
        for stage in self._stages.values():
            stage.swept(self._store)
        self._store.transact(self._tidy)

    def _take_back(self, tx: Write, dead: Sequence[workers.Worker]) -> None:
        ids = [each.worker_id for each in dead]
        freed = upkeep.take_back(tx, queues=list(self._stages), dead_workers=ids)
        for queue, stage in self._stages.items():
            most = stage.policy.max_crashes
            broken = [each for each in freed if each.claim.queue == queue and each.crashes >= most]
            if broken:
                outcomes: list[Failed[Any]] = [Failed(claim=each.claim, failure=_died(each.crashes)) for each in broken]
                stage.failed(tx, [Settled(outcome=outcome, ending=Ending.DEAD) for outcome in outcomes])
                bury(tx, outcomes)
        workers.forget(tx, ids)

    def _tidy(self, tx: Write) -> None:
        upkeep.drop_empty(tx)
        self._presence.see(tx)


def _died(crashes: int) -> Failure:
    text = f"{crashes} workers in a row stopped while they had this task; look at its input, then replay it."
    return Failure(error_type="worker_died", severity=Severity.PERMANENT, message=text)


def _count_gap(tx: Write) -> None:
    now = tx.now_us()
    gap = now - shared_numbers.move(tx, LAST_SWEEP, now)
    if abs(gap) > GAP_S * MICROSECONDS:
        groups.shift_clocks(tx, gap)
        upkeep.shift_times(tx, gap)
    if gap < -GAP_S * MICROSECONDS:
        lanes.shift_back(tx, gap)


def _turn_clocks(tx: Write, queue: str) -> list[str]:
    """Stop the clocks of groups whose lanes are all parked, and return the groups whose time is over."""
    over: list[str] = []
    for clock in groups.clocks(tx, queue):
        if clock.held or clock.deadline_us is None:
            continue
        if groups.all_parked(tx, queue, clock.group_id):
            groups.start_idling(tx, queue, clock.group_id)
        elif clock.idle_since_us is not None:
            groups.stop_idling(tx, queue, clock.group_id)
        elif clock.deadline_us < tx.now_us():
            over.append(clock.group_id)
    return over


def _expire(tx: Write, stage: Stage, group_id: str) -> None:
    """Let the stage end the group, unless its deadline was moved since it was looked at."""
    if groups.is_over(tx, stage.queue, group_id):
        stage.expired(tx, group_id)
