"""What a claim needs is read before it runs: texts and what is remembered of them, or vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b

import numpy as np

from answerwatch.clock import Clock
from answerwatch.domain.similarity import Place, Shape, TaskKind, TaskName, Way, memory_of
from answerwatch.domain.work import Claim
from answerwatch.errors import WorkError
from answerwatch.similarity.axes import Axes
from answerwatch.similarity.products import best, merged
from answerwatch.similarity.scorer import Floats, Role
from answerwatch.similarity.scores import VECTOR_PRECISION, unpacked
from answerwatch.similarity.texts import Numbers
from answerwatch.stages.score.records import Encode, Item, Layout, PairHash, Pairs, Product
from answerwatch.stages.score.shelf import Shelf
from answerwatch.store.database import Read
from answerwatch.store.similarity import blocks, jobs, memory, texts, units
from answerwatch.store.similarity.jobs import Job
from answerwatch.store.similarity.texts import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """How long what was computed is used again."""

    hours: float | None
    """None: for ever."""

    def since(self, now: datetime) -> datetime | None:
        """Return the oldest moment that counts."""
        return None if self.hours is None else now - timedelta(hours=self.hours)


class Loader:
    """Makes items of claims."""

    def __init__(self, clock: Clock, window: Window, shelf: Shelf) -> None:
        """Keep what all loads share."""
        self._clock = clock
        self._window = window
        self._shelf = shelf

    def load(self, tx: Read, claims: Sequence[Claim]) -> list[Item]:
        """Return an item for every claim; raises WorkError for one whose job or block is gone."""
        names = {claim.task_id: TaskName.of(claim.task_id) for claim in claims}
        known = jobs.several(tx, sorted({name.job_id for name in names.values()}))
        return [self._item(tx, claim, names[claim.task_id], known) for claim in claims]

    def _item(self, tx: Read, claim: Claim, name: TaskName, known: dict[str, Job]) -> Item:
        job = known.get(name.job_id)
        if job is None:
            raise _gone(name)
        if name.kind is TaskKind.UNIT:
            return self._encode(tx, claim, name, job)
        if name.kind is TaskKind.RERANK:
            return self._rerank(tx, claim, name, job)
        return self._block(tx, claim, name, job)

    def _encode(self, tx: Read, claim: Claim, name: TaskName, job: Job) -> Encode:
        unit = units.get(tx, job.job_id, name.at[0])
        if unit is None:
            raise _gone(name)
        found = texts.span(tx, job.job_id, unit.first, unit.texts)
        hashes = sorted({one.text_hash for one in found})
        known = memory.vectors(tx, job.encoder_id, unit.role, hashes, self._window.since(self._clock.now()))
        return Encode(claim=claim, name=name, job=job, role=Role(unit.role), texts=found, known=known)

    def _block(self, tx: Read, claim: Claim, name: TaskName, job: Job) -> Item:
        block = blocks.get(tx, job.job_id, (name.at[0], name.at[1]))
        if block is None:
            raise _gone(name)
        axes = self._shelf.ground(tx, job).axes
        rows, columns = _numbers_of(axes, block.place)
        if job.way is Way.EACH_PAIR:
            return self._pairs(tx, claim, name, job, _of_block(axes, block.place))
        return Product(
            claim=claim,
            name=name,
            job=job,
            left=self._shelf.vectors(tx, job, rows),
            right=self._shelf.vectors(tx, job, columns),
            cells=axes.cells(block.place),
            by_pairs=job.shape is Shape.PAIRS,
            same=rows == columns if job.shape is Shape.PAIRS else np.equal.outer(rows, columns),
        )

    def _rerank(self, tx: Read, claim: Claim, name: TaskName, job: Job) -> Pairs:
        rerank = blocks.get_rerank(tx, job.job_id, name.at[0])
        if rerank is None:
            raise _gone(name)
        axes = self._shelf.ground(tx, job).axes
        places = _candidates(tx, job, rerank.row_start, rerank.rows, rerank.width)
        return self._pairs(tx, claim, name, job, _of_candidates(axes, rerank.row_start, places))

    def _pairs(self, tx: Read, claim: Claim, name: TaskName, job: Job, wanted: _Wanted) -> Pairs:
        """Return the distinct pairs of a block, with those scores that are remembered."""
        found = texts.some(tx, job.job_id, np.unique(wanted.pairs).tolist())
        pairs = [(found[left], found[right]) for left, right in wanted.pairs.tolist()]
        hashes = [pair_hash(left, right) for left, right in pairs]
        wanted_hashes = sorted({name for both in hashes for name in both})
        remembered = memory_of(job.scorer_id, job.job_id)
        known = memory.scores(tx, remembered, wanted_hashes, self._window.since(self._clock.now()))
        return Pairs(claim=claim, name=name, job=job, pairs=pairs, hashes=hashes, known=known, layout=wanted.layout)


def pair_hash(left: Text, right: Text) -> PairHash:
    """Return the hashes of a pair."""
    ordered, turned = (
        blake2b(f"{one}{other}".encode(), digest_size=16).hexdigest()
        for one, other in ((left.text_hash, right.text_hash), (right.text_hash, left.text_hash))
    )
    return PairHash(ordered, min(ordered, turned))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """Distinct pairs of a block, (pairs, 2), and where their scores go."""

    pairs: Numbers
    layout: Layout


def _numbers_of(axes: Axes, place: Place) -> tuple[Numbers, Numbers]:
    """Return the texts of rows and columns of a block; of pairs both texts of each."""
    rows = axes.left[place.row_start : place.row_start + place.rows]
    if axes.shape is Shape.PAIRS:
        return rows, axes.right[place.row_start : place.row_start + place.rows]
    return rows, axes.right[place.col_start : place.col_start + place.cols]


def _of_block(axes: Axes, place: Place) -> _Wanted:
    """Return the pairs of a block, those that stand for pairs of lines."""
    rows, columns = _numbers_of(axes, place)
    cells = axes.cells(place)
    counts = cells.counts()
    wanted = counts > 0
    numbers = np.where(wanted, np.cumsum(wanted).reshape(wanted.shape) - 1, -1).astype(np.int32)
    if axes.shape is Shape.PAIRS:
        pairs = np.stack((rows, columns), axis=1)
    else:
        at = np.nonzero(wanted)
        pairs = np.stack((rows[at[0]], columns[at[1]]), axis=1)
    start = (place.row_start, place.col_start)
    return _Wanted(pairs=pairs, layout=Layout(numbers=numbers, counts=counts, processed=cells.total(), start=start))


def _of_candidates(axes: Axes, row_start: int, places: Numbers) -> _Wanted:
    """Return the pairs of some rows with their candidates."""
    rows = axes.left[row_start : row_start + len(places)]
    there = places >= 0
    numbers = np.where(there, np.cumsum(there).reshape(there.shape) - 1, -1).astype(np.int32)
    at = np.nonzero(there)
    counts = axes.left_counts[row_start : row_start + len(places), None] * axes.right_counts[np.maximum(places, 0)]
    if axes.shape is Shape.TRIANGLE:
        # A text with itself: the pairs of different lines that hold it.
        itself = places == np.arange(row_start, row_start + len(places))[:, None]
        lines = axes.left_counts[row_start : row_start + len(places), None]
        counts = np.where(itself, lines * (lines - 1) // 2, counts)
    layout = Layout(
        numbers=numbers,
        counts=np.where(there, counts, 0),
        processed=axes.row_pairs(row_start, row_start + len(places)),
        start=(row_start, 0),
        places=places,
    )
    return _Wanted(pairs=np.stack((rows[at[0]], axes.right[places[at]]), axis=1), layout=layout)


def _candidates(tx: Read, job: Job, start: int, rows: int, width: int) -> Numbers:
    """Return the places of the best columns of some rows by their vectors, -1 where there are fewer."""
    found: tuple[Numbers, Floats] = (
        np.full((rows, width), -1, dtype=np.int32),
        np.full((rows, width), np.nan, dtype=np.float32),
    )
    for block in blocks.of_rows(tx, job.job_id, start, start + rows):
        if block.scores is None:
            continue
        place = block.place
        here = slice(start - place.row_start, start + rows - place.row_start)
        places, scores = best(unpacked(block.scores, place.cols, VECTOR_PRECISION)[here], width)
        found = merged(found, (np.where(places < 0, -1, places + place.col_start).astype(np.int32), scores), width)
    return found[0]


def _gone(name: TaskName) -> WorkError:
    return WorkError("similarity_gone", f"{name} is gone: its job was removed.", task=str(name))
