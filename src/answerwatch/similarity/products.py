"""Scores of a block from vectors, how many pairs of lines its cells stand for, and the best of each row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from answerwatch.similarity.scorer import Floats
from answerwatch.similarity.scores import Counts

Places = npt.NDArray[np.int32]


def product(rows: Floats, tiles: Iterable[Floats], columns: int) -> Floats:
    """Return the scores (rows, columns) of some vectors with those that come in tiles, one tile in memory at a time.

    A text without a vector (NaN) makes NaN of its whole row or column and of nothing else.
    """
    scores = np.empty((len(rows), columns), dtype=np.float32)
    place = 0
    for tile in tiles:
        np.matmul(rows, tile.T, out=scores[:, place : place + len(tile)])
        place += len(tile)
    if place != columns:
        raise ValueError(f"{place} vectors came for {columns} columns")
    clipped: Floats = np.clip(scores, np.float32(-1), np.float32(1))
    return clipped


def of_pairs(left: Floats, right: Floats) -> Floats:
    """Return the score of each pair of rows."""
    scores: Floats = np.clip(np.einsum("ij,ij->i", left, right), -1.0, 1.0).astype(np.float32)
    return scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """For how many pairs of lines the cells of a block stand."""

    rows: Counts
    """How many lines hold each text of the rows."""
    columns: Counts
    """How many lines hold each text of the columns; of a triangle they begin with the rows."""
    is_triangle: bool = False

    def counts(self) -> Counts:
        """Return the number of pairs of each cell.

        Of a triangle every unordered pair counts once: what lies left of the diagonal counts 0, and on it the pairs of
        different lines that hold the same text.
        """
        counts = np.outer(self.rows, self.columns)
        if self.is_triangle:
            square = np.triu(counts[:, : len(self.rows)], 1)
            np.fill_diagonal(square, self.rows * (self.rows - 1) // 2)
            counts[:, : len(self.rows)] = square
        return counts

    def total(self) -> int:
        """Return the number of pairs of the whole block, in which no cell is looked at."""
        rows, columns = int(self.rows.sum()), int(self.columns.sum())
        if not self.is_triangle:
            return rows * columns
        return rows * (columns - rows) + rows * (rows - 1) // 2

    @property
    def is_plain(self) -> bool:
        """Tell whether every cell stands for one pair."""
        return not self.is_triangle and bool((self.rows == 1).all() and (self.columns == 1).all())


def best(scores: Floats, most: int) -> tuple[Places, Floats]:
    """Return places and scores of the `most` largest of each row, the largest first; equal ones by their place.

    A row with fewer scores has places of -1 and NaN at its end.
    """
    most = min(most, scores.shape[1])
    if most == 0:
        return np.empty((len(scores), 0), dtype=np.int32), np.empty((len(scores), 0), dtype=np.float32)
    ranked = np.where(np.isnan(scores), -np.inf, scores)
    if most < scores.shape[1]:
        # What is equal to the last one that is taken may lie behind it; a stable order needs all of these.
        edge = -np.partition(-ranked, most - 1, axis=1)[:, most - 1 : most]
        ranked = np.where(ranked >= edge, ranked, -np.inf)
    places = np.argsort(-ranked, axis=1, kind="stable")[:, :most].astype(np.int32)
    values = np.take_along_axis(ranked, places.astype(np.int64), axis=1)
    missing = np.isneginf(values)
    return np.where(missing, -1, places).astype(np.int32), np.where(missing, np.nan, values).astype(np.float32)


def merged(first: tuple[Places, Floats], more: tuple[Places, Floats], most: int) -> tuple[Places, Floats]:
    """Return the best of two results of `best` on the same rows, whose places do not overlap."""
    places, scores = (np.concatenate(both, axis=1) for both in zip(first, more, strict=True))
    chosen, values = best(np.where(places < 0, np.nan, scores).astype(np.float32), most)
    taken = np.take_along_axis(places, np.maximum(chosen, 0).astype(np.int64), axis=1)
    return np.where(chosen < 0, -1, taken).astype(np.int32), values
