"""Blocks of scores as they are kept."""

import numpy as np
import pytest

from answerwatch.similarity.scores import (
    BINS,
    PAIR_PRECISION,
    QUANTILES,
    VECTOR_PRECISION,
    DamagedScores,
    checksum,
    histogram,
    lower_edge,
    packed,
    quantiles,
    unpacked,
)


def scores(*values: float) -> np.typing.NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def test_a_score_of_vectors_takes_two_bytes_and_one_of_a_pair_scorer_four() -> None:
    values = scores(-1, 0.123456, 1, np.nan).reshape(2, 2)

    assert (len(packed(values, VECTOR_PRECISION)), len(packed(values, PAIR_PRECISION))) == (8, 16)
    np.testing.assert_allclose(unpacked(packed(values, VECTOR_PRECISION), 2, VECTOR_PRECISION), values, atol=5e-4)
    np.testing.assert_array_equal(unpacked(packed(values, PAIR_PRECISION), 2, PAIR_PRECISION), values)


@pytest.mark.parametrize(("data", "columns"), [(b"123", 1), (b"1234", 3), (b"1234", 0)])
def test_bytes_of_another_number_are_damage(data: bytes, columns: int) -> None:
    with pytest.raises(DamagedScores):
        unpacked(data, columns, VECTOR_PRECISION)


def test_a_checksum_sees_every_bit() -> None:
    data = bytes(range(64))

    assert len({checksum(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]) for place in range(64)}) == 64
    assert checksum(data) == checksum(data[:10], None, data[10:])


def test_a_histogram_counts_lines_and_leaves_out_what_has_no_score() -> None:
    counts = histogram(scores(-1, 0, 0.999, 1.0, np.nan, -1.5), np.array([1, 2, 3, 4, 100, 5]))

    assert (counts[0], counts[BINS // 2], counts[BINS - 1], counts.sum()) == (6, 2, 7, 15)
    assert (lower_edge(0), lower_edge(BINS // 2)) == (-1.0, 0.0)
    assert histogram(scores(0.5, 0.5)).sum() == 2


def test_quantiles_are_told_to_the_width_of_a_bin() -> None:
    values = np.linspace(-1, 1, 10_001, dtype=np.float32)
    told = dict(quantiles(histogram(values)))

    assert quantiles(np.zeros(BINS, dtype=np.int64)) == ()
    for share in QUANTILES:
        assert told[share] == pytest.approx(float(np.quantile(values, share)), abs=2 / BINS + 1e-6)
