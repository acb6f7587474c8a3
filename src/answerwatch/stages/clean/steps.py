"""The two steps of cleaning: judge whether it is an answer, then read it. A crash resumes at the step it was in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from answerwatch.clock import Clock
from answerwatch.domain.answers import Citation, CitationOrigin
from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.work import Claim, Done, Outcome
from answerwatch.stages.clean.lexicons import LexiconShelf
from answerwatch.stages.clean.outcome import match_rows, result_of
from answerwatch.stages.clean.reading import Read as Reader
from answerwatch.stages.clean.reading import judge_answer, read_answer, read_one
from answerwatch.stages.clean.records import Judged, ToClean
from answerwatch.store import cleaning, generations, matches, results, samples
from answerwatch.store.database import Read, Write
from answerwatch.store.samples import Verdict


@dataclass(slots=True)
class Bench:
    """What both steps work with: one thread for the reading, compiled lexicons, the time."""

    clock: Clock
    cleaner_version: str
    shelf: LexiconShelf = field(default_factory=LexiconShelf)
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "clean"))
    """One: reading is pure Python, more threads would only take turns and hold up the loop."""

    def load(self, tx: Read, claims: Sequence[Claim]) -> list[ToClean]:
        """Return the tasks with their answers, and the lexicons that are not compiled yet."""
        tasks = cleaning.load(tx, [claim.task_id for claim in claims])
        answers = samples.texts(tx, [task.source_task_id for task in tasks.values()])
        unknown = {task.lexicon_version for task in tasks.values() if not self.shelf.holds(task.lexicon_version)}
        lexicons = generations.lexicons(tx, unknown) if unknown else {}
        items = []
        for claim in claims:
            task = tasks.get(claim.task_id)
            answer = None if task is None else answers.get(task.source_task_id)
            lexicon = None if task is None else lexicons.get(task.lexicon_version)
            items.append(ToClean(claim=claim, task=task, sample=answer, lexicon=lexicon))
        return items

    async def read(self, items: Sequence[ToClean], reader: Reader, *, more: bool) -> AsyncIterator[Outcome[Judged]]:
        """Yield an outcome for each item, read one after the other in the cleaning thread."""
        loop = asyncio.get_running_loop()
        for item in items:
            yield await loop.run_in_executor(self.thread, self._read_one, item, reader, more)

    def _read_one(self, item: ToClean, reader: Reader, more: bool) -> Outcome[Judged]:  # noqa: FBT001 - run_in_executor takes positions only
        return read_one(item, self.shelf, reader, more=more)

    def complete(self, tx: Write, judged: Sequence[Judged], *last: CleanState) -> None:
        """Take tasks along their last moves and store their results, candidates and sources."""
        if not judged:
            return
        now = self.clock.now()
        cleaning.move(tx, {one.task.clean_task_id: (*last, CleanState.COMPLETED) for one in judged}, now)
        current = results.store(tx, [result_of(one, self.cleaner_version, now) for one in judged])
        matches.replace(
            tx, [one.task.clean_task_id for one in judged], [row for one in judged for row in match_rows(one, now)]
        )
        ids = {one.source_task_id for one in current}
        samples.judge(
            tx,
            [
                Verdict(
                    sub_task_id=one.source_task_id,
                    is_valid=None if one.is_valid is None else bool(one.is_valid),
                    invalid_reason=one.invalid_reason,
                )
                for one in current
            ],
        )
        samples.set_linked(
            tx, {one.sample.sub_task_id: _linked(one) for one in judged if one.sample.sub_task_id in ids}
        )


def _linked(judged: Judged) -> list[Citation]:
    """Return the sources that stand in the text only."""
    found = () if judged.reading is None else judged.reading.citations
    return [one for one in found if one.origin is CitationOrigin.TEXT]


def _is_valid(judged: Judged) -> bool:
    return judged.verdict is not None and judged.verdict.is_valid


def _unfinished(done: Sequence[Done[Judged]]) -> list[Judged]:
    """Return what is to be stored: not the second delivery of a completed task."""
    return [one.value for one in done if one.value.verdict is not None]


@dataclass(slots=True)
class ValidateStep:
    """Loads the raw answer and judges whether it is one."""

    bench: Bench
    name: str = "validate"

    def load(self, tx: Read, claims: Sequence[Claim]) -> list[ToClean]:
        """Return the tasks with their answers."""
        return self.bench.load(tx, claims)

    def run(self, items: Sequence[ToClean]) -> AsyncIterator[Outcome[Judged]]:
        """Judge each answer."""
        return self.bench.read(items, judge_answer, more=True)

    def store(self, tx: Write, done: Sequence[Done[Judged]]) -> None:
        """Send valid answers to extraction; an invalid one is complete with its verdict, metrics NULL."""
        judged = _unfinished(done)
        valid = [one for one in judged if _is_valid(one)]
        path = (CleanState.VALID, CleanState.EXTRACTING)
        cleaning.move(tx, {one.task.clean_task_id: path for one in valid}, self.bench.clock.now())
        self.bench.complete(tx, [one for one in judged if not _is_valid(one)], CleanState.INVALID)
        _end_attempts(tx, [one for one in done if not one.more], self.bench.clock)


@dataclass(slots=True)
class ExtractStep:
    """Reads a valid answer: brands, recommendations, ranks, sources."""

    bench: Bench
    name: str = "extract"

    def load(self, tx: Read, claims: Sequence[Claim]) -> list[ToClean]:
        """Return the tasks with their answers."""
        return self.bench.load(tx, claims)

    def run(self, items: Sequence[ToClean]) -> AsyncIterator[Outcome[Judged]]:
        """Read each answer."""
        return self.bench.read(items, read_answer, more=False)

    def store(self, tx: Write, done: Sequence[Done[Judged]]) -> None:
        """Store results and complete the tasks in one transaction."""
        self.bench.complete(tx, _unfinished(done), CleanState.EXTRACTED)
        _end_attempts(tx, done, self.bench.clock)


def _end_attempts(tx: Write, done: Sequence[Done[Judged]], clock: Clock) -> None:
    cleaning.end_attempts(tx, [(one.claim.task_id, one.claim.attempt, None) for one in done], clock.now())
