"""Batches: plan, create, run, follow, pause, resume, cancel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from answerwatch.clock import from_micros
from answerwatch.domain.batches import FINISHED, BatchStatus
from answerwatch.domain.work import CLEAN, COLLECT
from answerwatch.errors import UsageError
from answerwatch.platforms.keys import find_key
from answerwatch.platforms.records import Surface
from answerwatch.stages.collect.ending import cancel_batch
from answerwatch.store.batch import batches as stored_batches
from answerwatch.store.batch import moves, recollection, sub_tasks
from answerwatch.store.database import Read, Write
from answerwatch.store.sample import listing
from answerwatch.store.work import backlog, groups
from answerwatch.workspace.batches.creation import Creation, create_batches, ensure_lanes
from answerwatch.workspace.batches.forecast import plan_of
from answerwatch.workspace.batches.groups import group_progress, members
from answerwatch.workspace.batches.plan_and_reality import compare
from answerwatch.workspace.batches.planning import resolve
from answerwatch.workspace.batches.progress import progress_of, snapshot_of
from answerwatch.workspace.batches.recollecting import plan_recollections, recollect
from answerwatch.workspace.batches.views import (
    BatchDetail,
    BatchPlan,
    BatchProgress,
    BatchRequest,
    BatchRun,
    BatchView,
    GroupProgress,
    ParkedLane,
    Recollection,
    RunEnd,
    ShowProgress,
    Together,
)
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.filters import unknown_batch
from answerwatch.workspace.health.reach import refuse_unreachable, refuse_unwritable
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.running.engine import Follow, run_engine
from answerwatch.workspace.running.stopping import NEVER, Stop


class Batches:
    """Verbs on batches."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def plan(self, request: BatchRequest) -> BatchPlan:
        """Return what the request would do, without doing it; missing keys are told, not raised.

        Raises UsageError for unknown brands, platforms or questions, and for a batch of nothing (saying why).
        """
        platforms = self._parts.platforms()
        with self._parts.store().reading() as read:
            return plan_of(resolve(read, request, platforms), self._parts.environ())

    def create(self, request: BatchRequest) -> tuple[BatchView, ...]:
        """Create one batch for each brand, all or none; the same idempotency key gives the same batches again.

        Raises what `plan` raises, MissingKey before anything is stored, and UsageError for a time-out that is too
        short without `force`, and for a key that was used for another request.
        """
        return tuple(view_of(batch) for batch in self._create(request).batches)

    def _create(self, request: BatchRequest) -> Creation:
        return create_batches(self._parts.store(), request, self._parts.platforms(), self._parts.environ())

    def run(self, request: BatchRequest, *, progress: ShowProgress | None = None, stop: Stop | None = None) -> BatchRun:
        """Create and work until everything is collected and cleaned, all is parked, or `stop` is set.

        A stopped run pauses its batches, so that their clocks stop; `resume` goes on. Raises what `create` raises,
        and ServiceError before anything is stored when a key is missing, none of the platforms can be reached, or
        answers could not be kept.
        """
        platforms = self._parts.platforms()
        with self._parts.store().reading() as read:
            surfaces = resolve(read, request, platforms).surfaces
        environ = self._parts.environ()
        for surface in surfaces:
            find_key(surface, environ)
        self._refuse_useless(surfaces)
        batches = [batch.batch_id for batch in self._create(request).batches]
        return self._work(batches, progress, stop)

    def resume(
        self, batch_id: str, *, work: bool = True, progress: ShowProgress | None = None, stop: Stop | None = None
    ) -> BatchRun:
        """Let a paused or interrupted batch, or a group, go on; with `work` until it is done, else by workers.

        Raises UsageError when it is unknown or finished.
        """
        with self._parts.store().reading() as read:
            found = _open(read, batch_id)
        surfaces = self._surfaces(list(dict.fromkeys(name for batch in found for name in batch.platforms)))
        if work:
            self._refuse_useless(surfaces)
        ids = [batch.batch_id for batch in found]
        self._parts.store().transact(partial(_unpause, batch_ids=ids))
        if work:
            return self._work(ids, progress, stop)
        return _result([self.status(id_) for id_ in ids])

    def _refuse_useless(self, surfaces: Sequence[Surface]) -> None:
        """Raise ServiceError when calls could not be made, or their answers not be kept."""
        refuse_unwritable(self._parts.objects, self._parts.lock_folder)
        refuse_unreachable(surfaces)

    def _surfaces(self, names: Sequence[str]) -> tuple[Surface, ...]:
        """Return the platforms of a batch with their limits of today; raises MissingKey when a key is gone."""
        platforms, environ = self._parts.platforms(), self._parts.environ()
        surfaces = tuple(platforms.get(name) for name in names)
        for surface in surfaces:
            find_key(surface, environ)
        self._parts.store().transact(partial(ensure_lanes, surfaces=surfaces, platforms=platforms))
        return surfaces

    def _work(self, batch_ids: Sequence[str], progress: ShowProgress | None, stop: Stop | None) -> BatchRun:
        """Run the engine until the batches are done, and pause those that are not when it was stopped."""
        store = self._parts.store()

        def look() -> list[BatchProgress]:
            with store.reading() as read:
                return [progress_of(read, _known(read, id_)) for id_ in batch_ids]

        def done() -> bool:
            with store.reading() as read:
                return nothing_to_do(read, batch_ids)

        def show() -> None:
            if progress is not None:
                progress(snapshot_of(look()))

        follow = Follow(done=done, show=show if progress is not None else None, stop=stop)
        try:
            run_engine(self._parts, (COLLECT, CLEAN), follow)
        finally:
            with store.reading() as read:
                left = not nothing_to_do(read, batch_ids)
            if left:
                store.transact(partial(_pause_open, batch_ids=batch_ids))
        return _result(look())

    def list(
        self,
        *,
        status: BatchStatus | None = None,
        brand: str | None = None,
        group: str | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> tuple[BatchView, ...]:
        """Return the newest batches first; `after` goes on behind a batch of an earlier list.

        Raises UsageError for a brand that is not tracked, no group, and no batch to go on behind.
        """
        with self._parts.store().reading() as read:
            if group is not None:
                members(read, group)
            name = None if brand is None else pick_brand(read, brand).standard_name
            before = None if after is None else _known(read, after)
            wanted = stored_batches.Wanted(status=status, brand=name, group_id=group, most=limit, before=before)
            found = stored_batches.find(read, wanted)
        return tuple(view_of(batch) for batch in found)

    def show(self, batch_id: str) -> BatchDetail:
        """Return a batch with its progress, failures, invalid answers, re-collections, and plan beside reality."""
        with self._parts.store().reading() as read:
            batch = _known(read, batch_id)
            progress = progress_of(read, batch)
            return BatchDetail(
                batch=view_of(batch),
                progress=progress,
                failures=tuple(sub_tasks.count_errors(read, batch_id)),
                invalid=tuple(listing.count_invalid(read, batch_id)),
                retries=tuple(sub_tasks.count_retried(read, batch_id)),
                together=_together(read, batch),
                comparison=compare(read, batch, progress.stood_s),
            )

    def plan_recollections(self, id_: str) -> tuple[Recollection, ...]:
        """Return what `recollect` would ask again of a batch, or of each batch of a group in which something failed.

        Raises UsageError when nothing failed, or a batch still runs.
        """
        with self._parts.store().reading() as read:
            planned = plan_recollections(read, id_, self._parts.platforms(), self._parts.environ())
        return tuple(one for _, one in planned)

    def recollect(self, id_: str, *, idempotency_key: str | None = None) -> tuple[BatchView, ...]:
        """Make a child batch of exactly the failed sub-tasks: same question version, platform and round.

        For a group, one of each batch in which something failed, in a new group. The same key gives the same children
        again. Raises what `plan_recollections` raises, MissingKey before anything is stored, and UsageError for a key
        that was used for another request.
        """
        platforms, environ = self._parts.platforms(), self._parts.environ()
        made = recollect(self._parts.store(), id_, platforms, environ, key=idempotency_key)
        return tuple(view_of(child) for child in made)

    def status(self, batch_id: str) -> BatchProgress:
        """Return where a batch stands; raises UsageError when it is unknown."""
        with self._parts.store().reading() as read:
            return progress_of(read, _known(read, batch_id))

    def is_group(self, id_: str) -> bool:
        """Tell whether an id is that of several batches; raises UsageError when nothing has it."""
        with self._parts.store().reading() as read:
            return members(read, id_)[0].batch_id != id_

    def group(self, group_id: str) -> GroupProgress:
        """Return where the batches of a group stand; raises UsageError when it is unknown."""
        with self._parts.store().reading() as read:
            return group_progress(read, group_id)

    def watch(
        self, batch_id: str, progress: ShowProgress, *, stop: Stop | None = None, every_s: float = 1.0
    ) -> BatchProgress:
        """Follow a batch that others work on until nothing is left or `stop` is set; return its last status."""
        self._follow(batch_id, progress, stop or NEVER, every_s)
        return self.status(batch_id)

    def watch_group(
        self, group_id: str, progress: ShowProgress, *, stop: Stop | None = None, every_s: float = 1.0
    ) -> GroupProgress:
        """Follow all batches of a group as `watch` follows one."""
        self._follow(group_id, progress, stop or NEVER, every_s)
        return self.group(group_id)

    def _follow(self, id_: str, progress: ShowProgress, stop: Stop, every_s: float) -> None:
        while True:
            with self._parts.store().reading() as read:
                now = [progress_of(read, batch) for batch in members(read, id_)]
            progress(snapshot_of(now))
            if all(one.done and one.cleaning.outstanding == 0 for one in now) or stop.wait(every_s):
                return

    def pause(self, batch_id: str) -> tuple[BatchProgress, ...]:
        """Start no more calls of a batch, or of all batches of a group; those in flight end. Their clocks stop."""

        def work(tx: Write) -> list[str]:
            ids = [batch.batch_id for batch in _open(tx, batch_id)]
            _pause_open(tx, ids)
            return ids

        return tuple(self.status(id_) for id_ in self._parts.store().transact(work))

    def cancel(self, batch_id: str) -> tuple[BatchProgress, ...]:
        """End a batch, or a group: what was collected stays, answers still on their way become late samples."""

        def work(tx: Write) -> list[str]:
            ids = [batch.batch_id for batch in _open(tx, batch_id)]
            for id_ in sorted(ids):
                cancel_batch(tx, id_, self._parts.clock.now())
            return ids

        return tuple(self.status(id_) for id_ in self._parts.store().transact(work))


def view_of(batch: stored_batches.Batch) -> BatchView:
    """Return a stored batch as it is shown."""
    return BatchView(
        batch_id=batch.batch_id,
        brand_name=batch.brand_name,
        scene_types=batch.scene_types,
        platforms=batch.platforms,
        rounds=batch.rounds,
        total_questions=batch.total_questions,
        total=batch.total_sub_tasks,
        completed=batch.completed_sub_tasks,
        failed=batch.failed_sub_tasks,
        status=batch.batch_status,
        origin=batch.origin,
        created_at=batch.created_at,
        started_at=batch.started_at,
        completed_at=batch.completed_at,
        paused_at=batch.paused_at,
        group_id=batch.group_id,
        parent_batch_id=batch.parent_batch_id,
        priority=batch.priority,
        starts_at=batch.starts_at,
        timeout_s=batch.timeout_s,
    )


def _together(read: Read, batch: stored_batches.Batch) -> Together | None:
    ids = recollection.family(read, [batch.batch_id])
    if len(ids) == 1:
        return None
    members = stored_batches.find(read, stored_batches.Wanted(ids=ids))
    completed = sum(one.completed_sub_tasks for one in members)
    failed = sum(recollection.failed(read, id_).count for id_ in ids)
    return Together(
        batches=tuple(ids),
        total=batch.total_sub_tasks,
        completed=completed,
        failed=failed,
        open=batch.total_sub_tasks - completed - failed,
    )


def _known(read: Read, batch_id: str) -> stored_batches.Batch:
    batch = stored_batches.get(read, batch_id)
    if batch is None:
        raise unknown_batch(batch_id)
    return batch


def _open(read: Read, id_: str) -> list[stored_batches.Batch]:
    """Return the batch, or those of a group, that can still be worked on; raises UsageError when none can."""
    found = members(read, id_)
    left = [batch for batch in found if batch.batch_status not in FINISHED]
    if not left:
        status = str(found[-1].batch_status)
        text = f"{id_} is {status} already; nothing is left to do in it."
        raise UsageError("batch_finished", text, batch=id_, status=status)
    return left


def _unpause(tx: Write, batch_ids: Sequence[str]) -> None:
    for batch_id in sorted(batch_ids):
        moves.unpause(tx, batch_id)
        groups.release(tx, COLLECT, batch_id)


def _pause_open(tx: Write, batch_ids: Sequence[str]) -> None:
    """Pause those batches that are not finished, in id order."""
    now = from_micros(tx.now_us())
    for batch_id in sorted(batch_ids):
        if moves.pause(tx, batch_id, now):
            groups.hold(tx, COLLECT, batch_id)


def nothing_to_do(read: Read, batch_ids: Sequence[str]) -> bool:
    """Tell whether nothing of these batches can be worked on: all done, paused, or parked with nothing in hand.

    Cleaning is looked at last: each look may see more than the one before, and collecting hands over to cleaning.
    """
    return _nothing_to_collect(read, batch_ids) and not backlog.has_work(read, CLEAN, batch_ids)


def _nothing_to_collect(read: Read, batch_ids: Sequence[str]) -> bool:
    if backlog.has_work(read, COLLECT, batch_ids):
        open_ = [id_ for id_ in batch_ids if backlog.has_work(read, COLLECT, [id_])]
        if not all(groups.all_parked(read, COLLECT, id_) for id_ in open_):
            return False
    return backlog.leased(read, COLLECT, batch_ids) == 0


def _result(batches: Sequence[BatchProgress]) -> BatchRun:
    parked: dict[str, ParkedLane] = {lane.platform: lane for one in batches for lane in one.parked}
    return BatchRun(end=_end(batches, parked=bool(parked)), batches=tuple(batches), parked=tuple(parked.values()))


def _end(batches: Sequence[BatchProgress], *, parked: bool) -> RunEnd:
    statuses = {one.status for one in batches}
    if any(not one.done for one in batches):
        return RunEnd.PARKED if parked and not any(one.paused for one in batches) else RunEnd.PAUSED
    if BatchStatus.PARTIAL in statuses:
        return RunEnd.PARTIAL
    return RunEnd.CANCELLED if BatchStatus.CANCELLED in statuses else RunEnd.COMPLETED
