"""Blocks of scores, and candidates that a pair scorer looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, select, update

from answerwatch.domain.similarity import BlockStatus, Place
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.similarity import similarity_block as block
from answerwatch.store.schema.similarity import similarity_rerank as rerank

At = tuple[int, int]
"""First row and first column of a block."""

AT_ONCE = 5_000
"""Rows that are written together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of scores."""

    place: Place
    status: BlockStatus
    scores: bytes | None
    checksum: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerank:
    """Candidates of some rows."""

    row_start: int
    rows: int
    width: int
    status: BlockStatus
    places: bytes | None
    scores: bytes | None
    checksum: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What is kept of a block that was scored."""

    scores: bytes
    checksum: str
    process_time: float
    """Seconds."""
    histogram: bytes | None = None
    places: bytes | None = None
    """Of candidates."""


def add(tx: Write, job_id: str, places: Iterable[Place]) -> int:
    """Write the blocks of a job, all pending, and return how many they are."""
    rows = [
        {"job_id": job_id, "row_start": one.row_start, "col_start": one.col_start, "rows": one.rows, "cols": one.cols}
        | _EMPTY
        for one in places
    ]
    for first in range(0, len(rows), AT_ONCE):
        tx.insert(block, rows[first : first + AT_ONCE])
    return len(rows)


_WAITING: dict[str, object] = {
    "status": BlockStatus.PENDING, "retry_count": 0, "process_time": None, "scores": None, "checksum": None,
    "finished_at": None,
}  # fmt: skip
_EMPTY: dict[str, object] = {**_WAITING, "histogram": None}


def add_reranks(tx: Write, job_id: str, rows: int, at_once: int, width: int) -> list[int]:
    """Write the candidates' blocks of a job, all pending, and return their first rows."""
    starts = list(range(0, rows, at_once))
    values = [
        {"job_id": job_id, "row_start": start, "rows": min(at_once, rows - start), "width": width, "places": None}
        | _WAITING
        for start in starts
    ]
    for first in range(0, len(values), AT_ONCE):
        tx.insert(rerank, values[first : first + AT_ONCE])
    return starts


def rerank_starts(read: Read, job_id: str) -> list[int]:
    """Return the first rows of the candidates' blocks of a job, ascending."""
    query = select(rerank.c.row_start).where(rerank.c.job_id == job_id).order_by(rerank.c.row_start)
    return [row.row_start for row in read.all(query)]


def wait_again(tx: Write, job_id: str) -> None:
    """Make all blocks and candidates of a job pending, as before they were scored."""
    tx.run(update(block).where(block.c.job_id == job_id).values(_EMPTY))
    tx.run(update(rerank).where(rerank.c.job_id == job_id).values({**_WAITING, "places": None}))


def places(read: Read, job_id: str) -> Iterator[Place]:
    """Yield where the blocks of a job lie, by row and column."""
    query = select(block.c.row_start, block.c.col_start, block.c.rows, block.c.cols).where(block.c.job_id == job_id)
    for row in read.all(query.order_by(block.c.row_start, block.c.col_start)):
        yield Place(row_start=row.row_start, col_start=row.col_start, rows=row.rows, cols=row.cols)


def get(read: Read, job_id: str, at: At) -> Block | None:
    """Return one block, None where there is none."""
    row = read.first(select(block).where(_is(job_id, at)))
    return None if row is None else _block(row)


def of_rows(read: Read, job_id: str, start: int, stop: int) -> list[Block]:
    """Return the blocks that have some of these rows, by row and column."""
    query = select(block).where(
        block.c.job_id == job_id, block.c.row_start < stop, block.c.row_start + block.c.rows > start
    )
    return [_block(row) for row in read.all(query.order_by(block.c.row_start, block.c.col_start))]


def every(read: Read, job_id: str) -> Iterator[Block]:
    """Yield all blocks by row and column, one in memory at a time."""
    for place in list(places(read, job_id)):
        found = get(read, job_id, (place.row_start, place.col_start))
        if found is not None:
            yield found


def _block(row: Row[Any]) -> Block:
    place = Place(row_start=row.row_start, col_start=row.col_start, rows=row.rows, cols=row.cols)
    return Block(place=place, status=BlockStatus(row.status), scores=row.scores, checksum=row.checksum)


def get_rerank(read: Read, job_id: str, row_start: int) -> Rerank | None:
    """Return the candidates of some rows, None where there are none."""
    row = read.first(select(rerank).where(rerank.c.job_id == job_id, rerank.c.row_start == row_start))
    return None if row is None else _rerank(row)


def reranks_of_rows(read: Read, job_id: str, start: int, stop: int) -> list[Rerank]:
    """Return the candidates of these rows, by row."""
    query = select(rerank).where(
        rerank.c.job_id == job_id, rerank.c.row_start < stop, rerank.c.row_start + rerank.c.rows > start
    )
    return [_rerank(row) for row in read.all(query.order_by(rerank.c.row_start))]


def _rerank(row: Row[Any]) -> Rerank:
    return Rerank(
        row_start=row.row_start, rows=row.rows, width=row.width, status=BlockStatus(row.status), places=row.places,
        scores=row.scores, checksum=row.checksum,
    )  # fmt: skip


def store(tx: Write, job_id: str, at: At, kept: Scores, now: datetime) -> None:
    """Keep the scores of a block; written twice they are the same."""
    tx.run(
        update(block)
        .where(_is(job_id, at))
        .values(
            status=BlockStatus.SUCCESS,
            scores=kept.scores,
            checksum=kept.checksum,
            process_time=kept.process_time,
            histogram=kept.histogram,
            finished_at=now,
        )
    )


def store_rerank(tx: Write, job_id: str, row_start: int, kept: Scores, now: datetime) -> None:
    """Keep the candidates of some rows."""
    tx.run(
        update(rerank)
        .where(rerank.c.job_id == job_id, rerank.c.row_start == row_start)
        .values(
            status=BlockStatus.SUCCESS,
            places=kept.places,
            scores=kept.scores,
            checksum=kept.checksum,
            process_time=kept.process_time,
            finished_at=now,
        )
    )


def mark(tx: Write, job_id: str, at: At, status: BlockStatus, *, retries: int) -> None:
    """Write how far a block is, and how many retries it has used."""
    query = update(block).where(_is(job_id, at))
    tx.run(query.values(status=status, retry_count=retries))


def mark_rerank(tx: Write, job_id: str, row_start: int, status: BlockStatus, *, retries: int) -> None:
    """Write how far candidates are, and how many retries they have used."""
    query = update(rerank).where(rerank.c.job_id == job_id, rerank.c.row_start == row_start)
    tx.run(query.values(status=status, retry_count=retries))


def histograms(read: Read, job_id: str) -> Iterator[bytes]:
    """Yield the histogram of every block that was scored."""
    query = select(block.c.histogram).where(block.c.job_id == job_id, block.c.histogram.is_not(None))
    for row in read.stream(query):
        yield row.histogram


def _is(job_id: str, at: At) -> ColumnElement[bool]:
    return (block.c.job_id == job_id) & (block.c.row_start == at[0]) & (block.c.col_start == at[1])
