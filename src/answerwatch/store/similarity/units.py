"""Units of encoding and the vectors of a job while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, select, update

from answerwatch.domain.similarity import BlockStatus
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.similarity import similarity_unit as unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Texts that are encoded together."""

    first: int
    texts: int
    chars: int
    role: str
    status: BlockStatus
    vectors: bytes | None = None
    """float16, texts x dimensions; None: not yet."""
    dimensions: int | None = None


def add(tx: Write, job_id: str, units: Iterable[Unit]) -> None:
    """Write the units of a job."""
    rows = [
        {
            "job_id": job_id, "first": one.first, "texts": one.texts, "chars": one.chars, "role": one.role,
            "status": one.status, "vectors": None, "dimensions": None,
        }
        for one in units
    ]  # fmt: skip
    tx.insert(unit, rows)


def get(read: Read, job_id: str, first: int) -> Unit | None:
    """Return a unit with its vectors, None where there is none."""
    row = read.first(select(unit).where(unit.c.job_id == job_id, unit.c.first == first))
    return None if row is None else _unit(row)


def covering(read: Read, job_id: str) -> list[tuple[int, int]]:
    """Return the first text and the number of texts of every unit, ascending."""
    query = select(unit.c.first, unit.c.texts).where(unit.c.job_id == job_id).order_by(unit.c.first)
    return [(row.first, row.texts) for row in read.all(query)]


def some(read: Read, job_id: str, firsts: Sequence[int]) -> list[Unit]:
    """Return units with their vectors, ascending."""
    query = select(unit).where(unit.c.job_id == job_id, unit.c.first.in_(firsts)).order_by(unit.c.first)
    return [_unit(row) for row in read.all(query)]


def _unit(row: Row[Any]) -> Unit:
    return Unit(
        first=row.first, texts=row.texts, chars=row.chars, role=row.role, status=BlockStatus(row.status),
        vectors=row.vectors, dimensions=row.dimensions,
    )  # fmt: skip


def store(tx: Write, job_id: str, first: int, vectors: bytes, dimensions: int) -> None:
    """Keep the vectors of a unit; written twice they are the same."""
    query = update(unit).where(unit.c.job_id == job_id, unit.c.first == first)
    tx.run(query.values(status=BlockStatus.SUCCESS, vectors=vectors, dimensions=dimensions))


def mark(tx: Write, job_id: str, first: int, status: BlockStatus) -> None:
    """Write how far a unit is."""
    tx.run(update(unit).where(unit.c.job_id == job_id, unit.c.first == first).values(status=status))


def drop_vectors(tx: Write, job_id: str) -> None:
    """Forget the vectors of a job that needs them no more."""
    tx.run(update(unit).where(unit.c.job_id == job_id).values(vectors=None))
