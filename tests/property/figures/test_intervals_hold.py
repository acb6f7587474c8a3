"""Whatever the answers: intervals surround their value, order never matters, unknown never becomes 0."""

import dataclasses
import json
from collections.abc import Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from answerwatch.figures.intervals import wilson
from answerwatch.figures.observations import Observation
from answerwatch.figures.precision import plan_precision
from answerwatch.figures.records import Figure, Unit
from tests.unit.figures.rows import report

FLAG = st.sampled_from([0, 1, None])


@st.composite
def answers(draw: st.DrawFn) -> Observation:
    """Draw an answer: valid with any mixture of known and unknown values, not valid, or not read."""
    valid = draw(st.sampled_from([1, 1, 1, 0, None]))
    row = Observation(
        question_id=f"Q{draw(st.integers(0, 14))}",
        platform=draw(st.sampled_from(["deepseek", "kimi", "qwen"])),
        scene_type=draw(st.sampled_from(["RECOMMEND", "COMPARE"])),
        round=draw(st.integers(1, 5)),
        is_valid=valid,
    )
    if valid != 1:
        return row
    mentioned = draw(FLAG)
    rivals = draw(st.sampled_from([None, 0, 3]))
    return dataclasses.replace(
        row,
        is_mentioned=mentioned,
        is_recommended=draw(FLAG),
        recommendation_rank=draw(st.none() | st.integers(1, 30)) if mentioned == 1 else None,
        has_citation=draw(FLAG),
        truncated=draw(FLAG),
        tracked_mentions=None if rivals is None else rivals + (mentioned or 0),
    )


ROWS = st.lists(answers(), max_size=120)


def published(rows: Sequence[Observation]) -> list[Figure]:
    """Return every figure of every slice."""
    result = report(rows)
    slices = [result.overall, *result.by_platform, *result.by_scene, *result.cells]
    return [figure for part in slices for figure in part.figures]


@settings(max_examples=60)
@given(ROWS)
def test_an_interval_surrounds_its_value_and_stays_within_what_is_possible(rows: list[Observation]) -> None:
    for figure in published(rows):
        if figure.value is None or figure.low is None or figure.high is None:
            continue
        assert figure.low <= figure.value <= figure.high
        assert figure.low >= (1 if figure.unit is Unit.RANK else 0)
        assert figure.high <= 1 or figure.unit is Unit.RANK


@settings(max_examples=60)
@given(ROWS)
def test_unknown_comes_with_a_reason_and_known_with_something_to_count(rows: list[Observation]) -> None:
    for figure in published(rows):
        assert (figure.value is None) == (figure.denominator == 0)
        assert (figure.value is None) == (figure.numerator is None)
        assert (figure.low is None) == (figure.high is None) == (figure.na_reason is not None)


@settings(max_examples=30)
@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_never_matters(rows: list[Observation], random: Random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)

    assert report(shuffled) == report(rows)


@settings(max_examples=30)
@given(ROWS)
def test_more_unknown_answers_change_no_figure_of_valid_answers(rows: list[Observation]) -> None:
    silent = [
        dataclasses.replace(
            row,
            is_mentioned=None,
            is_recommended=None,
            recommendation_rank=None,
            has_citation=None,
            truncated=None,
            tracked_mentions=None,
        )
        for row in rows
    ]

    before, after = report(rows).overall, report([*rows, *silent]).overall

    for figure in before.figures:
        if figure.value is not None and figure.name != "valid_answer_rate":
            assert after.figure(figure.name) == figure


@settings(max_examples=30)
@given(ROWS)
def test_a_report_is_strict_json(rows: list[Observation]) -> None:
    json.dumps(report(rows).to_dict(), allow_nan=False)


@given(st.floats(0, 1), st.floats(0.01, 1e7))
def test_wilson_surrounds_the_rate_and_mirrors(rate: float, n: float) -> None:
    interval, mirror = wilson(rate, n), wilson(1 - rate, n)

    assert 0 <= interval.low <= rate <= interval.high <= 1
    assert abs(interval.low - (1 - mirror.high)) < 1e-9


@given(st.integers(10, 500), st.integers(1, 20), st.floats(0, 1))
def test_more_questions_never_promise_less(questions: int, rounds: int, correlation: float) -> None:
    before = plan_precision(questions, rounds, correlation=correlation)
    after = plan_precision(questions + 1, rounds, correlation=correlation)

    assert after.half_width < before.half_width
