"""Rows and columns of a job: its distinct texts, and how many lines each of them stands for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from answerwatch.domain.similarity import Place, Shape
from answerwatch.similarity.products import Cells
from answerwatch.similarity.scores import Counts
from answerwatch.similarity.texts import NO_TEXT, Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """Texts of rows and columns, ascending; of pairs both texts of each distinct pair."""

    shape: Shape
    left: Numbers
    right: Numbers
    left_counts: Counts
    """How many lines hold each text; of pairs how many name each pair."""
    right_counts: Counts

    @classmethod
    def of(cls, shape: Shape, left: Numbers, right: Numbers) -> Axes:
        """Return the axes of lists whose lines hold these texts; of a triangle both are the same."""
        if shape is Shape.PAIRS:
            both = np.stack((left, right), axis=1)
            distinct, counts = np.unique(both[(both != NO_TEXT).all(axis=1)], axis=0, return_counts=True)
            ones = counts.astype(np.int64)
            columns = np.ascontiguousarray(distinct.T, dtype=np.int32)
            return cls(shape=shape, left=columns[0], right=columns[1], left_counts=ones, right_counts=ones)
        rows, of_rows = _counted(left)
        columns, of_columns = _counted(right)
        return cls(shape=shape, left=rows, right=columns, left_counts=of_rows, right_counts=of_columns)

    def cells(self, place: Place) -> Cells:
        """Return for how many pairs of lines the cells of a block stand."""
        rows = self.left_counts[place.row_start : place.row_start + place.rows]
        if self.shape is Shape.PAIRS:
            return Cells(rows=rows, columns=np.ones(1, dtype=np.int64))
        return Cells(
            rows=rows,
            columns=self.right_counts[place.col_start : place.col_start + place.cols],
            is_triangle=self.shape is Shape.TRIANGLE and place.row_start == place.col_start,
        )

    def row_pairs(self, start: int, stop: int) -> int:
        """Return the number of pairs of lines of some rows with all columns; of a triangle those right of each row."""
        rows = self.left_counts[start:stop]
        if self.shape is not Shape.TRIANGLE:
            return int(rows.sum() * self.right_counts.sum())
        behind = self.left_counts.sum() - np.cumsum(self.left_counts)[start:stop]
        return int((rows * behind + rows * (rows - 1) // 2).sum())

    def pairs(self) -> int:
        """Return the number of pairs of lines."""
        left, right = int(self.left_counts.sum()), int(self.right_counts.sum())
        if self.shape is Shape.PAIRS:
            return left
        return left * right if self.shape is Shape.MATRIX else left * (left - 1) // 2

    def distinct_pairs(self) -> int:
        """Return the number of pairs of distinct texts."""
        rows, columns = len(self.left), len(self.right)
        if self.shape is Shape.PAIRS:
            return rows
        return rows * columns if self.shape is Shape.MATRIX else rows * (rows + 1) // 2


def _counted(lines: Numbers) -> tuple[Numbers, Counts]:
    texts, counts = np.unique(lines[lines != NO_TEXT], return_counts=True)
    return texts.astype(np.int32), counts.astype(np.int64)
