"""What a plan promises."""

import pytest

from answerwatch.errors import UsageError
from answerwatch.figures.precision import plan_precision


def test_questions_buy_more_than_rounds() -> None:
    few_questions, many_questions = plan_precision(20, 9), plan_precision(60, 3)

    assert few_questions.questions * few_questions.rounds == many_questions.questions * many_questions.rounds
    assert many_questions.half_width < few_questions.half_width


def test_sixty_questions_three_rounds_by_hand() -> None:
    precision = plan_precision(60, 3)

    # 180 / (1 + 2 x 0.3) = 112.5; t(59) = 2.000995; half = t / (1 + t2/n) * sqrt(0.25/n + t2/4n2)
    assert precision.effective_n == pytest.approx(112.5)
    assert precision.half_width == pytest.approx(0.0927, abs=1e-4)
    assert not precision.thin


def test_one_question_is_a_cell_of_its_own() -> None:
    precision = plan_precision(1, 10)

    assert (precision.effective_n, precision.thin) == (10, True)
    assert precision.half_width == pytest.approx(0.2634, abs=1e-4)


@pytest.mark.parametrize(("questions", "rounds", "correlation"), [(0, 3, 0.3), (3, 0, 0.3), (3, 3, 1.5)])
def test_a_plan_of_nothing_is_refused(questions: int, rounds: int, correlation: float) -> None:
    with pytest.raises(UsageError, match="at least one question and one round"):
        plan_precision(questions, rounds, correlation=correlation)
