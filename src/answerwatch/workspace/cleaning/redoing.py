"""Cleaning stored answers anew: what would be done, doing it, and following it to its end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from answerwatch.domain.work import CLEAN
from answerwatch.errors import UsageError
from answerwatch.stages.clean.redo import Queued, planned, queue_redo, redo_group
from answerwatch.store import backlog, batches, dead_letters, explanations, ledger
from answerwatch.store import redo as stored_redo
from answerwatch.store.database import Read, Write
from answerwatch.workspace.batches.views import ShowProgress, Snapshot
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.cleaning.views import Behind, Redone, RedoPlan
from answerwatch.workspace.filters import known_batches
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.running.engine import Follow, run_engine
from answerwatch.workspace.running.stopping import Stop


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


class Watch(NamedTuple):
    """Who follows the work."""

    progress: ShowProgress | None
    stop: Stop | None


def plan_redo(read: Read, wanted: Selection, *, cleaner_version: str, force: bool) -> RedoPlan:
    """Return what a redo would do now."""
    generation = planned(read, cleaner_version, force=force)
    present = stored_redo.behind(read, generation.generation, _batches(read, wanted))
    return RedoPlan(
        generation=generation.generation,
        lexicon_version=generation.lexicon_version,
        cleaner_version=generation.cleaner_version,
        answers=sum(one.answers for one in present),
        behind=tuple(
            Behind(
                answers=one.answers,
                generation=one.generation,
                lexicon_version=one.lexicon_version,
                cleaner_version=one.cleaner_version,
            )
            for one in present
        ),
        waiting=backlog.outstanding(read, CLEAN, redo_group(generation.generation)),
    )


def redo(parts: Parts, wanted: Selection, *, force: bool, watch: Watch) -> Redone:
    """Put answers to work in the newest generation, then work until all of that generation are done."""
    store, started = parts.store(), parts.clock.now()
    note = f"redo {wanted.batch or wanted.brand or 'all'}"

    def put(tx: Write) -> Queued:
        batch_ids, version = _batches(tx, wanted), parts.cleaner_version
        return queue_redo(tx, batch_ids, cleaner_version=version, force=force, note=note, now=started)

    queued = store.create(put)
    _follow(parts, redo_group(queued.generation.generation), started, watch)
    with store.reading() as read:
        by_validity = explanations.results_since(read, started, queued.generation.generation)
        left = backlog.outstanding(read, CLEAN, redo_group(queued.generation.generation))
    return Redone(
        generation=queued.generation.generation,
        lexicon_version=queued.generation.lexicon_version,
        cleaner_version=queued.generation.cleaner_version,
        queued=queued.answers,
        renewed=queued.renewed,
        cleaned=sum(by_validity.values()),
        valid=by_validity.get(1, 0),
        invalid=by_validity.get(0, 0),
        failed=by_validity.get(None, 0),
        outstanding=left,
        seconds=(parts.clock.now() - started).total_seconds(),
    )


def _follow(parts: Parts, group: str, started: datetime, watch: Watch) -> None:
    """Clean until a group of the ledger is empty; what is fresh goes first, also what comes meanwhile."""
    store = parts.store()
    with store.reading() as read:
        total, dead = backlog.outstanding(read, CLEAN, group), dead_letters.count_open(read, CLEAN)

    def done() -> bool:
        with store.reading() as read:
            return not ledger.any_left(read, CLEAN, [group])

    def show() -> None:
        if watch.progress is not None:
            seconds = (parts.clock.now() - started).total_seconds()
            with store.reading() as read:
                left = backlog.outstanding(read, CLEAN, group)
                failed = max(0, dead_letters.count_open(read, CLEAN) - dead)
            watch.progress(_snapshot(total, left, failed=failed, seconds=seconds))

    if total:
        run_engine(parts, (CLEAN,), Follow(done=done, show=show if watch.progress else None, stop=watch.stop))


def _batches(read: Read, wanted: Selection) -> list[str] | None:
    """Return the batches that are meant; None means all."""
    if wanted.batch is not None:
        return known_batches(read, [wanted.batch])
    if wanted.brand is not None:
        return batches.own(read, pick_brand(read, wanted.brand).standard_name)
    return None


def _snapshot(total: int, left: int, *, failed: int, seconds: float) -> Snapshot:
    done = max(0, total - left)
    rate = done / seconds if done and seconds > 0 else None
    return Snapshot(
        batches=(),
        total=max(total, left),
        done=done,
        failed=failed,
        running=0,
        rate=rate,
        eta_s=None if rate is None else left / rate,
        parked=(),
        clean_outstanding=left,
    )
