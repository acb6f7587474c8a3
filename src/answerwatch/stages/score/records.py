"""What goes from one part of the stage to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from answerwatch.domain.similarity import TaskName
from answerwatch.domain.work import Claim
from answerwatch.similarity.products import Cells
from answerwatch.similarity.scorer import Floats, Refusal, Role
from answerwatch.similarity.scores import Counts
from answerwatch.similarity.texts import Numbers
from answerwatch.store.similarity.blocks import Scores
from answerwatch.store.similarity.jobs import Job
from answerwatch.store.similarity.texts import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Encode:
    """Texts to encode."""

    claim: Claim
    name: TaskName
    job: Job
    role: Role
    texts: Sequence[Text]
    known: Mapping[str, bytes]
    """Vectors that are remembered, by the hash of their text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A block to score from vectors."""

    claim: Claim
    name: TaskName
    job: Job
    left: Floats
    right: Floats
    cells: Cells
    by_pairs: bool
    """Row i goes with column i alone."""
    same: npt.NDArray[np.bool_]
    """Where both texts are the same one: their score is 1, whatever vectors of two bytes a number make of it."""


class PairHash(NamedTuple):
    """Under which hashes the score of a pair is remembered."""

    ordered: str
    """For scorers to which (a, b) is another pair than (b, a)."""
    either: str
    """For others: the same for both orders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """A block, or candidates, that a pair scorer looks at."""

    claim: Claim
    name: TaskName
    job: Job
    pairs: Sequence[tuple[Text, Text]]
    """Distinct ones."""
    hashes: Sequence[PairHash]
    """Of each pair."""
    known: Mapping[str, float]
    """Scores that are remembered, by either hash of their pair."""
    layout: Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the scores of distinct pairs go, and for how many pairs of lines they stand."""

    numbers: Numbers
    """Which of the pairs each cell is, -1 for none; (rows, columns) or (rows, candidates)."""
    counts: Counts
    """Pairs of lines of each cell."""
    processed: int
    """Pairs of lines that are at their end with this block."""
    start: tuple[int, int]
    """Row and column of the first cell on the axes of the job."""
    places: Numbers | None = None
    """Columns of candidates on the right axis; None: cells are a block."""

    def where(self, pair: int) -> tuple[int, int]:
        """Return row and column, on the axes of the job, at which a pair stands first."""
        row, column = (int(one[0]) for one in np.nonzero(self.numbers == pair))
        return self.start[0] + row, self.start[1] + column if self.places is None else int(self.places[row, column])


Item = Encode | Product | Pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedUnit:
    """Vectors of a unit."""

    name: TaskName
    job: Job
    vectors: bytes
    dimensions: int
    role: Role
    made: Mapping[str, bytes]
    """Vectors that were not remembered, by the hash of their text."""
    refused: Sequence[tuple[Text, Refusal]]
    chars: int
    cached_chars: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredBlock:
    """Scores of a block or of candidates."""

    name: TaskName
    job: Job
    kept: Scores
    processed: int
    """Pairs of lines."""
    failed: int
    made: Mapping[str, float] = field(default_factory=dict)
    """Scores that were not remembered, by the hash of their pair."""
    asked: int = 0
    """Distinct pairs for which a pair scorer was needed."""
    cached: int = 0
    """Of them those that were remembered."""
    refused: Sequence[tuple[tuple[int, int], Text, Text, Refusal]] = ()
    """Row and column, texts and reason of each refused pair."""


Output = EncodedUnit | ScoredBlock
