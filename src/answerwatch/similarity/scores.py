"""Blocks of scores as they are kept: two bytes a score of vectors, four of a pair scorer, with a checksum.

Two bytes are enough for a product of vectors (an error of at most 0.0005 near 1); NaN stands for "no score".
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Literal

import numpy as np
import numpy.typing as npt

from answerwatch.similarity.scorer import Floats

Precision = Literal["<f2", "<f4"]
VECTOR_PRECISION: Precision = "<f2"
PAIR_PRECISION: Precision = "<f4"

BINS = 200
"""Bins of a histogram, from -1 to 1; scores outside count in the outermost."""

Counts = npt.NDArray[np.int64]


class DamagedScores(Exception):
    """Bytes are not the scores that were written."""


def packed(values: Floats, precision: Precision) -> bytes:
    """Return scores or vectors as bytes, row after row."""
    return np.ascontiguousarray(values, dtype=precision).tobytes()


def unpacked(data: bytes, columns: int, precision: Precision) -> Floats:
    """Return what `packed` wrote, as float32 rows of `columns`; raises DamagedScores for another number of bytes."""
    values = np.frombuffer(data, dtype=precision) if len(data) % np.dtype(precision).itemsize == 0 else None
    if values is None or not columns or values.size % columns:
        raise DamagedScores
    return values.reshape(-1, columns).astype(np.float32)


def checksum(*parts: bytes | None) -> str:
    """Return the BLAKE2b-64 of some bytes, in hexadecimal digits; None counts as nothing."""
    seen = blake2b(digest_size=8)
    for part in parts:
        seen.update(part or b"")
    return seen.hexdigest()


def histogram(scores: Floats, counts: Counts | None = None) -> Counts:
    """Return how many pairs of lines have a score in each bin; `counts` says how many lines each score stands for."""
    known = ~np.isnan(scores)
    bins = np.clip((scores[known] + 1) * (BINS / 2), 0, BINS - 1).astype(np.int16)
    if counts is None:
        return np.bincount(bins, minlength=BINS).astype(np.int64)
    weights = np.broadcast_to(counts, scores.shape)[known]
    return np.bincount(bins, weights=weights, minlength=BINS).astype(np.int64)


def lower_edge(place: int) -> float:
    """Return where a bin begins."""
    return round(place * 2 / BINS - 1, 10)


QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def quantiles(counts: Counts) -> tuple[tuple[float, float], ...]:
    """Return shares and the scores below which so many pairs lie, to the width of a bin; nothing of no pairs."""
    total = int(counts.sum())
    if not total:
        return ()
    below = np.cumsum(counts)
    return tuple((share, lower_edge(int(np.searchsorted(below, share * total)) + 1)) for share in QUANTILES)
