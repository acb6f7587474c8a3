"""The cells of a job's blocks as people see them: a score, and which sort of scorer it is from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from answerwatch.domain.similarity import Shape, Side, Way
from answerwatch.errors import ServiceError
from answerwatch.similarity.scorer import Floats
from answerwatch.similarity.scores import PAIR_PRECISION, VECTOR_PRECISION, DamagedScores, checksum, unpacked
from answerwatch.similarity.texts import NO_TEXT, Numbers
from answerwatch.store.database import Read
from answerwatch.store.similarity import blocks, texts
from answerwatch.store.similarity.blocks import Block, Rerank
from answerwatch.store.similarity.jobs import Job

VECTOR, PAIR = "vector", "pair"
"""Which sort of scorer a score is from."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Which text each line of a job holds, -1 for none."""

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


class Holders:
    """Which lines hold a text, or of a file of pairs both texts; found by halving, so that a million cost little."""

    def __init__(self, keys: npt.NDArray[np.int64]) -> None:
        """Take what each line holds; a negative number is held by nobody."""
        self._order = np.argsort(keys, kind="stable")
        self._sorted = keys[self._order]

    @classmethod
    def of_texts(cls, numbers: Numbers) -> Holders:
        """Return the holders of texts."""
        return cls(numbers.astype(np.int64))

    @classmethod
    def of_pairs(cls, lines: Lines) -> Holders:
        """Return the holders of pairs of texts."""
        there = (lines.left != NO_TEXT) & (lines.right != NO_TEXT)
        return cls(np.where(there, _key(lines.left.astype(np.int64), lines.right.astype(np.int64)), -1))

    def lines(self, *texts: int) -> npt.NDArray[np.int64]:
        """Return the lines, from 1 and ascending, that hold a text (a pair of them)."""
        key = np.int64(texts[0]) if len(texts) == 1 else _key(np.int64(texts[0]), np.int64(texts[1]))
        first, stop = np.searchsorted(self._sorted, [key, key + 1])
        return np.asarray(self._order[first:stop] + 1, dtype=np.int64)


Key = TypeVar("Key", np.int64, npt.NDArray[np.int64])


def _key(left: Key, right: Key) -> Key:
    return (left << 32) | right


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """The scores of a block, NaN where there is none."""

    scores: Floats
    vectors: Floats
    """What they were before a pair scorer looked at candidates; elsewhere the same."""
    judged: npt.NDArray[np.bool_]
    """Which are from a pair scorer."""

    def source(self, row: int, column: int) -> str:
        """Return which sort of scorer a score is from."""
        return PAIR if self.judged[row, column] else VECTOR


def cells_of(read: Read, job: Job, block: Block) -> Cells | None:
    """Return the cells of a block, None where it has no scores; raises ServiceError where these are damaged."""
    vectors = _scores(job, block)
    if vectors is None:
        return None
    judged = np.full(vectors.shape, job.way is Way.EACH_PAIR)
    if job.way is not Way.RERANK:
        return Cells(scores=vectors, vectors=vectors, judged=judged)
    scores, place = vectors.copy(), block.place
    for rerank in blocks.reranks_of_rows(read, job.job_id, place.row_start, place.row_start + place.rows):
        row, column, found = triples(job, rerank)
        here = (column >= place.col_start) & (column < place.col_start + place.cols)
        here &= (row >= place.row_start) & (row < place.row_start + place.rows)
        at = row[here] - place.row_start, column[here] - place.col_start
        scores[at], judged[at] = found[here], True
    return Cells(scores=scores, vectors=vectors, judged=judged)


def _scores(job: Job, block: Block) -> Floats | None:
    precision = PAIR_PRECISION if job.way is Way.EACH_PAIR else VECTOR_PRECISION
    place = block.place
    at = place.row_start, place.col_start
    return _undamaged(
        job, at, block.checksum, (block.scores,), lambda: unpacked(block.scores or b"", place.cols, precision)
    )


Triples = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]
"""Row, column and score of each candidate."""


def triples(job: Job, rerank: Rerank) -> Triples:
    """Return the candidates of some rows; a score is NaN where the pair scorer refused the pair."""

    def found() -> Triples:
        places = _numbers(rerank.places or b"").reshape(-1, rerank.width)
        scores = unpacked(rerank.scores or b"", rerank.width, PAIR_PRECISION)
        at = np.nonzero(places >= 0)
        return at[0] + rerank.row_start, places[at].astype(np.int64), scores[at]

    none: Triples = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
    kept = (rerank.places, rerank.scores)
    return _undamaged(job, (rerank.row_start, 0), rerank.checksum, kept, found) or none


def _undamaged(
    job: Job, at: tuple[int, int], expected: str | None, kept: tuple[bytes | None, ...], read: Callable[[], T]
) -> T | None:
    """Return what bytes hold, None where there are none yet."""
    if kept[-1] is None:
        return None
    if checksum(*kept) == expected:
        with suppress(DamagedScores, ValueError):
            return read()
    text = f"Scores of job {job.job_id} at row {at[0]}, column {at[1]} are damaged; hand the job in again."
    raise ServiceError("similarity_damaged", text, job=job.job_id, row=at[0], column=at[1])


def _numbers(data: bytes) -> Numbers:
    return np.frombuffer(data, dtype="<i4").astype(np.int32)


def every(read: Read, job: Job) -> Iterator[tuple[Block, Cells]]:
    """Yield all blocks that have scores, one in memory at a time."""
    for block in blocks.every(read, job.job_id):
        cells = cells_of(read, job, block)
        if cells is not None:
            yield block, cells
