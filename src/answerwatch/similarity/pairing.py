"""Scores of named pairs by either kind of scorer, each text encoded once."""

from __future__ import annotations

from collections.abc import Sequence

from answerwatch.similarity.products import of_pairs
from answerwatch.similarity.scorer import Floats, PairScorer, Role, Scorer


def scores_of(scorer: Scorer, pairs: Sequence[tuple[str, str]], *, searching: bool = True) -> Floats:
    """Return the score of each pair of normalised texts, NaN for one that was refused.

    With `searching` the left texts are questions to a model that tells questions from passages. Raises ScorerTrouble
    where a call failed.
    """
    if isinstance(scorer, PairScorer):
        return scorer.score(pairs).scores
    apart = searching and scorer.facts.asymmetric_roles
    left, right = (list(dict.fromkeys(both[side] for both in pairs)) for side in (0, 1))
    vectors = {
        Role.QUERY: scorer.encode(left, Role.QUERY if apart else Role.SAME).vectors,
        Role.PASSAGE: scorer.encode(right, Role.PASSAGE if apart else Role.SAME).vectors,
    }
    places = [{text: place for place, text in enumerate(texts)} for texts in (left, right)]
    rows = vectors[Role.QUERY][[places[0][text] for text, _ in pairs]]
    return of_pairs(rows, vectors[Role.PASSAGE][[places[1][text] for _, text in pairs]])
