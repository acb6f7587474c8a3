"""Where batches stand: rows, ledger and lanes put together into one record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from answerwatch.clock import from_micros
from answerwatch.domain.batches import FINISHED, LaneSpeed, UsageStatus, planned_duration_s
from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.limits import MICROS, LaneState
from answerwatch.domain.work import COLLECT, collect_lane, name_of_lane
from answerwatch.store.batch import batches as stored_batches
from answerwatch.store.batch import moves, sub_tasks
from answerwatch.store.database import Read
from answerwatch.store.work import backlog, groups, lanes, ledger
from answerwatch.workspace.batches.views import (
    BatchProgress,
    CleanProgress,
    ParkedLane,
    PlatformProgress,
    Snapshot,
)

RATE_WINDOW_S = 60.0
"""The rate is that of the last minute."""

GUESSED_ANSWER_S = 5.0
"""Seconds of an answer until a lane has learnt its own."""


@dataclass(frozen=True, slots=True)
class _Part:
    """One platform of a batch with what is known of its speed."""

    progress: PlatformProgress
    lately: int
    window_s: float
    lane: LaneState | None

    @property
    def left(self) -> int:
        return self.progress.running + self.progress.pending

    @property
    def parked(self) -> bool:
        return self.lane is not None and self.lane.parked


def progress_of(read: Read, batch: stored_batches.Batch) -> BatchProgress:
    """Return where a batch stands now."""
    now = from_micros(read.now_us())
    known = {lane.lane: lane for lane in lanes.every(read)}
    parts = _parts(read, batch, known, now)
    clock = next(iter(groups.clocks(read, COLLECT, batch.batch_id)), None)
    open_ = batch.batch_status not in FINISHED
    completed, failed, cancelled, running, pending, waiting = _sums(parts)
    ended = completed + failed + cancelled
    rates = [part.lately / part.window_s for part in parts if part.lately]
    return BatchProgress(
        batch_id=batch.batch_id,
        brand_name=batch.brand_name,
        status=batch.batch_status,
        paused=batch.paused_at is not None,
        total=batch.total_sub_tasks,
        completed=completed,
        failed=failed,
        cancelled=cancelled,
        running=running,
        pending=pending,
        waiting=waiting,
        percent=100.0 * ended / batch.total_sub_tasks if batch.total_sub_tasks else 100.0,
        rate=sum(rates) if rates and open_ else None,
        eta_s=_eta(parts) if open_ and batch.paused_at is None else None,
        created_at=batch.created_at,
        started_at=batch.started_at,
        completed_at=batch.completed_at,
        deadline=None if clock is None or clock.deadline_us is None or not open_ else from_micros(clock.deadline_us),
        stood_s=_stood_s(read, batch) if open_ else batch.stood_s,
        platforms=tuple(part.progress for part in parts),
        parked=tuple(_parked(part) for part in parts if part.parked and part.left) if open_ else (),
        cleaning=_cleaning(read, batch.batch_id),
    )


def _stood_s(read: Read, batch: stored_batches.Batch) -> float | None:
    """Return how long an open batch stood so far; one that is asked again goes on from what it stood before."""
    now = moves.stood_s(read, batch.batch_id)
    return batch.stood_s if now is None else now + (batch.stood_s or 0)


def _sums(parts: Iterable[_Part]) -> tuple[int, int, int, int, int, int]:
    rows = [part.progress for part in parts]
    return (
        sum(row.completed for row in rows),
        sum(row.failed for row in rows),
        sum(row.cancelled for row in rows),
        sum(row.running for row in rows),
        sum(row.pending for row in rows),
        sum(row.waiting for row in rows),
    )


def _parts(read: Read, batch: stored_batches.Batch, known: Mapping[str, LaneState], now: datetime) -> list[_Part]:
    since = now - timedelta(seconds=RATE_WINDOW_S)
    counts: dict[str, dict[UsageStatus, sub_tasks.PlatformCount]] = {name: {} for name in batch.platforms}
    for count in sub_tasks.count_by_platform(read, batch.batch_id, since):
        counts.setdefault(count.platform, {})[count.status] = count
    depths = {name_of_lane(one.lane): one for one in _depths(read, batch)}
    began = max(since, batch.started_at or since)
    window_s = max(1.0, (now - began).total_seconds())
    return [
        _part(name, by_status, depths.get(name), lane=known.get(collect_lane(name)), window_s=window_s)
        for name, by_status in counts.items()
    ]


def _depths(read: Read, batch: stored_batches.Batch) -> Sequence[ledger.Depth]:
    if batch.batch_status in FINISHED:
        return ()
    return ledger.depths(read, queue=COLLECT, group_id=batch.batch_id)


def _part(
    name: str,
    by_status: Mapping[UsageStatus, sub_tasks.PlatformCount],
    depth: ledger.Depth | None,
    *,
    lane: LaneState | None,
    window_s: float,
) -> _Part:
    def rows(status: UsageStatus) -> int:
        return by_status[status].count if status in by_status else 0

    unfinished = rows(UsageStatus.PENDING)
    # The ledger is read a moment later than the rows: never show more in hand than there is left.
    running = 0 if depth is None else min(depth.leased, unfinished)
    progress = PlatformProgress(
        platform=name,
        total=sum(count.count for count in by_status.values()),
        completed=rows(UsageStatus.SUCCESS),
        failed=rows(UsageStatus.FAILED),
        cancelled=rows(UsageStatus.CANCELLED),
        running=running,
        pending=unfinished - running,
        waiting=0 if depth is None else min(depth.waiting, unfinished - running),
    )
    lately = sum(count.lately for count in by_status.values())
    return _Part(progress, lately, window_s, lane)


def _eta(parts: Sequence[_Part]) -> float | None:
    """Return the seconds until the slowest platform is through, None before the first outcome or when all is parked."""
    moving = [part for part in parts if part.left and not part.parked]
    if not moving:
        return None
    left = [_part_eta(part) for part in moving]
    return None if None in left else max(seconds for seconds in left if seconds is not None)


def _part_eta(part: _Part) -> float | None:
    if part.lately == 0:
        return None
    measured = part.left / (part.lately / part.window_s)
    lane = part.lane
    if lane is None or lane.rate is None:
        return measured
    answer_s = GUESSED_ANSWER_S if lane.answer_us is None else lane.answer_us / MICROS
    speed = LaneSpeed(
        rate=lane.rate * lane.factor, capacity=lane.capacity or 1, answer_s=answer_s, in_flight=lane.in_flight
    )
    # What is left cannot start from a full bucket, but neither can it be slower for long than what was measured.
    return max(planned_duration_s(part.left, speed), min(measured, part.left / speed.rate))


def _parked(part: _Part) -> ParkedLane:
    lane = part.lane
    if lane is None:
        raise AssertionError("a part is parked by its lane")
    return ParkedLane(
        platform=part.progress.platform,
        reason=lane.breaker_reason or "",
        since=from_micros(lane.breaker_us),
        waiting=part.left,
    )


def _cleaning(read: Read, batch_id: str) -> CleanProgress:
    states = backlog.cleaning_of(read, batch_id)
    total = sum(states.values())
    completed, failed = states.get(CleanState.COMPLETED, 0), states.get(CleanState.FAILED, 0)
    return CleanProgress(total=total, completed=completed, failed=failed, outstanding=total - completed - failed)


def snapshot_of(batches: Sequence[BatchProgress]) -> Snapshot:
    """Return several batches as one display."""
    known = [one.rate for one in batches if one.rate is not None]
    left = [one for one in batches if not one.done]
    etas = [one.eta_s for one in left]
    return Snapshot(
        batches=tuple(batches),
        total=sum(one.total for one in batches),
        done=sum(one.completed + one.failed + one.cancelled for one in batches),
        failed=sum(one.failed for one in batches),
        running=sum(one.running for one in batches),
        rate=sum(known) if known else None,
        eta_s=sum(eta for eta in etas if eta is not None) if etas and None not in etas else None,
        parked=tuple({lane.platform: lane for one in batches for lane in one.parked}.values()),
        clean_outstanding=sum(one.cleaning.outstanding for one in batches),
    )
