"""What was scored is written, its job moves on, and what follows is put on the ledger, all in one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from answerwatch.clock import to_micros
from answerwatch.domain.failures import LONGEST_MESSAGE, Failure, Severity
from answerwatch.domain.similarity import JobStatus, TaskKind, TaskName, Way, memory_of
from answerwatch.domain.work import SIMILARITY, Claim, Done, NewTask
from answerwatch.similarity.planning import BLOCK_PAIRS, blocks_of
from answerwatch.similarity.scorer import Refusal
from answerwatch.stages.score.records import EncodedUnit, Output, ScoredBlock
from answerwatch.stages.score.shelf import Shelf
from answerwatch.store.database import Write
from answerwatch.store.ops import dead_letters
from answerwatch.store.similarity import blocks, jobs, memory, texts, units
from answerwatch.store.similarity.jobs import Job, Progress
from answerwatch.store.similarity.texts import LineError
from answerwatch.store.work import ledger

_LANE = "score/"
CHARS_PER_S, PAIRS_PER_S = "chars_per_s", "pairs_per_s"
"""What is remembered of a scorer: characters that it encodes in a second, pairs that it looks at."""


def lane_of(scorer_name: str) -> str:
    """Return the lane on which a scorer works."""
    return _LANE + scorer_name


def store(tx: Write, done: Sequence[Done[Output]], shelf: Shelf, now: datetime) -> None:
    """Write outputs and move their jobs on, in the order of their ids."""
    by_job: dict[str, Progress] = defaultdict(Progress)
    for one in done:
        progress = by_job[one.value.job.job_id]
        if isinstance(one.value, EncodedUnit):
            _store_unit(tx, one.value, progress, now)
        else:
            _store_block(tx, one.value, progress, now)
        _tell_refused(tx, one.claim, one.value)
    move_on(tx, by_job, shelf, now)


def _store_unit(tx: Write, unit: EncodedUnit, progress: Progress, now: datetime) -> None:
    units.store(tx, unit.job.job_id, unit.name.at[0], unit.vectors, unit.dimensions)
    memory.keep_vectors(tx, unit.job.encoder_id, unit.role, unit.made, now)
    progress.units += 1
    progress.encode_done += unit.chars
    progress.encode_cached += unit.cached_chars
    progress.work_s += unit.seconds
    progress.encode_s += unit.seconds


def _store_block(tx: Write, block: ScoredBlock, progress: Progress, now: datetime) -> None:
    job_id, at = block.job.job_id, block.name.at
    memory.keep_scores(tx, memory_of(block.job.scorer_id, job_id), block.made, now)
    progress.work_s += block.kept.process_time
    progress.judge_s += block.kept.process_time if block.asked else 0.0
    progress.failed += block.failed
    progress.asked_pairs += block.asked
    progress.cached_pairs += block.cached
    if block.name.kind is TaskKind.RERANK:
        blocks.store_rerank(tx, job_id, at[0], block.kept, now)
        progress.reranks += 1
        progress.processed += block.processed
    else:
        blocks.store(tx, job_id, (at[0], at[1]), block.kept, now)
        progress.blocks += 1
        progress.processed += 0 if block.job.way is Way.RERANK else block.processed


def _tell_refused(tx: Write, claim: Claim, value: Output) -> None:
    """Write what the model can never take: a line for people, and a dead letter of that text or pair alone."""
    if isinstance(value, EncodedUnit):
        found = [(TaskName(value.job.job_id, TaskKind.TEXT, (one.text_no,)), one, why) for one, why in value.refused]
        lines = [_line_error(one.side, one.line, why) for _, one, why in found]
        letters = [(claim._replace(task_id=str(name)), _failure(why)) for name, _, why in found]
    else:
        lines = [_line_error("pair", left.line, why) for _, left, _, why in value.refused]
        letters = [
            (claim._replace(task_id=str(TaskName(value.job.job_id, TaskKind.PAIR, where))), _failure(why))
            for where, _, _, why in value.refused
        ]
    texts.add_errors(tx, value.job.job_id, lines)
    dead_letters.write(tx, letters)


def _line_error(side: str, line: int, why: Refusal) -> LineError:
    return LineError(side=side, line=line, reason=why.reason, message=str(why.message))


def _failure(why: Refusal) -> Failure:
    return Failure(error_type=why.reason, severity=Severity.PERMANENT, message=str(why.message)[:LONGEST_MESSAGE])


def move_on(tx: Write, by_job: dict[str, Progress], shelf: Shelf, now: datetime) -> None:
    """Count what came to its end, begin what waited for it, and end jobs of which nothing is left."""
    for job_id in sorted(by_job):
        progress = by_job[job_id]
        job = jobs.advance(tx, job_id, progress)
        if job.status.is_final:
            continue
        if progress.units and not job.units_left:
            begin_blocks(tx, job, shelf)
        elif progress.blocks and not job.blocks_left and job.way is Way.RERANK:
            begin_reranks(tx, job, shelf)
        elif not (job.units_left or job.blocks_left or job.reranks_left):
            finish(tx, job, now)


def finish(tx: Write, job: Job, now: datetime) -> None:
    """End a job; vectors of one that is not whole are kept, so that it can be mended without encoding all again."""
    jobs.finish(tx, job.job_id, JobStatus.PARTIAL if job.failed else JobStatus.COMPLETED, now)
    _learn_speed(tx, job, now)
    if not job.failed:
        units.drop_vectors(tx, job.job_id)


def _learn_speed(tx: Write, job: Job, now: datetime) -> None:
    """Remember how fast the scorers of a job were, so that the next plan can say how long it takes."""
    chars, pairs = job.encode_done - job.encode_cached, job.asked_pairs - job.cached_pairs
    if chars > 0 and job.encode_s > 0:
        memory.learn(tx, job.encoder_name, {CHARS_PER_S: round(chars / job.encode_s, 1)}, now)
    if pairs > 0 and job.judge_s > 0:
        memory.learn(tx, job.scorer_name, {PAIRS_PER_S: round(pairs / job.judge_s, 3)}, now)


def begin_blocks(tx: Write, job: Job, shelf: Shelf) -> None:
    """Put all blocks of a job on the ledger."""
    places = list(blocks.places(tx, job.job_id))
    if not places:
        places = list(blocks_of(shelf.ground(tx, job).axes, job.way))
        blocks.add(tx, job.job_id, places)
    jobs.change(tx, job.job_id, blocks_left=len(places))
    put(tx, job, (TaskName(job.job_id, TaskKind.BLOCK, (one.row_start, one.col_start)) for one in places))


def begin_reranks(tx: Write, job: Job, shelf: Shelf) -> None:
    """Put the candidates of all rows on the ledger."""
    axes = shelf.ground(tx, job).axes
    width = min(job.top_k or 1, len(axes.right))
    starts = blocks.rerank_starts(tx, job.job_id)
    if not starts:
        starts = blocks.add_reranks(tx, job.job_id, len(axes.left), rows_at_once(width), width)
    jobs.change(tx, job.job_id, reranks_left=len(starts))
    put(tx, job, [TaskName(job.job_id, TaskKind.RERANK, (start,)) for start in starts])


def rows_at_once(width: int) -> int:
    """Return how many rows are reranked together: a power of 2, so that none lies in two blocks of scores."""
    return min(256, 1 << max(0, (BLOCK_PAIRS // width).bit_length() - 1))


def put(tx: Write, job: Job, names: Iterable[TaskName]) -> None:
    """Put tasks of a job on the ledger, in this order."""
    order = to_micros(job.created_at)
    spec = ledger.GroupSpec(queue=SIMILARITY, group_id=job.job_id, priority=job.priority, order=order)
    ledger.open_group(tx, spec)
    ledger.add(tx, SIMILARITY, job.job_id, [_task(job, name, seq) for seq, name in enumerate(names)])


def _task(job: Job, name: TaskName, seq: int) -> NewTask:
    encodes = name.kind is TaskKind.UNIT
    return NewTask(task_id=str(name), lane=lane_of(job.encoder_name if encodes else job.scorer_name), seq=seq)
