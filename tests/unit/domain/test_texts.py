"""What every store can hold of a text."""

import json

from hypothesis import given
from hypothesis import strategies as st

from answerwatch.domain.texts import shortened, storable, storable_json

ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.text(
    st.sampled_from("a华\x00\ud83d\ude00\ufffe\uffff\ufdd0😀")
)


@given(ANY_TEXT)
def test_positions_never_move_and_every_store_takes_the_result(text: str) -> None:
    found = storable(text)
    assert len(found.text) == len(text)
    assert found.altered == sum(1 for old, new in zip(text, found.text, strict=True) if old != new)
    assert "\x00" not in found.text
    assert found.text.encode("utf-8").decode("utf-8") == found.text
    assert storable(found.text) == (type(found)(found.text, 0))


def test_what_is_replaced_and_what_is_not() -> None:
    assert storable("推\x00荐").text == "推\ufffd荐"
    assert storable("\ude00\ud83d").altered == 2
    assert storable("\ufdd0\U0001fffe\U0010ffff").altered == 3
    fine = "😀\x01\x7f\u200b\ufeff\u2028\U000e0001"
    assert storable(fine) == type(storable(fine))(fine, 0)


@given(
    st.recursive(
        ANY_TEXT | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
        max_leaves=8,
    )
)
def test_json_values_become_storable_at_every_depth(value: object) -> None:
    text = json.dumps(storable_json(value), ensure_ascii=False)
    assert storable(text).altered == 0


@given(ANY_TEXT, st.integers(2, 50))
def test_a_shortened_text_fits_and_shows_that_it_was_cut(text: str, longest: int) -> None:
    found = shortened(text, longest)
    assert found is not None
    assert len(found) == min(len(text), longest)
    assert len(text) <= longest or found.endswith("…")
    assert shortened(None, longest) is None
