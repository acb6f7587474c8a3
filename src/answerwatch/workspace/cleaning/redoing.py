"""Cleaning stored answers anew: what would be done, and doing it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from answerwatch.domain.work import CLEAN
from answerwatch.errors import UsageError
from answerwatch.stages.clean.redo import Queued, planned, queue_redo, redo_group
from answerwatch.store.batch import batches
from answerwatch.store.clean import redo as stored_redo
from answerwatch.store.database import Read, Write
from answerwatch.store.work import backlog
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.cleaning.following import Watch, Work, cleaned
from answerwatch.workspace.cleaning.views import Redone, RedoPlan
from answerwatch.workspace.filling import filled
from answerwatch.workspace.filters import known_batches
from answerwatch.workspace.parts import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Whose stored answers; exactly one of the three."""

    batch: str | None = None
    brand: str | None = None
    """Batches whose focal brand it is, and imports without a focal brand."""
    everything: bool = False

    def __post_init__(self) -> None:
        """Raise UsageError unless one thing is asked for."""
        if [self.batch is not None, self.brand is not None, self.everything].count(True) != 1:
            raise UsageError(
                "redo_scope", "Say which answers: --batch BATCH, --brand BRAND, or --all; only one of them."
            )


def plan_redo(read: Read, wanted: Selection, *, cleaner_version: str, force: bool) -> RedoPlan:
    """Return what a redo would do now."""
    generation = planned(read, cleaner_version, force=force)
    behind = stored_redo.behind(read, generation.generation, _batches(read, wanted))
    return RedoPlan(
        generation=generation.generation,
        lexicon_version=generation.lexicon_version,
        cleaner_version=generation.cleaner_version,
        answers=sum(one.answers for one in behind),
        behind=tuple(behind),
        waiting=backlog.outstanding(read, CLEAN, [redo_group(generation.generation)]),
    )


def redo(parts: Parts, wanted: Selection, *, force: bool, watch: Watch) -> Redone:
    """Put answers to work in the newest generation, then work until all of that generation are done."""
    started = parts.clock.now()
    note = f"redo {wanted.batch or wanted.brand or 'all'}"

    def put(tx: Write) -> Queued:
        batch_ids, version = _batches(tx, wanted), parts.cleaner_version
        return queue_redo(tx, batch_ids, cleaner_version=version, force=force, note=note, now=started)

    queued = parts.store().create(put)
    made = queued.generation
    work = Work(since=started, renewed=queued.renewed, generation=made.generation)
    return filled(
        Redone,
        asdict(cleaned(parts, work, watch)),
        generation=made.generation,
        lexicon_version=made.lexicon_version,
        cleaner_version=made.cleaner_version,
        queued=queued.answers,
    )


def _batches(read: Read, wanted: Selection) -> list[str] | None:
    """Return the batches that are meant; None means all."""
    if wanted.batch is not None:
        return known_batches(read, [wanted.batch])
    if wanted.brand is not None:
        return batches.own(read, pick_brand(read, wanted.brand).standard_name)
    return None
