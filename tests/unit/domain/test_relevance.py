"""Whether an answer belongs to its question."""

import pytest

from answerwatch.domain.relevance import Fit, Relevance, Thresholds


@pytest.mark.parametrize(
    ("score", "thresholds", "fit"),
    [
        (0.35, Thresholds(0.35, 0.2), Fit.RELEVANT),
        (0.34, Thresholds(0.35, 0.2), Fit.SUSPECT),
        (0.2, Thresholds(0.35, 0.2), Fit.SUSPECT),
        (0.19, Thresholds(0.35, 0.2), Fit.IRRELEVANT),
        (-0.5, Thresholds(0.35, None), Fit.SUSPECT),
        (None, Thresholds(0.35, 0.2), Fit.UNKNOWN),
        (0.9, None, Fit.UNKNOWN),
    ],
)
def test_a_score_is_judged_by_the_thresholds_of_its_scorer(
    score: float | None, thresholds: Thresholds | None, fit: Fit
) -> None:
    assert Relevance(score, thresholds).fit is fit
