"""The steps of cleaning: an answer is judged and read in one go, and stored in one transaction that nothing divides.

A task that lies between the two, where earlier versions stored what they had judged, is resumed there.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime

from answerwatch.clock import Clock
from answerwatch.domain.answers import Citation, CitationOrigin
from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.relevance import Relevance
from answerwatch.domain.work import Claim, Done, Failed, Outcome
from answerwatch.errors import WorkError
from answerwatch.stages.clean.gauge import Gauge
from answerwatch.stages.clean.lexicons import LexiconShelf
from answerwatch.stages.clean.outcome import match_rows, result_of, verdict_of
from answerwatch.stages.clean.reading import check_still_valid, read_one
from answerwatch.stages.clean.records import Judged, ToClean
from answerwatch.stages.clean.unchanged import INVALID_PATH, VALID_PATH, take_over, with_present
from answerwatch.store.bank import lexicons
from answerwatch.store.clean import cleaning_tasks, matches, results
from answerwatch.store.database import Read, Write
from answerwatch.store.sample import samples
from answerwatch.store.similarity import relevance
from answerwatch.store.similarity.relevance import NewScore


@dataclass(slots=True)
class Bench:
    """What both steps work with: one thread for the reading, compiled lexicons, the time."""

    clock: Clock
    cleaner_version: str
    gauge: Gauge | None
    """Says how well answers go with their questions; None: nobody asks."""
    shelf: LexiconShelf = field(default_factory=LexiconShelf)
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "clean"))
    """One: reading is pure Python, more threads would only take turns and hold up the loop."""

    def load(self, tx: Read, claims: Sequence[Claim], *, compare: bool = False) -> list[ToClean]:
        """Return the tasks with their answers, and the lexicons that are not compiled yet.

        With `compare`, with their present results too, which stand where nothing in the answer has changed.
        """
        tasks = cleaning_tasks.load(tx, [claim.task_id for claim in claims])
        answers = samples.texts(tx, [task.source_task_id for task in tasks.values()])
        thresholds = None if self.gauge is None else self.gauge.thresholds(tx)
        items = []
        for claim in claims:
            task = tasks.get(claim.task_id)
            answer = None if task is None else answers.get(task.source_task_id)
            items.append(ToClean(claim=claim, task=task, sample=answer, thresholds=thresholds))
        return self._with_lexicons(tx, with_present(tx, items, self.cleaner_version) if compare else items)

    def _with_lexicons(self, tx: Read, items: list[ToClean]) -> list[ToClean]:
        """Give every item the lexicons that it is read and compared with, those that are not compiled yet."""
        needed = {item.task.lexicon_version for item in items if item.task is not None}
        needed |= {item.present.lexicon_version for item in items if item.present is not None}
        unknown = [version for version in needed if not self.shelf.holds(version)]
        if not unknown:
            return items
        stored = lexicons.of_versions(tx, unknown)
        return [replace(item, lexicons=stored) for item in items]

    async def read(self, items: Sequence[ToClean]) -> list[Done[Judged] | Failed[Judged]]:
        """Read all items in one visit to the cleaning thread: what is read together is stored together."""
        if not items:
            return []
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.thread, lambda: self._read(items))

    def _read(self, items: Sequence[ToClean]) -> list[Done[Judged] | Failed[Judged]]:
        found = self._relevance(items)
        return [read_one(item, self.shelf, found.get(item.claim.task_id)) for item in items]

    def _relevance(self, items: Sequence[ToClean]) -> dict[str, Relevance]:
        """Return how well answers go with their questions by task; answers whose result may stand have theirs."""
        asked = [(item, item.sample) for item in items if item.sample is not None and item.present is None]
        if self.gauge is None or not asked:
            return {}
        pairs = [(sample.query_text, sample.raw_response) for _, sample in asked]
        found = self.gauge.of(pairs, asked[0][0].thresholds)
        return {item.claim.task_id: one for (item, _), one in zip(asked, found, strict=True)}

    def complete(self, tx: Write, judged: Sequence[Judged], *, resumed: bool = False) -> None:
        """Take tasks along all their moves, or the last ones, and store their results, candidates and sources."""
        if not judged:
            return
        now = self.clock.now()
        cleaning_tasks.move(tx, {one.task.clean_task_id: _path(one, resumed=resumed) for one in judged}, now)
        stored = results.store(tx, [result_of(one, self.cleaner_version, now) for one in judged])
        before = [one.clean_task_id for one in stored.again]
        matches.add(tx, [row for one in judged for row in match_rows(one, now)], instead_of=before)
        samples.judge(tx, [verdict_of(one) for one in stored.current])
        current = {one.source_task_id for one in stored.current}
        linked = {one.sample.sub_task_id: _linked(one) for one in judged if one.sample.sub_task_id in current}
        self._keep_relevance(tx, [one for one in judged if one.sample.sub_task_id in current], now)
        samples.add_linked(tx, linked, instead_of=[one.source_task_id for one in stored.again if one in stored.current])

    def _keep_relevance(self, tx: Write, judged: Sequence[Judged], now: datetime) -> None:
        scorer_id = None if self.gauge is None else self.gauge.scorer_id
        if scorer_id is None:
            return
        scores = [
            NewScore(one.sample.sub_task_id, scorer_id, one.relevance.score, str(one.fit))
            for one in judged
            if one.relevance is not None
        ]
        relevance.put(tx, scores, now)

    def take_over(self, tx: Write, unchanged: Sequence[Done[Judged]]) -> None:
        """Complete tasks with the present results of their answers.

        Where an answer got another result meanwhile, by a worker with another generation, it is read here: the
        transaction holds it, and so rare a case needs no way of its own through the engine.
        """
        overtaken = take_over(tx, [one.value for one in unchanged], self.clock.now())
        if not overtaken:
            return
        late = {one.task.clean_task_id for one in overtaken}
        outcomes = self._read(self.load(tx, [one.claim for one in unchanged if one.claim.task_id in late]))
        for outcome in outcomes:
            if isinstance(outcome, Failed):
                raise WorkError(outcome.failure.error_type, outcome.failure.message)
        self.complete(tx, _unfinished([one for one in outcomes if isinstance(one, Done)]))


def _linked(judged: Judged) -> list[Citation]:
    """Return the sources that stand in the text only."""
    found = () if judged.reading is None else judged.reading.citations
    return [one for one in found if one.origin is CitationOrigin.TEXT]


def _path(judged: Judged, *, resumed: bool) -> tuple[CleanState, ...]:
    """Return the states that a task still goes through by what its answer was judged to be."""
    if judged.verdict is None or not judged.verdict.is_valid:
        return (*INVALID_PATH, CleanState.COMPLETED)
    return (*(VALID_PATH[-1:] if resumed else VALID_PATH), CleanState.COMPLETED)


def _unfinished(done: Sequence[Done[Judged]]) -> list[Judged]:
    """Return what was read: neither the second delivery of a completed task nor what has not changed."""
    return [one.value for one in done if one.value.verdict is not None]


@dataclass(slots=True)
class ValidateStep:
    """Loads the raw answer, judges whether it is one, and reads it: brands, recommendations, ranks, sources."""

    bench: Bench
    name: str = "validate"

    def load(self, tx: Read, claims: Sequence[Claim]) -> list[ToClean]:
        """Return the tasks with their answers, and with the results that may stand."""
        return self.bench.load(tx, claims, compare=True)

    async def run(self, items: Sequence[ToClean]) -> AsyncIterator[Outcome[Judged]]:
        """Read each answer."""
        for outcome in await self.bench.read(items):
            yield outcome

    def store(self, tx: Write, done: Sequence[Done[Judged]]) -> None:
        """Store results and complete the tasks in one transaction; metrics are NULL where it is no answer.

        One that has not changed is complete with the result that it has.
        """
        self.bench.take_over(tx, [one for one in done if one.value.present is not None])
        self.bench.complete(tx, _unfinished(done))
        _end_attempts(tx, done, self.bench.clock)


@dataclass(slots=True)
class ExtractStep:
    """Reads answers that were judged to be valid by an earlier version, which stored that by itself."""

    bench: Bench
    name: str = "extract"

    def load(self, tx: Read, claims: Sequence[Claim]) -> list[ToClean]:
        """Return the tasks with their answers."""
        return self.bench.load(tx, claims)

    async def run(self, items: Sequence[ToClean]) -> AsyncIterator[Outcome[Judged]]:
        """Read each answer again."""
        for outcome in await self.bench.read(items):
            yield check_still_valid(outcome)

    def store(self, tx: Write, done: Sequence[Done[Judged]]) -> None:
        """Store results and complete the tasks in one transaction."""
        self.bench.complete(tx, _unfinished(done), resumed=True)
        _end_attempts(tx, done, self.bench.clock)


def _end_attempts(tx: Write, done: Sequence[Done[Judged]], clock: Clock) -> None:
    cleaning_tasks.end_attempts(tx, [(one.claim.task_id, one.claim.attempt, None) for one in done], clock.now())
