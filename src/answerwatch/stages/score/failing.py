"""What becomes of work that fails: a retry, a block without scores, a job that stops; and taking it up again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from answerwatch.clock import to_micros
from answerwatch.domain.similarity import BlockStatus, JobStatus, TaskKind, TaskName, standing_warning
from answerwatch.domain.work import SIMILARITY, Ending, NewTask, Settled
from answerwatch.similarity.axes import Axes
from answerwatch.similarity.scorer import CHANGED
from answerwatch.similarity.scores import PAIR_PRECISION, VECTOR_PRECISION, unpacked
from answerwatch.stages.score.records import Output
from answerwatch.stages.score.shelf import Shelf, axes_of
from answerwatch.stages.score.storing import lane_of, move_on
from answerwatch.store.database import Write
from answerwatch.store.similarity import blocks, jobs, texts, units
from answerwatch.store.similarity.jobs import Job, Progress
from answerwatch.store.similarity.texts import LineError
from answerwatch.store.work import ledger
from answerwatch.store.work.ledger import GroupSpec


def record(tx: Write, settled: Sequence[Settled[Output]], shelf: Shelf, now: datetime) -> None:
    """Count retries, and end what is not tried again."""
    by_job: dict[str, Progress] = defaultdict(Progress)
    changed: set[str] = set()
    for one in settled:
        name = TaskName.of(one.outcome.claim.task_id)
        if one.ending is Ending.RETRY:
            _mark(tx, name, BlockStatus.PENDING, one.outcome.claim.failures + 1)
        elif one.outcome.failure.error_type == CHANGED:
            changed.add(name.job_id)
        else:
            _end(tx, name, one, by_job[name.job_id])
    for job_id in sorted(changed):
        _stop(tx, job_id, now)
    move_on(tx, by_job, shelf, now)


def _mark(tx: Write, name: TaskName, status: BlockStatus, retries: int) -> None:
    if name.kind is TaskKind.UNIT:
        units.mark(tx, name.job_id, name.at[0], status)
    elif name.kind is TaskKind.RERANK:
        blocks.mark_rerank(tx, name.job_id, name.at[0], status, retries=retries)
    else:
        blocks.mark(tx, name.job_id, (name.at[0], name.at[1]), status, retries=retries)


def _end(tx: Write, name: TaskName, settled: Settled[Output], progress: Progress) -> None:
    """Count a dead task as at its end: what it would have scored has no score."""
    claim, failure = settled.outcome.claim, settled.outcome.failure
    _mark(tx, name, BlockStatus.FAILED, claim.failures)
    job = jobs.get(tx, name.job_id)
    if job is None:
        return
    if name.kind is TaskKind.UNIT:
        unit = units.get(tx, name.job_id, name.at[0])
        found = texts.span(tx, name.job_id, name.at[0], unit.texts) if unit is not None else []
        errors = (LineError(side=one.side, line=one.line, reason="failed", message=failure.message) for one in found)
        texts.add_errors(tx, name.job_id, errors)
        progress.units += 1
        progress.encode_done += 0 if unit is None else unit.chars
        return
    axes = axes_of(tx, job)
    if name.kind is TaskKind.RERANK:
        rerank = blocks.get_rerank(tx, name.job_id, name.at[0])
        pairs = 0 if rerank is None else axes.row_pairs(rerank.row_start, rerank.row_start + rerank.rows)
        progress.reranks += 1
    else:
        block = blocks.get(tx, name.job_id, (name.at[0], name.at[1]))
        pairs = 0 if block is None else axes.cells(block.place).total()
        progress.blocks += 1
    progress.processed += pairs
    progress.failed += pairs


def _stop(tx: Write, job_id: str, now: datetime) -> None:
    """End a job whose scorer is another one now: what it has stays, the rest is not scored by a stranger."""
    outstanding = ledger.outstanding(tx, SIMILARITY, job_id)
    ledger.remove(tx, outstanding)
    job = jobs.get(tx, job_id)
    if job is not None and not job.status.is_final:
        jobs.change(tx, job_id, warning=CHANGED, failed=job.failed + job.total - job.processed, processed=job.total)
        jobs.finish(tx, job_id, JobStatus.PARTIAL, now)


def revive(tx: Write, task_ids: Sequence[str], now: datetime) -> list[tuple[GroupSpec, NewTask]]:
    """Make dead work pending again and return what must be put on the ledger.

    A text or unit that is encoded again changes rows and columns everywhere, so all blocks of its job are scored anew
    from the vectors that are kept; a block or pair is scored again alone.
    """
    names = {TaskName.of(id_) for id_ in task_ids}
    found: list[tuple[GroupSpec, NewTask]] = []
    for job_id in sorted({name.job_id for name in names}):
        job = jobs.get(tx, job_id)
        if job is None or job.status is JobStatus.CANCELLED:
            continue
        mine = {name for name in names if name.job_id == job_id}
        again = _revive_units(tx, job, mine) or _revive_blocks(tx, job, mine)
        order = to_micros(job.created_at)
        spec = GroupSpec(queue=SIMILARITY, group_id=job_id, priority=job.priority, order=order)
        if again:
            warning = standing_warning(job.scorer_id, job.finder_id)
            jobs.change(tx, job_id, status=JobStatus.RUNNING, started_at=now, finished_at=None, warning=warning)
        for name in sorted(again, key=lambda one: one.at):
            encodes = name.kind is TaskKind.UNIT
            lane = lane_of(job.encoder_name if encodes else job.scorer_name)
            found.append((spec, NewTask(task_id=str(name), lane=lane)))
    return found


def _revive_units(tx: Write, job: Job, names: set[TaskName]) -> set[TaskName]:
    """Let texts be encoded again; all scores of the job are made anew after that."""
    wanted = {name.at[0] for name in names if name.kind in (TaskKind.UNIT, TaskKind.TEXT)}
    if not wanted:
        return set()
    covering = units.covering(tx, job.job_id)
    firsts = {first for first, count in covering if any(first <= number < first + count for number in wanted)}
    chars = 0
    for first in sorted(firsts):
        units.mark(tx, job.job_id, first, BlockStatus.PENDING)
        unit = units.get(tx, job.job_id, first)
        chars += 0 if unit is None else unit.chars
    blocks.wait_again(tx, job.job_id)
    jobs.change(
        tx,
        job.job_id,
        **_FROM_THE_START,
        units_left=len(firsts),
        encode_done=job.encode_done - chars,
        encode_cached=max(0, job.encode_cached - chars),
        work_s=job.encode_s,
    )
    return {TaskName(job.job_id, TaskKind.UNIT, (first,)) for first in firsts}


_FROM_THE_START: dict[str, object] = {
    "blocks_left": 0, "reranks_left": 0, "processed": 0, "failed": 0, "asked_pairs": 0, "cached_pairs": 0, "judge_s": 0,
}  # fmt: skip


def _revive_blocks(tx: Write, job: Job, names: set[TaskName]) -> set[TaskName]:
    """Let blocks be scored again, and take what they counted off the job."""
    axes = axes_of(tx, job)
    again = set()
    back = Progress()
    for name in names:
        block = _rerank_of(tx, job, name, axes, back) if _is_rerank(job, name) else _block_of(tx, job, name, axes, back)
        if block is not None:
            again.add(block)
    jobs.advance(tx, job.job_id, back)
    return again


def _is_rerank(job: Job, name: TaskName) -> bool:
    return name.kind is TaskKind.RERANK or (name.kind is TaskKind.PAIR and job.finder_id is not None)


def _rerank_of(tx: Write, job: Job, name: TaskName, axes: Axes, back: Progress) -> TaskName | None:
    row = name.at[0]
    rerank = next(iter(blocks.reranks_of_rows(tx, job.job_id, row, row + 1)), None)
    if rerank is None:
        return None
    pairs = axes.row_pairs(rerank.row_start, rerank.row_start + rerank.rows)
    back.processed -= pairs
    back.failed -= pairs if rerank.scores is None else _missing_candidates(axes, rerank)
    back.reranks -= 1
    blocks.mark_rerank(tx, job.job_id, rerank.row_start, BlockStatus.PENDING, retries=0)
    return TaskName(job.job_id, TaskKind.RERANK, (rerank.row_start,))


def _missing_candidates(axes: Axes, rerank: blocks.Rerank) -> int:
    """Return for how many pairs of lines candidates have no score."""
    scores = unpacked(rerank.scores or b"", rerank.width, PAIR_PRECISION)
    places = np.frombuffer(rerank.places or b"", dtype="<i4").reshape(-1, rerank.width)
    counts = axes.left_counts[rerank.row_start : rerank.row_start + rerank.rows, None]
    counts = counts * axes.right_counts[np.maximum(places, 0)]
    return int(counts[np.isnan(scores) & (places >= 0)].sum())


def _block_of(tx: Write, job: Job, name: TaskName, axes: Axes, back: Progress) -> TaskName | None:
    row, column = name.at
    of_row = blocks.of_rows(tx, job.job_id, row, row + 1)
    block = next((one for one in of_row if one.place.col_start <= column < one.place.col_start + one.place.cols), None)
    if block is None:
        return None
    cells = axes.cells(block.place)
    back.processed -= cells.total()
    if block.scores is None:
        back.failed -= cells.total()
    else:
        precision = PAIR_PRECISION if job.way.value == "each_pair" else VECTOR_PRECISION
        scores = unpacked(block.scores, block.place.cols, precision)
        back.failed -= int(cells.counts()[np.isnan(scores)].sum())
    back.blocks -= 1
    at = (block.place.row_start, block.place.col_start)
    blocks.mark(tx, job.job_id, at, BlockStatus.PENDING, retries=0)
    return TaskName(job.job_id, TaskKind.BLOCK, at)
