"""What a job will do, before it begins."""

from dataclasses import replace

import numpy as np
import pytest

from answerwatch.domain.similarity import Shape, Way
from answerwatch.errors import UsageError
from answerwatch.similarity.axes import Axes
from answerwatch.similarity.planning import (
    BLOCK_PAIRS,
    MOST_EACH_PAIR,
    UNIT_CHARS,
    UNIT_TEXTS,
    Input,
    blocks_of,
    plan_of,
    units_of,
    way_of,
    with_speed,
)
from answerwatch.similarity.scorer import Role
from answerwatch.similarity.texts import Distinct, numbered
from tests.scripted_scorers import Judge, Scripted

VECTORS, PAIRS = Scripted().facts, Judge().facts


def given(left: list[str], right: list[str] | None = None) -> Input:
    distinct = Distinct()
    rows = numbered(left, distinct)
    shape = Shape.TRIANGLE if right is None else Shape.MATRIX
    return Input(shape=shape, distinct=distinct, left=rows, right=rows if right is None else numbered(right, distinct))


def lines(count: int, start: int = 0) -> list[str]:
    return [f"第{number}句话" for number in range(start, start + count)]


@pytest.mark.parametrize(
    ("shape", "pairs", "every_pair", "way"),
    [
        (Shape.MATRIX, MOST_EACH_PAIR, False, Way.EACH_PAIR),
        (Shape.MATRIX, MOST_EACH_PAIR + 1, False, Way.RERANK),
        (Shape.TRIANGLE, MOST_EACH_PAIR + 1, False, Way.RERANK),
        (Shape.MATRIX, MOST_EACH_PAIR + 1, True, Way.EACH_PAIR),
        (Shape.PAIRS, MOST_EACH_PAIR + 1, False, Way.EACH_PAIR),
    ],
)
def test_a_pair_scorer_sees_each_pair_up_to_a_limit(shape: Shape, pairs: int, *, every_pair: bool, way: Way) -> None:
    assert way_of(PAIRS, shape, pairs, every_pair=every_pair) is way
    assert way_of(VECTORS, shape, pairs, every_pair=every_pair) is Way.VECTORS


def test_the_plan_of_two_thousand_by_two_thousand_reranks_a_hundredth() -> None:
    plan = plan_of(given(lines(2000), lines(2000, 2000)), PAIRS, VECTORS)

    assert (plan.way, plan.top_k, plan.finder_id) == (Way.RERANK, 20, VECTORS.scorer_id)
    assert (plan.pairs, plan.score_pairs, plan.encode_texts) == (4_000_000, 40_000, 4_000)


def test_equal_texts_are_planned_once() -> None:
    plan = plan_of(given(["甲", "乙", "甲"], ["乙", "丙", ""]), VECTORS, None)

    assert (plan.left_lines, plan.right_lines, plan.pairs) == (3, 2, 6)
    assert (plan.left_texts, plan.right_texts, plan.encode_texts, plan.encode_chars) == (2, 2, 3, 3)


def test_what_cannot_be_planned_is_refused() -> None:
    with pytest.raises(UsageError, match="no pair"):
        plan_of(given([], []), VECTORS, None)
    with pytest.raises(UsageError, match="no pair"):
        plan_of(given(["one line"]), VECTORS, None)
    with pytest.raises(UsageError, match="finds candidates"):
        plan_of(given(lines(1000), lines(1000)), PAIRS, None)


def test_seconds_are_told_where_all_speeds_are_known() -> None:
    plan = plan_of(given(lines(1000), lines(1000)), PAIRS, VECTORS)

    assert with_speed(plan, 1_000.0, None).seconds is None
    assert with_speed(plan, None, 10.0).seconds is None
    assert with_speed(plan, 1_000.0, 10.0).seconds == pytest.approx(plan.encode_chars / 1_000 + plan.score_pairs / 10)


def test_the_price_is_that_of_the_tokens_whose_price_is_known() -> None:
    texts = given(lines(1000), lines(1000))
    paid, free = replace(PAIRS, price=0.5), plan_of(texts, PAIRS, VECTORS)

    plan = plan_of(texts, paid, VECTORS)
    both = plan_of(texts, paid, replace(VECTORS, price=0.5))

    assert free.price is None
    assert plan.price is not None
    assert both.price == pytest.approx(both.tokens * 0.5 / 1e6, abs=1e-4)
    assert both.price is not None
    assert 0 < plan.price < both.price
    assert plan_of(given(["a", "b"]), replace(VECTORS, price=2.0), None).price == pytest.approx(0, abs=1e-4)


def test_units_end_at_their_limits() -> None:
    short = list(units_of(given(lines(2 * UNIT_TEXTS + 5))))
    long = list(units_of(given([f"{number}" + "长" * 60_000 for number in range(3)])))
    huge = list(units_of(given(["短", "长" * (UNIT_CHARS + 1), "末"])))

    assert [(one.first, one.texts) for one in short] == [(0, 2000), (2000, 2000), (4000, 5)]
    assert [one.texts for one in long] == [1, 1, 1]
    assert [(one.texts, one.chars) for one in huge] == [(1, 1), (1, UNIT_CHARS + 1), (1, 1)]


def test_a_unit_holds_no_questions_beside_passages() -> None:
    distinct = Distinct()
    left = numbered(["问一", "问二"], distinct)
    distinct.begin_apart()
    both = Input(
        shape=Shape.MATRIX, distinct=distinct, left=left, right=numbered(["答", "问一"], distinct), passages_from=2
    )

    assert [(one.first, one.texts, one.role) for one in units_of(both)] == [(0, 2, Role.QUERY), (2, 2, Role.PASSAGE)]


@pytest.mark.parametrize("way", [Way.VECTORS, Way.EACH_PAIR])
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (257, 4097), (600, 30), (3, 5000)])
def test_blocks_hold_every_cell_once(way: Way, rows: int, columns: int) -> None:
    axes = Axes.of(Shape.MATRIX, np.arange(rows, dtype=np.int32), np.arange(columns, dtype=np.int32))
    seen = np.zeros((rows, columns), dtype=np.int8)
    for place in blocks_of(axes, way):
        assert way is Way.VECTORS or place.rows * place.cols <= BLOCK_PAIRS
        seen[place.row_start : place.row_start + place.rows, place.col_start : place.col_start + place.cols] += 1

    assert (seen == 1).all()


@pytest.mark.parametrize("way", [Way.VECTORS, Way.EACH_PAIR])
@pytest.mark.parametrize("count", [1, 255, 257, 4500])
def test_blocks_of_one_list_hold_every_unordered_pair_once(way: Way, count: int) -> None:
    texts = np.arange(count, dtype=np.int32)
    axes = Axes.of(Shape.TRIANGLE, texts, texts)

    assert sum(axes.cells(place).total() for place in blocks_of(axes, way)) == axes.pairs()


def test_blocks_of_pairs_lie_one_after_the_other() -> None:
    pairs = np.arange(5000, dtype=np.int32)
    places = list(blocks_of(Axes.of(Shape.PAIRS, pairs, pairs), Way.EACH_PAIR))

    assert [(one.row_start, one.rows, one.cols) for one in places] == [(0, 2048, 1), (2048, 2048, 1), (4096, 904, 1)]
