"""Looking at scores: the best of each line, pairs above a threshold, one pair, how scores are distributed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product as product_of

import numpy as np
import numpy.typing as npt

from answerwatch.domain.similarity import BLOCK_COLS, BlockStatus, Shape, Side, Way, pair_id
from answerwatch.errors import UsageError
from answerwatch.similarity.axes import Axes
from answerwatch.similarity.products import best, merged
from answerwatch.similarity.scorer import Floats
from answerwatch.similarity.scores import BINS, lower_edge, quantiles
from answerwatch.similarity.texts import NO_TEXT, Numbers
from answerwatch.stages.score.shelf import axes_of
from answerwatch.store.database import Read
from answerwatch.store.similarity import blocks, texts
from answerwatch.store.similarity.blocks import Block
from answerwatch.store.similarity.jobs import Job
from answerwatch.store.similarity.texts import Text
from answerwatch.workspace.similarity.cells import PAIR, VECTOR, Cells, Holders, Lines, cells_of, every, triples
from answerwatch.workspace.similarity.views import Histogram, Hit, PairView

LINES_KEPT = 2 * BLOCK_COLS
"""Texts whose lines are kept at hand: those of a block."""


def above(read: Read, job: Job, least: float) -> Iterator[Hit]:
    """Yield every pair of lines with a score of at least so much, block after block."""
    axes, lines_of = axes_of(read, job), _line_pairs(job, Lines.of(read, job))
    for block, cells in every(read, job):
        wanted = cells.scores >= least
        known = _texts(read, job, axes, block, wanted)
        for left, right, score, is_judged in _chosen(axes, block, cells, wanted):
            both, source = (known[left].text, known[right].text), PAIR if is_judged else VECTOR
            for lines in lines_of(left, right):
                yield _hit(job, lines, both, score, source)


def _chosen(
    axes: Axes, block: Block, cells: Cells, wanted: npt.NDArray[np.bool_]
) -> Iterator[tuple[int, int, float, bool]]:
    """Yield both texts, score and whether it is a pair scorer's of the cells that are wanted, row after row."""
    for row in np.nonzero(wanted.any(axis=1))[0].tolist():
        columns = np.nonzero(wanted[row])[0]
        lefts, rights = _numbers_of(axes, block, row, columns)
        scores, judged = cells.scores[row, columns].tolist(), cells.judged[row, columns].tolist()
        yield from zip(lefts, rights, scores, judged, strict=True)


def _texts(read: Read, job: Job, axes: Axes, block: Block, wanted: npt.NDArray[np.bool_]) -> dict[int, Text]:
    """Return the texts of the cells that are wanted."""
    rows, columns = (np.nonzero(wanted.any(axis=axis))[0] for axis in (1, 0))
    left = axes.left[block.place.row_start + rows]
    right = axes.right[block.place.row_start + rows if job.shape is Shape.PAIRS else block.place.col_start + columns]
    return texts.some(read, job.job_id, np.union1d(left, right).tolist())


