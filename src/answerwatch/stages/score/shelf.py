"""What a worker keeps of jobs between their blocks: which text each line holds, and vectors, up to a size."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from answerwatch.domain.similarity import Shape, Side
from answerwatch.similarity.axes import Axes
from answerwatch.similarity.scorer import Floats
from answerwatch.similarity.scores import VECTOR_PRECISION
from answerwatch.similarity.texts import Numbers
from answerwatch.store.database import Read
from answerwatch.store.similarity import texts, units
from answerwatch.store.similarity.jobs import Job

MOST_BYTES = 256 * 2**20
"""Bytes of vectors that are kept."""
MOST_JOBS = 8
"""Jobs whose axes are kept."""

Halves = npt.NDArray[np.float16]
V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What all blocks of a job stand on."""

    axes: Axes
    firsts: Numbers
    """First text of each unit, ascending."""


class Shelf:
    """Axes and vectors of the jobs that a worker has in hand; threads may share it."""

    def __init__(self) -> None:
        """Begin empty."""
        self._grounds: _Kept[Ground] = _Kept(MOST_JOBS, lambda _: 1)
        self._vectors: _Kept[Halves] = _Kept(MOST_BYTES, lambda one: one.nbytes)

    def ground(self, read: Read, job: Job) -> Ground:
        """Return rows, columns and units of a job."""
        found = self._grounds.get(job.job_id, lambda: _ground(read, job))
        assert found is not None  # noqa: S101 - a ground is always made
        return found

    def vectors(self, read: Read, job: Job, numbers: Numbers) -> Floats:
        """Return the vectors of some texts as float32; NaN where a text has none."""
        firsts = self.ground(read, job).firsts
        of_unit = np.searchsorted(firsts, numbers, side="right") - 1
        found: Floats = np.full((len(numbers), 1), np.nan, dtype=np.float32)
        for index in np.unique(of_unit):
            first = int(firsts[index])
            unit = self._vectors.get((job.job_id, first, job.started_at), partial(_unit, read, job, first))
            if unit is None:
                continue
            if found.shape[1] != unit.shape[1]:
                found = np.full((len(numbers), unit.shape[1]), np.nan, dtype=np.float32)
            here = of_unit == index
            found[here] = unit[numbers[here] - first]
        return found


class _Kept(Generic[V]):
    """The values that were asked for last, as long as their sizes stay below a limit; None is not kept."""

    def __init__(self, most: int, size: Callable[[V], int]) -> None:
        self._most = most
        self._size = size
        self._sum = 0
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], V | None]) -> V | None:
        """Return a value, made on first use; what nobody asked for longest makes room."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        if value is not None:
            with self._lock:
                self._keep(key, value)
        return value

    def _keep(self, key: Hashable, value: V) -> None:
        if key not in self._values:
            self._values[key] = value
            self._sum += self._size(value)
        while self._sum > self._most and len(self._values) > 1:
            _, gone = self._values.popitem(last=False)
            self._sum -= self._size(gone)


def axes_of(read: Read, job: Job) -> Axes:
    """Return rows and columns of a job as they are stored."""
    if job.shape is Shape.PAIRS:
        both = _numbers(texts.lines_of(read, job.job_id, "pairs")).reshape(-1, 2)
        return Axes.of(job.shape, both[:, 0], both[:, 1])
    left = _numbers(texts.lines_of(read, job.job_id, Side.LEFT))
    right = left if job.shape is Shape.TRIANGLE else _numbers(texts.lines_of(read, job.job_id, Side.RIGHT))
    return Axes.of(job.shape, left, right)


def _ground(read: Read, job: Job) -> Ground:
    firsts = [first for first, _ in units.covering(read, job.job_id)]
    return Ground(axes=axes_of(read, job), firsts=np.array(firsts, dtype=np.int32))


def _numbers(data: bytes) -> Numbers:
    return np.frombuffer(data, dtype="<i4").astype(np.int32)


def _unit(read: Read, job: Job, first: int) -> Halves | None:
    """Return the vectors of a unit, None where it failed."""
    unit = units.get(read, job.job_id, first)
    if unit is None or unit.vectors is None or not unit.dimensions:
        return None
    return np.frombuffer(unit.vectors, dtype=VECTOR_PRECISION).reshape(-1, unit.dimensions)
