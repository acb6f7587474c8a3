"""What a job will do and cost, before it begins: the way, how much there is to encode, how many pairs to score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from answerwatch.domain.similarity import BLOCK_CELLS, BLOCK_ROWS, Shape, Way
from answerwatch.errors import UsageError
from answerwatch.similarity.scorer import ScorerFacts, ScorerKind
from answerwatch.similarity.texts import Distinct, Numbers, axis_of, weights_of

MOST_EACH_PAIR = 200_000
"""Distinct pairs of a matrix that a pair scorer looks at one by one, unless it is told to; beyond it reranks."""
TOP_K = 20
"""Candidates for each text of the left list that are reranked."""
UNIT_CHARS = 100_000
"""Characters of one unit of encoding: some seconds of an embedded model, so that little is lost with a worker."""
UNIT_TEXTS = 2_000
BLOCK_PAIRS = 2_048
"""Pairs in one block of a pair scorer: each costs a pass of a model."""
TOKENS_PER_CHAR = 0.66
"""Of Chinese text, about (similarity.md section 5: 330 tokens in 500 characters)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """Texts of a job as they were handed in, numbered."""

    shape: Shape
    distinct: Distinct
    left: Numbers
    """Text of each line; of PAIRS: of each pair."""
    right: Numbers
    """The same of the right list; of TRIANGLE: `left` itself."""

    def axes(self) -> tuple[Numbers, Numbers]:
        """Return the distinct texts of rows and columns; of PAIRS the texts of each pair."""
        if self.shape is Shape.PAIRS:
            return self.left, self.right
        return axis_of(self.left), axis_of(self.right)

    def pairs(self) -> int:
        """Return the number of pairs of lines."""
        left, right = int((self.left >= 0).sum()), int((self.right >= 0).sum())
        if self.shape is Shape.MATRIX:
            return left * right
        if self.shape is Shape.TRIANGLE:
            return left * (left - 1) // 2
        return int(((self.left >= 0) & (self.right >= 0)).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Texts that are encoded together."""

    first: int
    texts: int
    chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Rows and columns (or pairs) that are scored together."""

    row_start: int
    rows: int
    col_start: int
    cols: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a job will do; seconds and price are None where nobody knows."""

    shape: Shape
    way: Way
    scorer_id: str
    finder_id: str | None
    """Vector scorer that finds candidates; None: none is needed."""
    top_k: int | None
    left_lines: int
    right_lines: int
    left_texts: int
    right_texts: int
    pairs: int
    """Pairs of lines."""
    encode_texts: int
    """Distinct texts to encode; 0 where no vectors are needed."""
    encode_chars: int
    score_pairs: int
    """Passes of a pair scorer; 0 where scores are products."""
    tokens: int
    """About, by the number of characters."""
    seconds: float | None = None
    price: float | None = None
    """In the currency of the scorer's price."""


def way_of(facts: ScorerFacts, shape: Shape, pairs: int, *, every_pair: bool) -> Way:
    """Return on which way a job goes; `pairs` are distinct ones. `every_pair` lets a pair scorer see all of them."""
    if facts.kind is ScorerKind.VECTOR:
        return Way.VECTORS
    if every_pair or shape is Shape.PAIRS or pairs <= MOST_EACH_PAIR:
        return Way.EACH_PAIR
    return Way.RERANK


def plan_of(
    given: Input, scorer: ScorerFacts, finder: ScorerFacts | None, *, every_pair: bool = False, top_k: int = TOP_K
) -> Plan:
    """Return the plan of a job; raises UsageError where there is nothing to score, or no finder where one is needed."""
    rows, columns = given.axes()
    pairs = given.pairs()
    if not pairs:
        raise UsageError("similarity_nothing", "There is no pair to score; every list needs a line that is not empty.")
    distinct_pairs = len(rows) if given.shape is Shape.PAIRS else len(rows) * len(columns)
    way = way_of(scorer, given.shape, distinct_pairs, every_pair=every_pair)
    if way is Way.RERANK and finder is None:
        raise UsageError("similarity_no_finder", "Reranking needs a vector scorer that finds candidates; name one.")
    encodes = way is not Way.EACH_PAIR
    chars = sum(map(len, given.distinct.texts))
    score_pairs = {Way.VECTORS: 0, Way.EACH_PAIR: distinct_pairs, Way.RERANK: len(rows) * min(top_k, len(columns))}[way]
    mean = chars / max(1, len(given.distinct))
    return Plan(
        shape=given.shape,
        way=way,
        scorer_id=scorer.scorer_id,
        finder_id=finder.scorer_id if finder is not None and way is Way.RERANK else None,
        top_k=top_k if way is Way.RERANK else None,
        left_lines=int((given.left >= 0).sum()),
        right_lines=int((given.right >= 0).sum()),
        left_texts=len(np.unique(rows)),
        right_texts=len(np.unique(columns)),
        pairs=pairs,
        encode_texts=len(given.distinct) if encodes else 0,
        encode_chars=chars if encodes else 0,
        score_pairs=score_pairs,
        tokens=round(TOKENS_PER_CHAR * ((chars if encodes else 0) + score_pairs * 2 * mean)),
    )


def units_of(given: Input) -> Iterator[Unit]:
    """Yield the units of encoding, in the order of texts."""
    first, chars = 0, 0
    for number, text in enumerate(given.distinct.texts):
        if number > first and (chars + len(text) > UNIT_CHARS or number - first == UNIT_TEXTS):
            yield Unit(first=first, texts=number - first, chars=chars)
            first, chars = number, 0
        chars += len(text)
    if len(given.distinct) > first:
        yield Unit(first=first, texts=len(given.distinct) - first, chars=chars)


def blocks_of(given: Input, way: Way) -> Iterator[Block]:
    """Yield the blocks of scores, from the first row on."""
    rows, columns = given.axes()
    if given.shape is Shape.PAIRS:
        size = BLOCK_PAIRS if way is Way.EACH_PAIR else BLOCK_CELLS // 8
        for start in range(0, len(rows), size):
            yield Block(row_start=start, rows=min(size, len(rows) - start), col_start=0, cols=1)
        return
    start = 0
    while start < len(rows):
        col_start = start if given.shape is Shape.TRIANGLE else 0
        cols = len(columns) - col_start
        most = (BLOCK_PAIRS if way is Way.EACH_PAIR else BLOCK_CELLS) // cols
        size = min(BLOCK_ROWS, max(1, most), len(rows) - start)
        yield Block(row_start=start, rows=size, col_start=col_start, cols=cols)
        start += size


def weights(given: Input) -> tuple[Numbers, Numbers]:
    """Return how many lines hold each text of rows and columns."""
    rows, columns = given.axes()
    return weights_of(given.left, rows).astype(np.int32), weights_of(given.right, columns).astype(np.int32)
