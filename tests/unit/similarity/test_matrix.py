"""Scores of two lists in memory are those of the texts, pair by pair."""

import numpy as np
import pytest

from answerwatch.errors import UsageError
from answerwatch.similarity.matrix import MOST_CELLS, score_matrix
from tests.scripted_scorers import Judge, Scripted, judgement_of, vector_of

LEFT, RIGHT = ["甲", "乙", "", "甲"], ["乙", "丙丁"]


def test_a_matrix_of_vectors_is_their_direct_product() -> None:
    scorer = Scripted()

    found = score_matrix(LEFT, RIGHT, scorer)

    for row, left in enumerate(LEFT):
        for column, right in enumerate(RIGHT):
            direct = float(vector_of(left) @ vector_of(right)) if left else np.nan
            assert found[row, column] == pytest.approx(direct, abs=1e-6, nan_ok=True)
    assert sorted(scorer.seen) == sorted(["甲", "乙", "丙丁"])


def test_a_list_is_compared_with_itself() -> None:
    found = score_matrix(["甲", "乙"], scorer=Scripted())

    np.testing.assert_allclose(found, found.T)
    np.testing.assert_allclose(np.diag(found), 1, atol=1e-6)


def test_a_refused_text_has_no_score_and_spoils_no_other() -> None:
    found = score_matrix(LEFT, RIGHT, Scripted(never={"乙"}))

    assert np.isnan(found).tolist() == [[True, False], [True, True], [True, True], [True, False]]


def test_a_pair_scorer_is_asked_in_the_order_of_the_lists() -> None:
    judge = Judge(symmetric=False)

    found = score_matrix(["甲"], ["乙"], judge)

    assert found[0, 0] == pytest.approx(judgement_of("甲", "乙"))
    assert judgement_of("甲", "乙") != judgement_of("乙", "甲")
    # Texts of one list are nobody's question to those of the same list, and nobody pays for them.
    assert judge.seen == [("甲", "乙")]


def test_too_many_pairs_are_refused_before_anything_is_made() -> None:
    with pytest.raises(UsageError, match="hand in a job"):
        score_matrix(["a"] * (MOST_CELLS // 1000 + 1), ["b"] * 1000)
