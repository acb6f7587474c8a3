"""Cleaning: run it, see where it stands, and why an answer was read as it was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.work import CLEAN
from answerwatch.reading import CleanedAnswer, Lexicon, clean
from answerwatch.stages.handover import queue_samples
from answerwatch.store import backlog, cleaning, explanations, generations, ledger, lexicons, renewal
from answerwatch.store.database import Read, Write
from answerwatch.workspace.batches.views import ShowProgress, Snapshot
from answerwatch.workspace.brands import Brands
from answerwatch.workspace.cleaning.explaining import explain, transitions
from answerwatch.workspace.cleaning.views import CleanRun, CleanStatus, Explanation, StuckTask
from answerwatch.workspace.health.status import queue_view
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.running.engine import Follow, run_engine
from answerwatch.workspace.running.stopping import Stop


class Cleaning:
    """Verbs on cleaning."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def run(self, *, progress: ShowProgress | None = None, stop: Stop | None = None) -> CleanRun:
        """Clean until nothing is left; pending tasks of older generations get the newest lexicon first."""
        store = self._parts.store()
        started = self._parts.clock.now()
        renewed = store.transact(partial(_renew, cleaner_version=self._parts.cleaner_version, now=started))
        with store.reading() as read:
            total = backlog.outstanding(read, CLEAN)

        def done() -> bool:
            with store.reading() as read:
                return not backlog.has_work(read, CLEAN)

        def show() -> None:
            if progress is not None:
                with store.reading() as read:
                    progress(_snapshot(read, total, _Spent(started, self._parts.clock.now())))

        if total:
            run_engine(self._parts, (CLEAN,), Follow(done=done, show=show if progress else None, stop=stop))
        with store.reading() as read:
            by_validity = explanations.results_since(read, started)
            left = backlog.outstanding(read, CLEAN)
        return CleanRun(
            cleaned=sum(by_validity.values()),
            valid=by_validity.get(1, 0),
            invalid=by_validity.get(0, 0),
            failed=by_validity.get(None, 0),
            renewed=renewed,
            outstanding=left,
            seconds=(self._parts.clock.now() - started).total_seconds(),
        )

    def status(self) -> CleanStatus:
        """Return tasks by state, and what is stuck or dead."""
        with self._parts.store().reading() as read:
            states = cleaning.by_state(read)
            newest = next(iter(generations.every(read)), None)
            queue = queue_view(read, CLEAN)
            return CleanStatus(
                states=tuple((state, states.get(state, 0)) for state in CleanState),
                outstanding=queue.ready + queue.waiting + queue.running + queue.held,
                stuck=cleaning.count_stuck(read, self._parts.clock.now()),
                dead=queue.dead,
                oldest_s=queue.oldest_s,
                generation=None if newest is None else newest.generation,
                lexicon_version=None if newest is None else newest.lexicon_version,
                cleaner_version=self._parts.cleaner_version,
            )

    def stuck(self) -> tuple[StuckTask, ...]:
        """Return tasks that stay in one working state for too long, oldest first."""
        with self._parts.store().reading() as read:
            return tuple(
                StuckTask(
                    clean_task_id=one.clean_task_id,
                    state=one.state,
                    since=one.since,
                    history=transitions(one.history),
                    last_error=one.last_error,
                )
                for one in cleaning.stuck(read, self._parts.clock.now())
            )

    def explain(self, task_id: str) -> Explanation:
        """Explain a clean task, or the current one of a sample; raises UsageError when the id is unknown."""
        with self._parts.store().reading() as read:
            return explain(read, task_id)

    def text(
        self, answer: str, *, question: str | None = None, scene: str | None = None, lexicon: Lexicon | None = None
    ) -> CleanedAnswer:
        """Clean a text for a quick try, with the workspace's lexicon unless another is given; stores nothing."""
        used = Brands(self._parts.store, "").lexicon() if lexicon is None else lexicon
        return clean(answer, question=question, scene=scene, lexicon=used)


def _renew(tx: Write, cleaner_version: str, now: datetime) -> int:
    """Make pending tasks of older generations anew in the current one and return how many."""
    generation = generations.current(tx, lexicons.newest_number(tx), cleaner_version, now)
    tasks = renewal.stale(tx, generation.generation)
    gone = set(ledger.remove(tx, [task for task, _, _ in tasks]))
    renewed = [one for one in tasks if one[0] in gone]
    renewal.forget(tx, [task for task, _, _ in renewed])
    for batch, samples in sorted(renewal.by_batch(renewed).items()):
        queue_samples(tx, batch, samples, generation, now=now)
    return len(renewed)


@dataclass(frozen=True, slots=True)
class _Spent:
    """The time of a run so far."""

    since: datetime
    now: datetime


def _snapshot(read: Read, total: int, spent: _Spent) -> Snapshot:
    left = backlog.outstanding(read, CLEAN)
    done = max(0, total - left)
    seconds = (spent.now - spent.since).total_seconds()
    rate = done / seconds if done and seconds > 0 else None
    return Snapshot(
        batches=(),
        total=max(total, left),
        done=done,
        failed=explanations.results_since(read, spent.since).get(None, 0),
        running=queue_view(read, CLEAN).running,
        rate=rate,
        eta_s=None if rate is None else left / rate,
        parked=(),
        clean_outstanding=left,
    )
