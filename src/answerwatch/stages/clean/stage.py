"""The clean stage as the engine sees it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from answerwatch.clock import Clock, to_micros
from answerwatch.domain.alerts import AlertKind
from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.limits import Signal
from answerwatch.domain.said import Said
from answerwatch.domain.work import (
    CLEAN,
    CLEAN_POLICY,
    Claim,
    Ending,
    HandedBack,
    NewTask,
    Outcome,
    RetryPolicy,
    Settled,
)
from answerwatch.engine.stage import Step
from answerwatch.reading import READER_VERSION
from answerwatch.stages.clean.duties import do_duties
from answerwatch.stages.clean.gauge import Gauge
from answerwatch.stages.clean.outcome import failed_result, verdict_of
from answerwatch.stages.clean.records import Judged
from answerwatch.stages.clean.steps import Bench, ExtractStep, ValidateStep
from answerwatch.stages.handover import CLEAN_LANE
from answerwatch.store.clean import cleaning_tasks, results
from answerwatch.store.database import Store, Write
from answerwatch.store.ops import alerts
from answerwatch.store.sample import samples
from answerwatch.store.work.ledger import GroupSpec


class CleanStage:
    """Turns samples into results, twenty at a time."""

    queue = CLEAN
    together = 20
    """Measured on SQLite: a fifth faster than ten, while a hundred are only a little faster still."""

    def __init__(
        self,
        *,
        clock: Clock,
        cleaner_version: str = READER_VERSION,
        policy: RetryPolicy = CLEAN_POLICY,
        gauge: Gauge | None = None,
    ) -> None:
        """Stamp results with `cleaner_version`; with a gauge answers are compared with their questions too."""
        self.policy = policy
        self._clock = clock
        self._cleaner_version = cleaner_version
        bench = Bench(clock=clock, cleaner_version=cleaner_version, gauge=gauge)
        self.steps: Sequence[Step[Any, Any]] = (ValidateStep(bench), ExtractStep(bench))

    def claimed(self, tx: Write, claims: Sequence[Claim]) -> None:
        """Move new tasks to validating; tasks taken up again stay in the state they were left in."""
        now = self._clock.now()
        cleaning_tasks.start_validating(tx, [claim.task_id for claim in claims], now)
        cleaning_tasks.begin_attempts(tx, {claim.task_id: claim.attempt for claim in claims}, now)

    def failed(self, tx: Write, settled: Sequence[Settled[Judged]]) -> None:
        """Note errors, and end those that are not tried again: state failed, a result whose metrics are NULL."""
        now = self._clock.now()
        errors = [(one.outcome.claim, one.outcome.failure.message) for one in settled]
        cleaning_tasks.end_attempts(tx, [(claim.task_id, claim.attempt, text) for claim, text in errors], now)
        dead = [one for one in settled if one.ending is Ending.DEAD]
        retried = {one.outcome.claim.task_id for one in settled if one.ending is Ending.RETRY}
        cleaning_tasks.note_error(
            tx, [(claim.task_id, claim.failures + (claim.task_id in retried), text) for claim, text in errors]
        )
        self._end(tx, dead)

    def _end(self, tx: Write, dead: Sequence[Settled[Judged]]) -> None:
        now = self._clock.now()
        tasks = cleaning_tasks.load(tx, [one.outcome.claim.task_id for one in dead])
        ended = {id_: task for id_, task in tasks.items() if task.state is not CleanState.COMPLETED}
        cleaning_tasks.move(tx, dict.fromkeys(ended, (CleanState.FAILED,)), now)
        answers = samples.texts(tx, [task.source_task_id for task in ended.values()])
        rows = [
            failed_result(task, answers[task.source_task_id], self._cleaner_version, now)
            for task in ended.values()
            if task.source_task_id in answers
        ]
        samples.judge(tx, [verdict_of(one) for one in results.store(tx, rows).current])
        for one in dead:
            failure = one.outcome.failure
            task, why = one.outcome.claim.task_id, failure.message
            message = Said("alert_clean_failed", f"{task} could not be cleaned: {why}", task=task, why=why)
            alerts.ring(tx, kind=AlertKind.CLEAN_FAILED, subject="clean", cause=failure.error_type, message=message)

    def handed_back(self, tx: Write, back: Sequence[HandedBack[Judged]]) -> None:
        """Change nothing: the state is where the task resumes, and reading costs no call."""

    def lost(self, tx: Write, late: Sequence[Outcome[Judged]]) -> None:
        """Drop what came too late: whoever has the task now reads the same answer by the same rules."""

    def expired(self, tx: Write, group_id: str) -> None:
        """Do nothing: cleaning has no time limit."""

    def revive(self, tx: Write, task_ids: Sequence[str]) -> list[tuple[GroupSpec, NewTask]]:
        """Move failed tasks back to pending; those that are not failed (any more) are left out."""
        now = self._clock.now()
        tasks = cleaning_tasks.load(tx, task_ids)
        failed = sorted(id_ for id_, task in tasks.items() if task.state is CleanState.FAILED)
        cleaning_tasks.move(tx, dict.fromkeys(failed, (CleanState.PENDING,)), now)
        made = cleaning_tasks.highest_attempts(tx, failed)
        return [
            (
                GroupSpec(queue=CLEAN, group_id=tasks[id_].batch_id, order=to_micros(now)),
                NewTask(task_id=id_, lane=CLEAN_LANE, attempts_before=made[id_]),
            )
            for id_ in failed
        ]

    def signal(self, outcome: Outcome[Judged]) -> Signal | None:
        """Tell a limiter nothing: no platform is asked."""

    def swept(self, store: Store) -> None:
        """Tell of stuck tasks and of platforms whose answers are mostly none."""
        store.transact(partial(do_duties, now=self._clock.now()))