def _numbers_of(axes: Axes, block: Block, row: int, columns: npt.NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Return the texts of some cells of a row."""
    at = block.place.row_start + row
    right = axes.right[[at] if axes.shape is Shape.PAIRS else block.place.col_start + columns]
    return [int(axes.left[at])] * len(columns), right.tolist()


def _hit(job: Job, lines: tuple[int, int], both: tuple[str, str], score: float, source: str) -> Hit:
    """Return a hit of two lines with their texts; of one list the earlier line is the left one."""
    if job.shape is Shape.TRIANGLE and lines[0] > lines[1]:
        lines, both = lines[::-1], both[::-1]
    return Hit(
        left_line=lines[0], right_line=lines[1], score=round(score, 6), source=source, left=both[0], right=both[1],
        scorer_id=job.encoder_id if source == VECTOR else job.scorer_id,
    )  # fmt: skip


def _line_pairs(job: Job, lines: Lines) -> Callable[[int, int], Iterable[tuple[int, int]]]:
    """Return what gives the pairs of lines that a pair of texts stands for."""
    if job.shape is Shape.PAIRS:
        pairs = Holders.of_pairs(lines)
        return lambda left, right: ((line, line) for line in pairs.lines(left, right).tolist())
    left_lines = lru_cache(LINES_KEPT)(Holders.of_texts(lines.left).lines)
    right_lines = lru_cache(LINES_KEPT)(Holders.of_texts(lines.right).lines)

    def found(left: int, right: int) -> Iterator[tuple[int, int]]:
        others = right_lines(right)
        for one in left_lines(left).tolist():
            later = others[others > one] if job.shape is Shape.TRIANGLE and left == right else others
            for other in later.tolist():
                yield one, other

    return found


def top(read: Read, job: Job, most: int) -> Iterator[Hit]:
    """Yield the best of each line of the left list, the largest first; equal texts of the right list are told once.

    Of one list every line is compared with all others. Raises UsageError for a job of pairs, where there is no choice.
    """
    if job.shape is Shape.PAIRS:
        raise UsageError("similarity_top_pairs", "A job of pairs has one pair a line; use a threshold (--min-score).")
    axes, lines = axes_of(read, job), Lines.of(read, job)
    kept = _reranked(read, job, most) if job.way is Way.RERANK else _best_of_rows(read, job, axes, most)
    right, left = Holders.of_texts(lines.right), Holders.of_texts(lines.left)
    source = VECTOR if job.way is Way.VECTORS else PAIR
    for row, number in enumerate(axes.left.tolist()):
        found = [(int(axes.right[place]), score) for place, score in kept(row)]
        known = texts.some(read, job.job_id, [number, *(text for text, _ in found)])
        firsts = {text: right.lines(text)[:2].tolist() for text, _ in found}
        for line, (text, score) in product_of(left.lines(number).tolist(), found):
            other = next((one for one in firsts[text] if job.shape is Shape.MATRIX or one != line), None)
            if other is not None:
                yield Hit(
                    left_line=line, right_line=other, score=round(score, 6), source=source, left=known[number].text,
                    right=known[text].text, scorer_id=job.encoder_id if source == VECTOR else job.scorer_id,
                )  # fmt: skip


Best = Callable[[int], list[tuple[int, float]]]
"""Gives places on the right axis and scores of the best of a row, the largest first."""


def _best_of_rows(read: Read, job: Job, axes: Axes, most: int) -> Best:
    """Return what gives the best of each row, after one pass over all blocks."""
    places = np.full((len(axes.left), most), -1, dtype=np.int32)
    scores = np.full((len(axes.left), most), np.nan, dtype=np.float32)
    for block, cells in every(read, job):
        place = block.place
        rows = slice(place.row_start, place.row_start + place.rows)
        places[rows], scores[rows] = _with(places[rows], scores[rows], cells.scores, place.col_start, most)
        if job.shape is Shape.TRIANGLE:
            columns = slice(place.col_start, place.col_start + place.cols)
            turned = cells.scores.T.copy()
            if place.row_start == place.col_start:
                turned[np.arange(place.rows), np.arange(place.rows)] = np.nan  # counted with the rows already
            places[columns], scores[columns] = _with(places[columns], scores[columns], turned, place.row_start, most)
    return lambda row: [
        (place, score) for place, score in zip(places[row].tolist(), scores[row].tolist(), strict=True) if place >= 0
    ]


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


def _reranked(read: Read, job: Job, most: int) -> Best:
    """Return what gives the best candidates of a row; of one list also the rows whose candidate it is."""
    found = [triples(job, one) for one in blocks.reranks_of_rows(read, job.job_id, 0, job.left_texts)]
    rows, columns, scores = (np.concatenate(parts) for parts in zip(*found, strict=True)) if found else _NOTHING
    if job.shape is Shape.TRIANGLE:
        apart = rows != columns
        rows, columns = np.concatenate((rows, columns[apart])), np.concatenate((columns, rows[apart]))
        scores = np.concatenate((scores, scores[apart]))
    known = ~np.isnan(scores)
    rows, columns, scores = rows[known], columns[known], scores[known]
    order = np.lexsort((columns, -scores, rows))
    rows, columns, scores = rows[order], columns[order], scores[order]

    def of_row(row: int) -> list[tuple[int, float]]:
        first, stop = np.searchsorted(rows, [row, row + 1])
        here = slice(first, min(stop, first + most))
        return list(zip(columns[here].tolist(), scores[here].tolist(), strict=True))

    return of_row


_NOTHING = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))


def pair(read: Read, job: Job, left_line: int, right_line: int) -> PairView:
    """Return one pair of lines with its score, or why it has none; raises UsageError for lines that are not there."""
    axes, lines = axes_of(read, job), Lines.of(read, job)
    left, right = _text_of(lines.left, left_line, Side.LEFT), _text_of(lines.right, right_line, Side.RIGHT)
    if job.shape is Shape.TRIANGLE and left_line == right_line:
        raise UsageError("similarity_self", "A line is not compared with itself; name two lines.")
    view = PairView(
        pair_id=pair_id(job.job_id, left_line, right_line), status=BlockStatus.FAILED, score=None, reason=None,
        source=None, vector_score=None, left="", right="", scorer_id=job.scorer_id, process_time=None,
    )  # fmt: skip
    if NO_TEXT in (left, right):
        return replace(view, reason="no_text")
    known = texts.some(read, job.job_id, [left, right])
    view = replace(view, left=known[left].text, right=known[right].text)
    if job.shape is Shape.TRIANGLE and left > right:
        left, right = right, left
    row, column = _place(axes, (left, right))
    of_row = blocks.of_rows(read, job.job_id, row, row + 1)
    block = next((one for one in of_row if 0 <= column - one.place.col_start < one.place.cols), None)
    if block is None:
        return replace(view, status=BlockStatus.PENDING)
    return _scored(read, job, block, (row - block.place.row_start, column - block.place.col_start), view)


def _text_of(numbers: Numbers, line: int, side: Side) -> int:
    if not 1 <= line <= len(numbers):
        text = f"The {side} list has {len(numbers)} lines; there is no line {line}."
        raise UsageError("similarity_line", text, side=side, line=line, lines=len(numbers))
    return int(numbers[line - 1])


def _scored(read: Read, job: Job, block: Block, at: tuple[int, int], view: PairView) -> PairView:
    """Return the view of a pair with what its block says; `at` is its place in the block."""
    cells = cells_of(read, job, block)
    if cells is None:
        return replace(view, status=block.status, reason="failed" if block.status is BlockStatus.FAILED else None)
    source, before = cells.source(*at), _number(cells, at)
    view = replace(view, vector_score=before if job.way is Way.RERANK and source == PAIR else None)
    score = float(cells.scores[at])
    if np.isnan(score):
        return replace(view, status=BlockStatus.FAILED, reason="refused")
    scorer_id = job.encoder_id if source == VECTOR else job.scorer_id
    return replace(view, status=BlockStatus.SUCCESS, score=round(score, 6), source=source, scorer_id=scorer_id)


def _number(cells: Cells, at: tuple[int, int]) -> float | None:
    found = float(cells.vectors[at])
    return None if np.isnan(found) else round(found, 6)


def _place(axes: Axes, both: tuple[int, int]) -> tuple[int, int]:
    if axes.shape is Shape.PAIRS:
        return int(np.nonzero((axes.left == both[0]) & (axes.right == both[1]))[0][0]), 0
    return int(np.searchsorted(axes.left, both[0])), int(np.searchsorted(axes.right, both[1]))


def histogram(read: Read, job: Job) -> Histogram:
    """Return how many pairs of lines have which score so far; of candidates it is the finder's."""
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
