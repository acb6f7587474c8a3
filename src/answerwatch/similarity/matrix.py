"""Scores of two lists at once, in memory: for a notebook or a script; jobs are for millions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from answerwatch.errors import UsageError
from answerwatch.similarity.lexical import Lexical
from answerwatch.similarity.products import product
from answerwatch.similarity.scorer import Floats, Role, Scorer, VectorScorer
from answerwatch.similarity.texts import NO_TEXT, Distinct, Numbers, numbered

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
    there = rows != NO_TEXT, columns != NO_TEXT
    of_rows, row_places = np.unique(rows[there[0]], return_inverse=True)
    of_columns, column_places = np.unique(columns[there[1]], return_inverse=True)
    if len(of_rows) and len(of_columns):
        known = _of_texts(distinct.texts, (of_rows, of_columns), scorer or Lexical())
        scores[np.ix_(*there)] = known[np.ix_(row_places, column_places)]
    return scores


def _of_texts(texts: Sequence[str], both: tuple[Numbers, Numbers], scorer: Scorer) -> Floats:
    """Return the score of every text of the rows with every one of the columns, both given by their numbers."""
    rows, columns = both
    if isinstance(scorer, VectorScorer):
        vectors = scorer.encode(texts, Role.SAME).vectors
        return product(vectors[rows], [vectors[columns]], len(columns))
    pairs = [(texts[one], texts[other]) for one in rows for other in columns]
    return scorer.score(pairs).scores.reshape(len(rows), len(columns))
