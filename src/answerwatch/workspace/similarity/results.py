"""Looking at scores: the best of each line, pairs above a threshold, one pair, how scores are distributed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product as product_of

import numpy as np

from answerwatch.domain.similarity import BlockStatus, Shape, Side, Way, pair_id
from answerwatch.errors import ServiceError, UsageError
from answerwatch.similarity.axes import Axes
from answerwatch.similarity.products import best, merged
from answerwatch.similarity.scorer import Floats
from answerwatch.similarity.scores import (
    BINS,
    PAIR_PRECISION,
    VECTOR_PRECISION,
    DamagedScores,
    checksum,
    lower_edge,
    quantiles,
    unpacked,
)
from answerwatch.similarity.texts import NO_TEXT, Numbers
from answerwatch.stages.score.shelf import axes_of
from answerwatch.store.database import Read
from answerwatch.store.similarity import blocks, texts
from answerwatch.store.similarity.blocks import Block
from answerwatch.store.similarity.jobs import Job
from answerwatch.workspace.similarity.views import Histogram, Hit, PairView

VECTOR, PAIR = "vector", "pair"
"""Which scorer a score is from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Which text each line of a job holds, and the other way round."""

    left: Numbers
    right: Numbers

    @classmethod
    def of(cls, read: Read, job: Job) -> Lines:
        """Read them."""
        if job.shape is Shape.PAIRS:
            both = _numbers(texts.lines_of(read, job.job_id, "pairs")).reshape(-1, 2)
            return cls(left=both[:, 0], right=both[:, 1])
        left = _numbers(texts.lines_of(read, job.job_id, Side.LEFT))
        right = left if job.shape is Shape.TRIANGLE else _numbers(texts.lines_of(read, job.job_id, Side.RIGHT))
        return cls(left=left, right=right)

    def of_pair(self, both: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the lines of a file of pairs that hold these two texts."""
        for line in np.nonzero((self.left == both[0]) & (self.right == both[1]))[0]:
            yield int(line) + 1, int(line) + 1


def _numbers(data: bytes) -> Numbers:
    return np.frombuffer(data, dtype="<i4").astype(np.int32)


def scores_of(job: Job, block: Block) -> Floats | None:
    """Return the scores of a block, None where it has none yet; raises ServiceError where they are damaged."""
    if block.scores is None:
        return None
    precision = PAIR_PRECISION if job.way is Way.EACH_PAIR else VECTOR_PRECISION
    place = block.place
    if checksum(block.scores) == block.checksum:
        with suppress(DamagedScores):
            return unpacked(block.scores, place.cols, precision)
    at = f"row {place.row_start}, column {place.col_start}"
    text = f"Scores of job {job.job_id} at {at} are damaged; hand the job in again."
    raise ServiceError("similarity_damaged", text, job=job.job_id, row=place.row_start, column=place.col_start)


def above(read: Read, job: Job, least: float) -> Iterator[Hit]:
    """Yield every pair of lines with a score of at least so much, block after block."""
    axes, lines, by_line = axes_of(read, job), Lines.of(read, job), job.shape is Shape.PAIRS
    right_lines = _lines_by_text(lines.right)
    left_lines = right_lines if lines.left is lines.right else _lines_by_text(lines.left)
    for block in blocks.every(read, job.job_id):
        scores = scores_of(job, block)
        if scores is None:
            continue
        place = block.place
        found = np.nonzero(scores >= least)
        wanted = [
            (int(axes.left[place.row_start + row]), _right_text(axes, place.row_start + row, place.col_start + column))
            for row, column in zip(*found, strict=True)
        ]
        known = texts.some(read, job.job_id, sorted({number for pair in wanted for number in pair}))
        source = PAIR if job.way is Way.EACH_PAIR else VECTOR
        for (row, column), (left, right) in zip(zip(*found, strict=True), wanted, strict=True):
            at = (left, right)
            of_pair = lines.of_pair(at) if by_line else _line_pairs(job, at, left_lines[left], right_lines[right])
            for left_line, right_line in of_pair:
                yield Hit(
                    left_line=left_line,
                    right_line=right_line,
                    score=round(float(scores[row, column]), 6),
                    source=source,
                    left=known[left].text,
                    right=known[right].text,
                    scorer_id=_id_of(job, source),
                )


