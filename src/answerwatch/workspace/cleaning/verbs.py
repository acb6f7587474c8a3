"""Cleaning: run it, see where it stands, and why an answer was read as it was."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.work import CLEAN
from answerwatch.reading import CleanedAnswer, Lexicon, clean
from answerwatch.stages.clean.redo import renew
from answerwatch.store.clean import cleaning_tasks, generations
from answerwatch.store.clean.cleaning_tasks import StuckTask
from answerwatch.workspace.authors import author
from answerwatch.workspace.batches.views import ShowProgress
from answerwatch.workspace.brands import Brands
from answerwatch.workspace.cleaning.correcting import CorrectionRequest, correct, uncorrect
from answerwatch.workspace.cleaning.explaining import explain
from answerwatch.workspace.cleaning.following import Watch, Work, cleaned
from answerwatch.workspace.cleaning.generation_diff import changes, summary
from answerwatch.workspace.cleaning.labelling import labelled_rows, listed
from answerwatch.workspace.cleaning.redoing import Selection, plan_redo, redo
from answerwatch.workspace.cleaning.views import (
    AnswerChange,
    CleanDiff,
    CleanRun,
    CleanStatus,
    CorrectionView,
    DiffRequest,
    Explanation,
    Redone,
    RedoPlan,
)
from answerwatch.workspace.files.as_json import json_bytes
from answerwatch.workspace.files.fresh_file import fresh_file
from answerwatch.workspace.health.status import queue_view
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.running.stopping import Stop


class Cleaning:
    """Verbs on cleaning."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def run(self, *, progress: ShowProgress | None = None, stop: Stop | None = None) -> CleanRun:
        """Clean until nothing is left; pending tasks of older generations get the newest lexicon first."""
        started = self._parts.clock.now()
        new = partial(renew, cleaner_version=self._parts.cleaner_version, now=started)
        renewed = self._parts.store().transact(new)
        return cleaned(self._parts, Work(since=started, renewed=renewed), Watch(progress, stop))

    def status(self) -> CleanStatus:
        """Return tasks by state, and what is stuck or dead."""
        with self._parts.store().reading() as read:
            states = cleaning_tasks.by_state(read)
            newest = next(iter(generations.every(read)), None)
            queue = queue_view(read, CLEAN)
            return CleanStatus(
                states=tuple((state, states.get(state, 0)) for state in CleanState),
                outstanding=queue.ready + queue.waiting + queue.running + queue.held,
                stuck=cleaning_tasks.count_stuck(read, self._parts.clock.now()),
                dead=queue.dead,
                oldest_s=queue.oldest_s,
                generation=None if newest is None else newest.generation,
                lexicon_version=None if newest is None else newest.lexicon_version,
                cleaner_version=self._parts.cleaner_version,
            )

    def stuck(self) -> tuple[StuckTask, ...]:
        """Return tasks that stay in one working state for too long, oldest first."""
        with self._parts.store().reading() as read:
            return tuple(cleaning_tasks.stuck(read, self._parts.clock.now()))

    def explain(self, task_id: str, *, generation: int | None = None) -> Explanation:
        """Explain a clean task, or the current one of a sample, or that of an older generation.

        Raises UsageError when the id is unknown, or the answer was not read in that generation.
        """
        with self._parts.store().reading() as read:
            return explain(read, task_id, generation)

    def correct(
        self, task: str, field: str, value: str, *, brand: str | None = None, at: str | None = None, note: str = ""
    ) -> CorrectionView:
        """Set a value of an answer's reading right; the reading itself stays, and so does this when it is read anew.

        `task` is a clean task or a sample. Fields of a brand need its name, those of the answer have none. A mention
        is right or wrong (`yes`, `no`) at a place `START:END`; counts follow from it. Raises UsageError for what is
        unknown, cannot be, was read so already, or contradicts the rest of the reading.
        """
        asked = CorrectionRequest(task=task, field=field, value=value, brand=brand, at=at)
        who, now = author(self._parts.settings.actor, note), self._parts.clock.now()
        return self._parts.store().transact(lambda tx: correct(tx, asked, who, now))

    def uncorrect(self, correction_id: int, *, note: str = "") -> CorrectionView:
        """Take a correction back and return it; raises UsageError where there is none that holds."""
        who, now = author(self._parts.settings.actor, note), self._parts.clock.now()
        return self._parts.store().transact(lambda tx: uncorrect(tx, correction_id, who, now))

    def corrections(
        self, *, brand: str | None = None, batch: str | None = None, limit: int = 200, after: int = 0
    ) -> tuple[CorrectionView, ...]:
        """Return corrections that hold by their numbers; raises UsageError for an unknown brand or batch."""
        with self._parts.store().reading() as read:
            return tuple(listed(read, brand=brand, batch=batch, limit=limit, after=after))

    def write_labelled(
        self, file: Path, *, brand: str | None = None, batch: str | None = None, force: bool = False
    ) -> int:
        """Write the corrected answers as labelled rows, which `answerwatch evaluate` reads; return how many.

        What was not corrected is labelled as it was read. Raises UsageError for an unknown brand or batch, or a file
        that is there, unless it is to be replaced; ServiceError where it cannot be written.
        """
        count = 0
        with fresh_file(file, force=force) as out, self._parts.store().reading() as read:
            for row in labelled_rows(read, brand=brand, batch=batch):
                out.write(json_bytes(row) + b"\n")
                count += 1
        return count

    def plan_redo(
        self, *, batch: str | None = None, brand: str | None = None, everything: bool = False, force: bool = False
    ) -> RedoPlan:
        """Return what `redo` would do, and do nothing; raises UsageError as it does."""
        wanted = Selection(batch=batch, brand=brand, everything=everything)
        with self._parts.store().reading() as read:
            return plan_redo(read, wanted, cleaner_version=self._parts.cleaner_version, force=force)

    def redo(
        self,
        *,
        batch: str | None = None,
        brand: str | None = None,
        everything: bool = False,
        force: bool = False,
        progress: ShowProgress | None = None,
        stop: Stop | None = None,
    ) -> Redone:
        """Clean stored answers anew with the newest lexicon and reader, until all of that generation are done.

        No platform is asked. Answers that are there already are left, unless `force` makes a generation for them.
        What is stopped or killed goes on with the next `redo` or `run`. Raises UsageError for an unknown batch or
        brand, and unless one of batch, brand and everything is asked for.
        """
        wanted = Selection(batch=batch, brand=brand, everything=everything)
        return redo(self._parts, wanted, force=force, watch=Watch(progress, stop))

    def diff(
        self,
        *,
        batch: str | None = None,
        brand: str | None = None,
        older: int | None = None,
        newer: int | None = None,
        limit: int = 20,
    ) -> CleanDiff:
        """Return what changed between two generations, with the first `limit` changed answers.

        `newer` None: each answer's current result; `older` None: the one that it replaced. With a brand its figures
        are compared in every answer, else those of each answer's focal brand. Raises UsageError for an unknown batch,
        brand or generation, and where the older generation is not older.
        """
        with self._parts.store().reading() as read:
            return summary(read, DiffRequest(batch=batch, brand=brand, older=older, newer=newer), most=limit)

    def changes(
        self,
        *,
        batch: str | None = None,
        brand: str | None = None,
        older: int | None = None,
        newer: int | None = None,
    ) -> Iterator[AnswerChange]:
        """Yield every changed answer of `diff`, without holding them all."""
        with self._parts.store().reading() as read:
            yield from changes(read, DiffRequest(batch=batch, brand=brand, older=older, newer=newer))

    def text(
        self, answer: str, *, question: str | None = None, scene: str | None = None, lexicon: Lexicon | None = None
    ) -> CleanedAnswer:
        """Clean a text for a quick try, with the workspace's lexicon unless another is given; stores nothing."""
        used = Brands(self._parts.store, "").lexicon() if lexicon is None else lexicon
        return clean(answer, question=question, scene=scene, lexicon=used)
