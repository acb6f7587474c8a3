"""Any text at all: names are slices of it, and looking for them takes time in proportion."""

from hypothesis import given
from hypothesis import strategies as st

from answerwatch.reading import Lexicon
from answerwatch.reading.candidates import LONGEST, find_candidates
from answerwatch.reading.fold import key
from answerwatch.reading.matching import Text

TRACKED = Lexicon.of({"华为": ["华为"]})
PIECES = [
    "华为",
    "OPPO",
    "Find N3",
    "**",
    "1. ",
    "- ",
    "| ",
    "、",
    "，",
    "\n",
    " ",
    "：",
    "索菲亚",
    "the ",
    "[",
    "](x)",
    "vs ",
    "&",
]
texts = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=60).map("".join))


@given(texts)
def test_every_name_is_a_slice_of_the_answer_and_found_once(answer: str) -> None:
    found = find_candidates(Text.of(answer, None), TRACKED)

    assert [one.key for one in found] == [key(answer[one.start : one.start + one.length]) for one in found]
    assert len({one.key for one in found}) == len(found)
    assert all(2 <= one.length <= LONGEST and 1 <= one.weight <= 4 for one in found)


@given(texts)
def test_looking_twice_finds_the_same(answer: str) -> None:
    assert find_candidates(Text.of(answer, None), TRACKED) == find_candidates(Text.of(answer, None), TRACKED)
