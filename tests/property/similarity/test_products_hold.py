"""Products, the best of each row and counts of pairs, against the same by plain loops."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from answerwatch.domain.similarity import Place, Shape
from answerwatch.similarity.axes import Axes
from answerwatch.similarity.products import Cells, best, merged, of_pairs, product
from answerwatch.similarity.scorer import Floats
from answerwatch.similarity.texts import NO_TEXT, normalised

SCORES = st.one_of(st.just(math.nan), st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), st.floats(-1, 1, width=32))
GRIDS = hnp.arrays(np.float32, st.tuples(st.integers(1, 5), st.integers(1, 12)), elements=SCORES)
LINES = st.lists(st.integers(NO_TEXT, 4), max_size=12).map(lambda found: np.array(found, dtype=np.int32))


def by_hand(row: Floats, most: int) -> list[int]:
    """Places of the largest, equal ones by their place."""
    known = [place for place in range(len(row)) if not math.isnan(row[place])]
    return sorted(known, key=lambda place: (-row[place], place))[:most]


@given(GRIDS, st.integers(1, 15))
def test_the_best_are_those_of_a_sort(scores: Floats, most: int) -> None:
    places, values = best(scores, most)

    for row, found, told in zip(scores, places, values, strict=True):
        expected = by_hand(row, most)
        missing = len(found) - len(expected)
        assert found.tolist() == expected + [-1] * missing
        np.testing.assert_array_equal(told, [*(row[place] for place in expected), *[math.nan] * missing])


@given(GRIDS, st.integers(1, 8), st.integers(0, 12))
def test_the_best_of_two_parts_are_the_best_of_the_whole(scores: Floats, most: int, cut: int) -> None:
    cut = min(cut, scores.shape[1])
    width = min(most, scores.shape[1])
    first, (places, values) = (best(part, most) for part in (scores[:, :cut], scores[:, cut:]))
    moved = np.where(places < 0, -1, places + cut).astype(np.int32)

    joined = merged(first, (moved, values), width)

    whole = best(scores, most)
    np.testing.assert_array_equal(joined[0], whole[0])
    np.testing.assert_array_equal(joined[1], whole[1])


@given(st.integers(1, 6), st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_a_product_in_tiles_is_the_direct_one_and_a_text_without_vector_spoils_its_own_row(
    rows: int, widths: list[int], seed: int
) -> None:
    generator = np.random.default_rng(seed)
    left = generator.standard_normal((rows, 8)).astype(np.float32)
    left /= np.linalg.norm(left, axis=1, keepdims=True)
    tiles: list[Floats] = [(generator.standard_normal((width, 8)) / 3).astype(np.float32) for width in widths]
    right: Floats = np.concatenate(tiles)
    left[0] = np.nan

    found = product(left, tiles, len(right))

    assert np.isnan(found[0]).all()
    np.testing.assert_allclose(found[1:], np.clip(left[1:] @ right.T, -1, 1), atol=1e-6)
    pairs = of_pairs(left, right[np.arange(rows) % len(right)])
    np.testing.assert_allclose(pairs[1:], np.diag(found[:, np.arange(rows) % len(right)])[1:], atol=1e-6)
    assert math.isnan(pairs[0])


@given(LINES, LINES, st.sampled_from(Shape))
def test_cells_stand_for_the_pairs_of_lines_that_loops_find(
    left: np.typing.NDArray[np.int32], right: np.typing.NDArray[np.int32], shape: Shape
) -> None:
    lines = [one for one in left.tolist() if one != NO_TEXT]
    if shape is Shape.MATRIX:
        expected = len(lines) * sum(right != NO_TEXT)
    elif shape is Shape.TRIANGLE:
        right, expected = left, len(lines) * (len(lines) - 1) // 2
    else:
        size = min(len(left), len(right))
        left, right = left[:size], right[:size]
        expected = sum(NO_TEXT not in pair for pair in zip(left.tolist(), right.tolist(), strict=True))

    axes = Axes.of(shape, left, right)
    columns = 1 if shape is Shape.PAIRS else len(axes.right)
    whole = axes.cells(Place(row_start=0, rows=len(axes.left), col_start=0, cols=columns))

    assert axes.pairs() == expected == whole.total() == int(whole.counts().sum())
    assert sum(axes.row_pairs(row, row + 1) for row in range(len(axes.left))) == expected or shape is Shape.PAIRS


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.lists(st.integers(1, 4), max_size=4))
def test_a_triangle_counts_no_line_with_itself(rows: list[int], more: list[int]) -> None:
    cells = Cells(rows=np.array(rows), columns=np.array([*rows, *more]), is_triangle=True)
    texts = [text for text, count in enumerate([*rows, *more]) for _ in range(count)]
    pairs = {(one, other) for one in range(len(texts)) for other in range(one) if texts[other] < len(rows)}

    assert cells.total() == len(pairs) == int(cells.counts().sum())


@given(st.text(max_size=30))
def test_normalising_twice_changes_nothing_and_every_text_can_be_written(text: str) -> None:
    once = normalised(text)

    assert normalised(once) == once
    assert once.encode().decode() == once
    assert once == once.strip()
