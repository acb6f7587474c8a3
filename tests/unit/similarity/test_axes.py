"""Rows and columns of a job, and how many pairs of lines its cells stand for."""

import numpy as np
import pytest

from answerwatch.domain.similarity import Place, Shape
from answerwatch.similarity.axes import Axes
from answerwatch.similarity.texts import NO_TEXT, Numbers


def numbers(*values: int) -> Numbers:
    return np.array(values, dtype=np.int32)


def test_lines_with_one_text_are_one_row() -> None:
    axes = Axes.of(Shape.MATRIX, numbers(0, 1, 0, NO_TEXT), numbers(2, 1, 2, 2))

    assert (axes.left.tolist(), axes.left_counts.tolist()) == ([0, 1], [2, 1])
    assert (axes.right.tolist(), axes.right_counts.tolist()) == ([1, 2], [1, 3])
    assert (axes.pairs(), axes.distinct_pairs()) == (12, 4)


def test_of_one_list_every_unordered_pair_of_lines_counts_once() -> None:
    lines = numbers(0, 0, 1, NO_TEXT, 0)
    axes = Axes.of(Shape.TRIANGLE, lines, lines)
    whole = axes.cells(Place(row_start=0, rows=2, col_start=0, cols=2))

    assert (axes.pairs(), axes.distinct_pairs()) == (6, 3)
    assert whole.counts().tolist() == [[3, 3], [0, 0]]
    assert whole.total() == 6
    assert [axes.row_pairs(row, row + 1) for row in (0, 1)] == [6, 0]


def test_a_file_of_pairs_counts_each_of_its_lines() -> None:
    axes = Axes.of(Shape.PAIRS, numbers(0, 1, 0, 0, NO_TEXT), numbers(1, 0, 1, NO_TEXT, 1))

    assert list(zip(axes.left.tolist(), axes.right.tolist(), strict=True)) == [(0, 1), (1, 0)]
    assert (axes.left_counts.tolist(), axes.pairs(), axes.distinct_pairs()) == ([2, 1], 3, 2)
    assert axes.cells(Place(row_start=0, rows=2, col_start=0, cols=1)).total() == 3


@pytest.mark.parametrize("shape", list(Shape))
def test_lists_without_a_text_have_no_pairs(shape: Shape) -> None:
    axes = Axes.of(shape, numbers(NO_TEXT, NO_TEXT), numbers(NO_TEXT, NO_TEXT))

    assert (axes.pairs(), axes.distinct_pairs()) == (0, 0)
