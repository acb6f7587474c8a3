"""How a list is shared among processes."""

from hypothesis import given
from hypothesis import strategies as st

from answerwatch.scorers.processes import PART_CHARS, parts

LENGTHS = st.lists(st.one_of(st.integers(1, 100), st.integers(1_000, 40_000)), min_size=1, max_size=60)


def test_texts_of_one_length_are_shared_evenly() -> None:
    assert [len(part) for part in parts(["a" * 500] * 200, 2)] == [25] * 8
    assert [len(part) for part in parts(["a" * 500] * 200, 16)] == [12, 13] * 8


@given(LENGTHS, st.integers(2, 9))
def test_every_text_is_in_one_part_in_its_place_and_no_part_is_much_longer(lengths: list[int], processes: int) -> None:
    texts = ["a" * length for length in lengths]
    found = list(parts(texts, processes))
    assert [text for part in found for text in part] == texts
    assert all(0 < sum(map(len, part)) <= PART_CHARS + max(lengths) for part in found)
