"""Cleaning until the ledger, or one generation's group of it, is empty: how far it has come, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from answerwatch.domain.work import CLEAN
from answerwatch.stages.clean.redo import redo_group
from answerwatch.store.clean import results
from answerwatch.store.database import Read
from answerwatch.store.ops import dead_letters
from answerwatch.store.work import backlog
from answerwatch.workspace.batches.views import ShowProgress, Snapshot
from answerwatch.workspace.cleaning.views import CleanRun
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.running.engine import Follow, run_engine
from answerwatch.workspace.running.stopping import Stop


class Watch(NamedTuple):
    """Who follows the work."""

    progress: ShowProgress | None
    stop: Stop | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is followed to its end."""

    since: datetime
    """When its caller began: results from then on are counted."""
    renewed: int
    """Tasks that the caller gave the newest lexicon."""
    generation: int | None = None
    """Whose redo it is; None: all that there is to clean."""

    @property
    def groups(self) -> list[str] | None:
        """Return the groups of the ledger that it lies in, None for all."""
        return None if self.generation is None else [redo_group(self.generation)]


class _Begin(NamedTuple):
    """How much there was at the beginning."""

    outstanding: int
    dead: int


def cleaned(parts: Parts, work: Work, watch: Watch) -> CleanRun:
    """Clean until nothing of the work is left, or it is to stop; fresh answers go first, also those that come."""
    store = parts.store()
    with store.reading() as read:
        begin = _Begin(backlog.outstanding(read, CLEAN, work.groups), dead_letters.count_open(read, CLEAN))

    def done() -> bool:
        with store.reading() as read:
            return not backlog.has_work(read, CLEAN, work.groups)

    def show() -> None:
        if watch.progress is not None:
            seconds = (parts.clock.now() - work.since).total_seconds()
            with store.reading() as read:
                snapshot = _snapshot(read, work, begin, seconds)
            watch.progress(snapshot)

    if begin.outstanding:
        run_engine(parts, (CLEAN,), Follow(done=done, show=show if watch.progress else None, stop=watch.stop))
    with store.reading() as read:
        by_validity = results.stored_since(read, work.since, work.generation)
        left = backlog.outstanding(read, CLEAN, work.groups)
    return CleanRun(
        cleaned=sum(by_validity.values()),
        valid=by_validity.get(1, 0),
        invalid=by_validity.get(0, 0),
        failed=by_validity.get(None, 0),
        renewed=work.renewed,
        outstanding=left,
        seconds=(parts.clock.now() - work.since).total_seconds(),
    )


def _snapshot(read: Read, work: Work, begin: _Begin, seconds: float) -> Snapshot:
    left = backlog.outstanding(read, CLEAN, work.groups)
    done = max(0, begin.outstanding - left)
    rate = done / seconds if done and seconds > 0 else None
    return Snapshot(
        batches=(),
        total=max(begin.outstanding, left),
        done=done,
        # What fails for good leaves a dead letter, and these are few: results would be counted by the million.
        failed=max(0, dead_letters.count_open(read, CLEAN) - begin.dead),
        running=backlog.leased(read, CLEAN, work.groups),
        rate=rate,
        eta_s=None if rate is None else left / rate,
        parked=(),
        clean_outstanding=left,
    )