def _id_of(job: Job, source: str) -> str:
    return job.encoder_id if source == VECTOR else job.scorer_id


def _right_text(axes: Axes, row: int, column: int) -> int:
    return int(axes.right[row if axes.shape is Shape.PAIRS else column])


def _lines_by_text(numbers: Numbers) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for line, number in enumerate(numbers.tolist(), start=1):
        if number != NO_TEXT:
            found.setdefault(number, []).append(line)
    return found


def _line_pairs(job: Job, both: tuple[int, int], left: list[int], right: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of lines that a pair of texts stands for."""
    for one in left:
        for other in right:
            if job.shape is Shape.MATRIX or both[0] != both[1] or one < other:
                yield one, other


def top(read: Read, job: Job, most: int) -> Iterator[Hit]:
    """Yield the best of each line of the left list, the largest first; equal texts of the right list are told once.

    Of one list every line is compared with all others. Raises UsageError for a job of pairs, where there is no choice.
    """
    if job.shape is Shape.PAIRS:
        raise UsageError("similarity_top_pairs", "A job of pairs has one pair a line; use a threshold (--min-score).")
    axes, lines = axes_of(read, job), Lines.of(read, job)
    kept = _best_of_rows(read, job, axes, most)
    right_lines, left_lines = _lines_by_text(lines.right), _lines_by_text(lines.left)
    for row, number in enumerate(axes.left.tolist()):
        places, scores, sources = kept(row)
        rights = [int(axes.right[place]) for place in places if place >= 0]
        known = texts.some(read, job.job_id, [number, *rights])
        found = list(zip(rights, scores, sources, strict=False))
        for line, (right, score, source) in product_of(left_lines[number], found):
            other = _other_line(job, line, right_lines[right])
            if other is not None:
                yield Hit(
                    left_line=line, right_line=other, score=round(float(score), 6), source=source,
                    left=known[number].text, right=known[right].text, scorer_id=_id_of(job, source),
                )  # fmt: skip


def _other_line(job: Job, line: int, lines: Sequence[int]) -> int | None:
    """Return the first line that holds a text, of one list the first that is another one."""
    return next((other for other in lines if job.shape is Shape.MATRIX or other != line), None)


Best = tuple[list[int], list[float], list[str]]
"""Places on the right axis, scores and their sources, of one row."""


def _best_of_rows(read: Read, job: Job, axes: Axes, most: int) -> Callable[[int], Best]:
    """Return what gives the best of each row, after one pass over all blocks."""
    if job.way is Way.RERANK:
        return lambda row: _reranked(read, job, row, most)
    places = np.full((len(axes.left), most), -1, dtype=np.int32)
    scores = np.full((len(axes.left), most), np.nan, dtype=np.float32)
    for block in blocks.every(read, job.job_id):
        found = scores_of(job, block)
        if found is None:
            continue
        place = block.place
        rows = slice(place.row_start, place.row_start + place.rows)
        places[rows], scores[rows] = _with(places[rows], scores[rows], found, place.col_start, most)
        if job.shape is Shape.TRIANGLE:
            columns = slice(place.col_start, place.col_start + place.cols)
            turned = found.T.copy()
            if place.row_start == place.col_start:
                turned[np.arange(place.rows), np.arange(place.rows)] = np.nan  # counted with the rows already
            places[columns], scores[columns] = _with(places[columns], scores[columns], turned, place.row_start, most)
    source = PAIR if job.way is Way.EACH_PAIR else VECTOR
    return lambda row: (places[row].tolist(), scores[row].tolist(), [source] * most)


def _with(places: Numbers, scores: Floats, found: Floats, start: int, most: int) -> tuple[Numbers, Floats]:
    """Return the best so far with those of a block."""
    new_places, new_scores = best(found, most)
    more = (np.where(new_places < 0, -1, new_places + start).astype(np.int32), new_scores)
    padded = most - more[0].shape[1]
    if padded > 0:
        more = (
            np.pad(more[0], ((0, 0), (0, padded)), constant_values=-1),
            np.pad(more[1], ((0, 0), (0, padded)), constant_values=np.nan),
        )
    return merged((places, scores), more, most)


def _reranked(read: Read, job: Job, row: int, most: int) -> Best:
    """Return the candidates of a row by the pair scorer's scores."""
    rerank = next(iter(blocks.reranks_of_rows(read, job.job_id, row, row + 1)), None)
    if rerank is None or rerank.scores is None or rerank.places is None:
        return [], [], []
    places = _numbers(rerank.places).reshape(-1, rerank.width)[row - rerank.row_start]
    scores = unpacked(rerank.scores, rerank.width, PAIR_PRECISION)[row - rerank.row_start]
    order, values = best(scores[None, :], most)
    kept = [(int(places[place]), float(score)) for place, score in zip(order[0], values[0], strict=True) if place >= 0]
    return [place for place, _ in kept], [score for _, score in kept], [PAIR] * len(kept)


def pair(read: Read, job: Job, left_line: int, right_line: int) -> PairView:
    """Return one pair of lines with its score, or why it has none; raises UsageError for lines that are not there."""
    axes, lines = axes_of(read, job), Lines.of(read, job)
    left, right = _text_of(lines.left, left_line, Side.LEFT), _text_of(lines.right, right_line, Side.RIGHT)
    if job.shape is Shape.TRIANGLE and left_line == right_line:
        raise UsageError("similarity_self", "A line is not compared with itself; name two lines.")
    if job.shape is Shape.TRIANGLE and left > right:
        left, right = right, left
    view = PairView(
        pair_id=pair_id(job.job_id, left_line, right_line), status=BlockStatus.FAILED, score=None, reason=None,
        source=None, vector_score=None, left="", right="", scorer_id=job.scorer_id, process_time=None,
    )  # fmt: skip
    if NO_TEXT in (left, right):
        return replace(view, reason="no_text")
    known = texts.some(read, job.job_id, [left, right])
    view = replace(view, left=known[left].text, right=known[right].text)
    return _scored(read, job, axes, (left, right), view)


def _text_of(numbers: Numbers, line: int, side: Side) -> int:
    if not 1 <= line <= len(numbers):
        text = f"The {side} list has {len(numbers)} lines; there is no line {line}."
        raise UsageError("similarity_line", text, side=side, line=line, lines=len(numbers))
    return int(numbers[line - 1])


def _scored(read: Read, job: Job, axes: Axes, both: tuple[int, int], view: PairView) -> PairView:
    row, column = _place(axes, both)
    candidates = blocks.of_rows(read, job.job_id, row, row + 1)
    block = next((one for one in candidates if 0 <= column - one.place.col_start < one.place.cols), None)
    if block is None:
        return replace(view, status=BlockStatus.PENDING)
    scores = scores_of(job, block)
    if scores is None:
        return replace(view, status=block.status, reason="failed" if block.status is BlockStatus.FAILED else None)
    score = float(scores[row - block.place.row_start, column - block.place.col_start])
    if np.isnan(score):
        return replace(view, status=BlockStatus.FAILED, reason="refused")
    source = PAIR if job.way is Way.EACH_PAIR else VECTOR
    found = replace(view, status=BlockStatus.SUCCESS, score=round(score, 6), source=source)
    if job.way is not Way.RERANK:
        return found
    places, values, _ = _reranked(read, job, row, axes.right.size)
    if column not in places:
        return found
    exact = round(values[places.index(column)], 6)
    return replace(found, score=exact, source=PAIR, vector_score=found.score)


def _place(axes: Axes, both: tuple[int, int]) -> tuple[int, int]:
    if axes.shape is Shape.PAIRS:
        return int(np.nonzero((axes.left == both[0]) & (axes.right == both[1]))[0][0]), 0
    return int(np.searchsorted(axes.left, both[0])), int(np.searchsorted(axes.right, both[1]))


def histogram(read: Read, job: Job) -> Histogram:
    """Return how many pairs of lines have which score so far."""
    counts = np.zeros(BINS, dtype=np.int64)
    for data in blocks.histograms(read, job.job_id):
        counts += np.frombuffer(data, dtype="<i8")
    edges: Sequence[float] = [lower_edge(place) for place in range(BINS)]
    return Histogram(
        edges=tuple(edges),
        counts=tuple(counts.tolist()),
        unscored=job.total - int(counts.sum()),
        quantiles=quantiles(counts),
    )
