"""What a job will do and cost, before it begins: the way, how much there is to encode, how many pairs to score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from answerwatch.domain.similarity import BLOCK_COLS, BLOCK_ROWS, Place, Shape, Way
from answerwatch.errors import UsageError
from answerwatch.similarity.axes import Axes
from answerwatch.similarity.scorer import Role, ScorerFacts, ScorerKind
from answerwatch.similarity.texts import Distinct, Numbers

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
    passages_from: int | None = None
    """First text that is a passage, where questions and passages are encoded apart; None: all are encoded alike."""

    def axes(self) -> Axes:
        """Return its rows and columns."""
        return Axes.of(self.shape, self.left, self.right)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Texts that are encoded together."""

    first: int
    texts: int
    chars: int
    role: Role


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
    axes = given.axes()
    if not axes.pairs():
        raise UsageError("similarity_nothing", "There is no pair to score; every list needs a line that is not empty.")
    distinct_pairs = axes.distinct_pairs()
    way = way_of(scorer, given.shape, distinct_pairs, every_pair=every_pair)
    if way is Way.RERANK and finder is None:
        raise UsageError("similarity_no_finder", "Reranking needs a vector scorer that finds candidates; name one.")
    encodes = way is not Way.EACH_PAIR
    chars = sum(map(len, given.distinct.texts))
    score_pairs = {
        Way.VECTORS: 0,
        Way.EACH_PAIR: distinct_pairs,
        Way.RERANK: len(axes.left) * min(top_k, len(axes.right)),
    }[way]
    mean = chars / max(1, len(given.distinct))
    encoded, judged = TOKENS_PER_CHAR * chars * encodes, TOKENS_PER_CHAR * score_pairs * 2 * mean
    return Plan(
        shape=given.shape,
        way=way,
        scorer_id=scorer.scorer_id,
        finder_id=finder.scorer_id if finder is not None and way is Way.RERANK else None,
        top_k=top_k if way is Way.RERANK else None,
        left_lines=int((given.left >= 0).sum()),
        right_lines=int((given.right >= 0).sum()),
        left_texts=len(np.unique(axes.left)),
        right_texts=len(np.unique(axes.right)),
        pairs=axes.pairs(),
        encode_texts=len(given.distinct) if encodes else 0,
        encode_chars=chars if encodes else 0,
        score_pairs=score_pairs,
        tokens=round(encoded + judged),
        price=_price((encoded, scorer if finder is None or way is Way.VECTORS else finder), (judged, scorer)),
    )


def _price(*parts: tuple[float, ScorerFacts]) -> float | None:
    """Return what tokens cost; None where a price is not known, or nothing is paid for any."""
    paid = [(tokens, facts.price) for tokens, facts in parts if tokens]
    known = [tokens * price / 1e6 for tokens, price in paid if price is not None]
    return round(sum(known), 4) if known else None


def with_speed(plan: Plan, chars_per_s: float | None, pairs_per_s: float | None) -> Plan:
    """Return the plan with the seconds of work that it takes at these speeds; unknown stays unknown."""
    parts = ((plan.encode_chars, chars_per_s), (plan.score_pairs, pairs_per_s))
    if any(amount and not speed for amount, speed in parts):
        return plan
    return replace(plan, seconds=round(sum(amount / speed for amount, speed in parts if amount and speed), 2))


def units_of(given: Input) -> Iterator[Unit]:
    """Yield the units of encoding, in the order of texts; none holds questions and passages."""
    first, chars = 0, 0
    for number, text in enumerate(given.distinct.texts):
        full = chars + len(text) > UNIT_CHARS or number - first == UNIT_TEXTS or number == given.passages_from
        if number > first and full:
            yield Unit(first=first, texts=number - first, chars=chars, role=_role(given, first))
            first, chars = number, 0
        chars += len(text)
    if len(given.distinct) > first:
        yield Unit(first=first, texts=len(given.distinct) - first, chars=chars, role=_role(given, first))


def _role(given: Input, number: int) -> Role:
    if given.passages_from is None:
        return Role.SAME
    return Role.QUERY if number < given.passages_from else Role.PASSAGE


def blocks_of(axes: Axes, way: Way) -> Iterator[Place]:
    """Yield the blocks of scores, by rows and columns; of a triangle those that hold a pair.

    Where a pair scorer looks at each pair they are so much smaller that little is lost with a worker.
    """
    rows, columns = axes.left, axes.right
    if axes.shape is Shape.PAIRS:
        size = BLOCK_PAIRS if way is Way.EACH_PAIR else BLOCK_PAIRS * BLOCK_ROWS
        for start in range(0, len(rows), size):
            yield Place(row_start=start, rows=min(size, len(rows) - start), col_start=0, cols=1)
        return
    cols = min(BLOCK_COLS, len(columns)) if way is not Way.EACH_PAIR else min(BLOCK_PAIRS, len(columns))
    size = BLOCK_ROWS if way is not Way.EACH_PAIR else min(BLOCK_ROWS, max(1, BLOCK_PAIRS // cols))
    for start in range(0, len(rows), size):
        for col_start in range(start if axes.shape is Shape.TRIANGLE else 0, len(columns), cols):
            yield Place(
                row_start=start,
                rows=min(size, len(rows) - start),
                col_start=col_start,
                cols=min(cols, len(columns) - col_start),
            )
