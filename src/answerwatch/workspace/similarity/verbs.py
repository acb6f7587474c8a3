"""Similarity jobs: hand in, run, follow, cancel, look at results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NoReturn, TypeVar

from answerwatch.domain.relevance import HEAD, Fit
from answerwatch.domain.similarity import JobStatus, split_pair_id
from answerwatch.domain.work import SIMILARITY
from answerwatch.errors import UsageError
from answerwatch.similarity.measured import RELEVANCE
from answerwatch.similarity.planning import with_speed
from answerwatch.similarity.scorer import Scorer
from answerwatch.stages.clean.gauge import Gauge
from answerwatch.stages.score.storing import CHARS_PER_S, PAIRS_PER_S
from answerwatch.store.clean.named import named_in
from answerwatch.store.database import Read, Write
from answerwatch.store.ops import audit
from answerwatch.store.sample import asked
from answerwatch.store.similarity import calibrations, jobs, memory, relevance, texts, units
from answerwatch.store.similarity.jobs import Job
from answerwatch.store.upsert import chunks
from answerwatch.store.work import ledger
from answerwatch.workspace.filling import filled
from answerwatch.workspace.filters import known_batches, known_scene
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.running.engine import Follow, run_engine
from answerwatch.workspace.running.stopping import Stop
from answerwatch.workspace.similarity import calibrating, results
from answerwatch.workspace.similarity.alike import alike
from answerwatch.workspace.similarity.progress import view_of
from answerwatch.workspace.similarity.ranking import ranked
from answerwatch.workspace.similarity.scorers import ScorerDesk
from answerwatch.workspace.similarity.submitting import prepare, submit
from answerwatch.workspace.similarity.views import (
    AlikeQuestions,
    CalibrationView,
    Histogram,
    Hit,
    JobPlan,
    JobRequest,
    JobView,
    LineProblem,
    PairView,
    RelevanceCount,
    ScorerView,
    ShowJob,
)

_T = TypeVar("_T")

SHOWN_PROBLEMS = 20
"""Lines without a score that a plan names."""
LOOK_EVERY_S = 1.0
CANCEL, CALIBRATE = "similarity.cancel", "similarity.calibrate"
"""What is done, as the audit calls it."""


class Similarity:
    """Verbs on similarity jobs."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    @property
    def desk(self) -> ScorerDesk:
        """Return the scorers of the workspace."""
        return self._parts.scorers

    def bring(self, name: str, scorer: Scorer) -> None:
        """Offer a scorer of your own under a name for as long as this workspace is open; you close it.

        Every process that works on its jobs must bring it.
        """
        self.desk.bring(name, scorer)

    def plan(self, request: JobRequest) -> JobPlan:
        """Return what a job would do and store nothing; raises UsageError as `submit` does."""
        prepared = prepare(request, self.desk)
        problems = prepared.gathered.problems
        with self._parts.store().reading() as read:
            encoder, judge = (
                memory.learnt(read, name) for name in (prepared.finder or prepared.scorer, prepared.scorer)
            )
        return JobPlan(
            plan=with_speed(prepared.plan, encoder.get(CHARS_PER_S), judge.get(PAIRS_PER_S)),
            scorer=prepared.scorer,
            finder=prepared.finder,
            problems=len(problems),
            first_problems=tuple(problems[:SHOWN_PROBLEMS]),
        )

    def submit(self, request: JobRequest) -> JobView:
        """Hand in a job; workers take it up.

        Raises UsageError for lists that cannot be read or hold no pair, an unknown scorer, and an idempotency key that
        made another job; ConfigurationError for a scorer that cannot be used here.
        """
        prepared = prepare(request, self.desk)
        actor, now = self._parts.settings.actor, self._parts.clock.now()
        job, is_new = self._parts.store().create(lambda tx: submit(tx, prepared, actor, now))
        return view_of(job, is_new=is_new)

    def run(self, job_id: str, *, progress: ShowJob | None = None, stop: Stop | None = None) -> JobView:
        """Work in this process until the job is at its end, or it is to stop; other jobs that go first are done too."""
        self.status(job_id)

        def done() -> bool:
            return self.status(job_id).status.is_final

        def show() -> None:
            if progress is not None:
                progress(self.status(job_id))

        if not done():
            run_engine(self._parts, (SIMILARITY,), Follow(done=done, show=show if progress else None, stop=stop))
        return self.status(job_id)

    def watch(self, job_id: str, *, progress: ShowJob, stop: Stop) -> JobView:
        """Follow a job that others work on until it is at its end, or this is to stop; raises as `status` does."""
        view = self.status(job_id)
        progress(view)
        while not view.status.is_final and not stop.wait(LOOK_EVERY_S):
            view = self.status(job_id)
            progress(view)
        return view

    def status(self, job_id: str) -> JobView:
        """Return how far a job is; raises UsageError for an unknown one."""
        return self._reading(job_id, lambda _, job: view_of(job))

    def statuses(self, job_ids: Sequence[str]) -> tuple[JobView, ...]:
        """Return how far some jobs are, in the order of the ids; raises UsageError for an unknown one."""
        with self._parts.store().reading() as read:
            known = jobs.several(read, job_ids)
        return tuple(view_of(known[one]) if one in known else _unknown(one) for one in job_ids)

    def list(
        self, *, limit: int = 50, statuses: Sequence[JobStatus] | None = None, after: str | None = None
    ) -> tuple[JobView, ...]:
        """Return jobs, the newest first; `after` goes on behind a job of an earlier list.

        Raises UsageError where there is no such job.
        """
        with self._parts.store().reading() as read:
            before = None if after is None else _known(read, after)
            found = jobs.newest(read, limit=limit, statuses=statuses, before=before)
            return tuple(view_of(job) for job in found)

    def cancel(self, job_id: str) -> JobView:
        """Cancel a job; scores that are there stay. Raises UsageError for an unknown one, or one at its end."""
        now, actor = self._parts.clock.now(), self._parts.settings.actor

        def work(tx: Write) -> Job:
            job = _known(tx, job_id)
            if job.status.is_final:
                text = f"Job {job_id} is {job.status} already."
                raise UsageError("similarity_ended", text, job=job_id, status=job.status)
            ledger.remove(tx, ledger.outstanding(tx, SIMILARITY, job_id))
            jobs.finish(tx, job_id, JobStatus.CANCELLED, now)
            units.drop_vectors(tx, job_id)
            audit.note(tx, actor=actor, action=CANCEL, details=[(job_id, {})])
            return _known(tx, job_id)

        return view_of(self._parts.store().transact(work))

    def top(self, job_id: str, most: int) -> Iterator[Hit]:
        """Yield the best of each line of the left list; raises UsageError for an unknown job, or one of pairs."""
        with self._parts.store().reading() as read:
            yield from results.top(read, _known(read, job_id), most)

    def above(self, job_id: str, least: float) -> Iterator[Hit]:
        """Yield every pair of lines with a score of at least so much; raises UsageError for an unknown job."""
        with self._parts.store().reading() as read:
            yield from results.above(read, _known(read, job_id), least)

    def pair(self, pair_id: str) -> PairView:
        """Return one pair, `JOB:LEFT:RIGHT`; raises UsageError for what is none."""
        job_id, left, right = split_pair_id(pair_id)
        return self._reading(job_id, lambda read, job: results.pair(read, job, left, right))

    def histogram(self, job_id: str) -> Histogram:
        """Return how scores are distributed so far; raises UsageError for an unknown job."""
        return self._reading(job_id, results.histogram)

    def problems(self, job_id: str, *, limit: int | None = None) -> tuple[LineProblem, ...]:
        """Return lines without a score, or cut, and why; raises UsageError for an unknown job."""

        def found(read: Read, job: Job) -> tuple[LineProblem, ...]:
            return tuple(
                LineProblem(side=one.side, line=one.line, reason=one.reason, message=one.message)
                for one in texts.errors(read, job.job_id, limit=limit)
            )

        return self._reading(job_id, found)

    def calibrate(
        self, *, scorer: str | None = None, purpose: str = RELEVANCE, batch: str | None = None
    ) -> CalibrationView:
        """Measure the thresholds of a scorer on the texts that are here, store and return them.

        For `relevance` on valid answers (of one batch or all), for `sameness` on the active questions. Raises
        UsageError where there are fewer than 50 pairs, and ScorerTrouble where a call failed.
        """
        name, store = scorer or self.desk.default(), self._parts.store()
        facts = self.desk.facts(name)
        with store.reading() as read:
            pairs = calibrating.own_pairs(read, calibrating.check_purpose(purpose), batch)
        row = calibrating.row_of(facts, purpose, calibrating.measured(self.desk, name, pairs))
        now = self._parts.clock.now()

        def work(tx: Write) -> CalibrationView:
            calibrations.put(tx, row, now)
            audit.note(tx, actor=self._parts.settings.actor, action=CALIBRATE, details=[(name, {"purpose": purpose})])
            return filled(CalibrationView, {**row, "created_at": now}, is_own=True)

        return store.transact(work)

    def scorers(self) -> tuple[ScorerView, ...]:
        """Return the scorers that there are; servers are asked for their models."""
        return self.desk.views()

    def calibrations(self) -> tuple[CalibrationView, ...]:
        """Return all thresholds, those measured here before those measured for everybody."""
        with self._parts.store().reading() as read:
            return calibrating.listed(read)

    def alike_questions(
        self, *, scorer: str | None = None, above: float | None = None, scene: str | None = None
    ) -> AlikeQuestions:
        """Return the active questions that say the same as an earlier one of their scene; nothing is changed.

        Raises UsageError where the scorer has no threshold and none is given, and ScorerTrouble where a call failed.
        """
        with self._parts.store().reading() as read:
            wanted = None if scene is None else known_scene(read, scene)
            return alike(read, self.desk, scorer=scorer or self.desk.default(), above=above, scene=wanted)

    def rank_answers(self, batch: str, *, scorer: str | None = None) -> RelevanceCount:
        """Judge the answers of a batch by the rank of their own question among all of it; no result is changed.

        Raises UsageError for an unknown batch, a pair scorer and fewer than 50 different questions, and ScorerTrouble
        where a call failed.
        """
        name = scorer or self._parts.settings.relevance_scorer or self.desk.default()
        store, facts = self._parts.store(), self.desk.facts(name)
        with store.reading() as read:
            (batch_id,) = known_batches(read, [batch])
            answers = list(asked.of_batch(read, batch_id, head=2 * HEAD))
            named = named_in(read, batch_id)
            thresholds = Gauge(self.desk, name).thresholds(read)
        found = ranked(self.desk, name, answers, named, thresholds)
        now = self._parts.clock.now()
        for part in chunks(found):
            store.transact(partial(relevance.put_ranks, ranks=part, now=now))
        counts = Counter(one.verdict for one in found)
        return RelevanceCount(
            batch_id=batch_id,
            scorer_id=facts.scorer_id,
            questions=found[0].questions if found else 0,
            **{str(fit): counts[fit] for fit in Fit},
        )

    def _reading(self, job_id: str, work: Callable[[Read, Job], _T]) -> _T:
        with self._parts.store().reading() as read:
            return work(read, _known(read, job_id))


def _known(read: Read, job_id: str) -> Job:
    job = jobs.get(read, job_id)
    return _unknown(job_id) if job is None else job


def _unknown(job_id: str) -> NoReturn:
    text = f"There is no similarity job {job_id}; `answerwatch similarity list` shows them."
    raise UsageError("similarity_unknown", text, job=job_id)
