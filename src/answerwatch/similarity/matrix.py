"""Scores of two lists at once, in memory: for a notebook or a script; jobs are for millions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from answerwatch.errors import UsageError
from answerwatch.similarity.lexical import Lexical
from answerwatch.similarity.products import product
from answerwatch.similarity.scorer import Floats, PairScorer, Role, Scorer, VectorScorer
from answerwatch.similarity.texts import NO_TEXT, Distinct, numbered

MOST_CELLS = 25_000_000
"""Pairs of lines at most: 100 MB of scores."""


def score_matrix(left: Sequence[str], right: Sequence[str] | None = None, scorer: Scorer | None = None) -> Floats:
    """Return the score of every pair of lines, as float32 (left, right); NaN where a line is empty or was refused.

    Without `right` the list is compared with itself; without `scorer` by shared characters (`lexical`). Equal texts are
    looked at once. Raises UsageError for more than 25 million pairs, ScorerTrouble where a call failed.
    """
    width = len(left if right is None else right)
    if len(left) * width > MOST_CELLS:
        text = f"{len(left) * width} pairs are too many for one matrix; hand in a job, or at most {MOST_CELLS}."
        raise UsageError("matrix_large", text, pairs=len(left) * width, most=MOST_CELLS)
    distinct = Distinct()
    rows = numbered(left, distinct)
    columns = rows if right is None else numbered(right, distinct)
    scores = np.full((len(left), width), np.nan, dtype=np.float32)
    if len(distinct):
        known = _of_texts(distinct.texts, scorer or Lexical())
        there = np.ix_(rows != NO_TEXT, columns != NO_TEXT)
        scores[there] = known[np.ix_(rows[rows != NO_TEXT], columns[columns != NO_TEXT])]
    return scores


def _of_texts(texts: Sequence[str], scorer: Scorer) -> Floats:
    """Return the score of every text with every other."""
    if isinstance(scorer, VectorScorer):
        vectors = scorer.encode(texts, Role.SAME).vectors
        return product(vectors, [vectors], len(texts))
    return _of_pairs(texts, scorer)


def _of_pairs(texts: Sequence[str], scorer: PairScorer) -> Floats:
    pairs = [(one, other) for one in texts for other in texts]
    return scorer.score(pairs).scores.reshape(len(texts), len(texts))
