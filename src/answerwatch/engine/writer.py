"""The finishing transaction: the only place where outcomes meet the database.

```
signals of the calls            own small transaction: limits must not wait for a poison row
lock the survivors, id order    the fence
step.store, stage.failed, stage.handed_back
ledger: finish, advance, retry, hand back; dead letters
stage.lost                      what the fence refused
commit
```
A transaction that fails on its data is halved until the poison row stands alone and becomes `store_rejected`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import structlog

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.limits import Signal
from answerwatch.domain.work import Claim, Done, Ending, Failed, HandedBack, Outcome, RetryPolicy, Settled
from answerwatch.engine.lanes import Limiter, Told
from answerwatch.engine.stage import Stage
from answerwatch.engine.work import Loaded, broken, load, next_step
from answerwatch.errors import ServiceError
from answerwatch.store.database import Store, Write
from answerwatch.store.ops import dead_letters
from answerwatch.store.work import ledger

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Written:
    """What one call of `Writer.write` has done so far; a second call goes on from there."""

    stored: list[Claim] = field(default_factory=list)
    """Claims whose outcome is committed; it must not be written again."""
    settled: list[Claim] = field(default_factory=list)
    """Those of them that are no longer in hand: all that do not go on to a next step."""
    advanced: list[Loaded] = field(default_factory=list)
    """Work of the next steps."""
    told: list[Told] = field(default_factory=list)
    """Lanes that learnt something."""
    reported: bool = False


class Writer:
    """Writes outcomes, in one thread."""

    def __init__(self, store: Store, stages: Mapping[str, Stage], limiter: Limiter) -> None:
        """Write for these stages, given by queue."""
        self._store = store
        self._stages = stages
        self._limiter = limiter

    def write(self, outcomes: Sequence[Outcome[Any]], written: Written) -> None:
        """Store all outcomes and note in `written` what is done.

        Raises ServiceError when the database cannot be used; what is not noted by then can be written again.
        """
        if not written.reported:
            written.told = self._report(outcomes)
            written.reported = True
        for queue in sorted({outcome.claim.queue for outcome in outcomes}):
            mine = [outcome for outcome in outcomes if outcome.claim.queue == queue]
            self._settle(self._stages[queue], sorted(mine, key=_by_id), written)

    def _report(self, outcomes: Sequence[Outcome[Any]]) -> list[Told]:
        signals: dict[str, list[Signal]] = {}
        for outcome in outcomes:
            signal = self._stages[outcome.claim.queue].signal(outcome)
            if signal is not None:
                signals.setdefault(outcome.claim.lane, []).append(signal)
        return self._store.transact(partial(self._limiter.report, signals=signals)) if signals else []

    def _settle(self, stage: Stage, outcomes: Sequence[Outcome[Any]], written: Written) -> None:
        try:
            self._commit(stage, outcomes, written)
        except ServiceError:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever storing one row raises must not lose the others
            if len(outcomes) == 1:
                self._reject(stage, outcomes[0], error, written)
                return
            half = len(outcomes) // 2
            self._settle(stage, outcomes[:half], written)
            self._settle(stage, outcomes[half:], written)

    def _commit(self, stage: Stage, outcomes: Sequence[Outcome[Any]], written: Written) -> None:
        advanced = self._store.transact(partial(self._finish, stage=stage, outcomes=outcomes))
        written.stored += [outcome.claim for outcome in outcomes]
        going_on = {_holder(claim) for claim in advanced}
        written.settled += [outcome.claim for outcome in outcomes if _holder(outcome.claim) not in going_on]
        if advanced:
            written.advanced.append(load(self._store, stage, [next_step(claim) for claim in advanced]))

    def _finish(self, tx: Write, *, stage: Stage, outcomes: Sequence[Outcome[Any]]) -> list[Claim]:
        """Write outcomes, in id order; return the claims that go on to their next step."""
        fenced = ledger.fence(tx, [outcome.claim for outcome in outcomes])
        mine, beyond = ({_holder(claim) for claim in claims} for claims in fenced)
        kept = [outcome for outcome in outcomes if _holder(outcome.claim) in mine]
        verdicts = [judge(stage.policy, outcome, random.random()) for outcome in kept if isinstance(outcome, Failed)]
        advanced = _store_done(tx, stage, [outcome for outcome in kept if isinstance(outcome, Done)])
        _store_failed(tx, stage, verdicts)
        _store_back(tx, stage, [outcome for outcome in kept if isinstance(outcome, HandedBack)])
        if lost := [outcome for outcome in outcomes if _holder(outcome.claim) not in mine | beyond]:
            stage.lost(tx, lost)
        # A commit whose answer was lost with its connection is written again: what went on before goes on once more.
        return [*advanced, *fenced.beyond]

    def _reject(self, stage: Stage, outcome: Outcome[Any], error: Exception, written: Written) -> None:
        """Settle an outcome that cannot be stored as a failure, with less and less of its data."""
        for substitute in _substitutes(outcome, error):
            try:
                self._commit(stage, [substitute], written)
                return
            except ServiceError:
                raise
            except Exception as again:  # noqa: BLE001 -- the next substitute holds less that could be refused
                error = again
        # The claim runs out and counts as a crash, so that the task ends as `worker_died` and not in a circle.
        log.error("outcome_cannot_be_stored", task=outcome.claim.task_id, error=broken(error, "").message)
        written.stored.append(outcome.claim)
        written.settled.append(outcome.claim)


def _holder(claim: Claim) -> tuple[str, str]:
    """Return what tells a claim from an earlier one of the same task."""
    return claim.task_id, claim.token


def _by_id(outcome: Outcome[Any]) -> str:
    return outcome.claim.task_id


def _substitutes(outcome: Outcome[Any], error: Exception) -> Iterator[Outcome[Any]]:
    if isinstance(outcome, HandedBack):
        yield replace(outcome, value=None)
        return
    failure = broken(error, "store_rejected")
    yield Failed(claim=outcome.claim, failure=failure, value=outcome.value)
    yield Failed(claim=outcome.claim, failure=failure)


def judge(policy: RetryPolicy, outcome: Failed[Any], chance: float) -> Settled[Any]:
    """Apply the retry policy; a failure that parks its lane is no fault of the task and spends no retry."""
    if outcome.failure.parks:
        return Settled(outcome=outcome, ending=Ending.RETRY)
    wait_s = policy.wait_s(outcome.failure, outcome.claim.failures, chance)
    if wait_s is None:
        return Settled(outcome=outcome, ending=Ending.DEAD)
    origin = policy.wait_origin(outcome.failure)
    return Settled(outcome=outcome, ending=Ending.RETRY, wait_s=wait_s, wait_origin=origin)


def _store_done(tx: Write, stage: Stage, done: Sequence[Done[Any]]) -> list[Claim]:
    for index in sorted({outcome.claim.step for outcome in done}):
        stage.steps[index].store(tx, [outcome for outcome in done if outcome.claim.step == index])
    advanced = [outcome.claim for outcome in done if outcome.more]
    ledger.advance(tx, advanced)
    ledger.finish(tx, [outcome.claim for outcome in done if not outcome.more])
    return advanced


def _store_failed(tx: Write, stage: Stage, verdicts: Sequence[Settled[Any]]) -> None:
    if not verdicts:
        return
    stage.failed(tx, verdicts)
    now = tx.now_us()
    for verdict in verdicts:
        if verdict.ending is Ending.RETRY and verdict.wait_s is not None:
            ledger.retry(tx, verdict.outcome.claim, now + round(verdict.wait_s * MICROSECONDS))
    parked = [verdict.outcome.claim for verdict in verdicts if verdict.outcome.failure.parks]
    ledger.hand_back(tx, parked, spent_attempt=True)
    bury(tx, [verdict.outcome for verdict in verdicts if verdict.ending is Ending.DEAD])


def bury(tx: Write, dead: Sequence[Failed[Any]]) -> None:
    """Take tasks that failed for good off the ledger and write their dead letters."""
    ledger.finish(tx, [outcome.claim for outcome in dead])
    dead_letters.write(tx, [(outcome.claim, outcome.failure) for outcome in dead])


def _store_back(tx: Write, stage: Stage, back: Sequence[HandedBack[Any]]) -> None:
    called = [outcome for outcome in back if outcome.value is not None]
    if called:
        stage.handed_back(tx, called)
    ledger.hand_back(tx, [outcome.claim for outcome in called], spent_attempt=True)
    ledger.hand_back(tx, [outcome.claim for outcome in back if outcome.value is None], spent_attempt=False)
