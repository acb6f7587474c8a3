"""What every store may hold: the quick look and the close one agree on every character there is."""

import sys

import pytest

from answerwatch.domain.texts import REPLACEMENT, storable


def is_refused(code: int) -> bool:
    return code == 0 or 0xD800 <= code <= 0xDFFF or 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE


@pytest.mark.parametrize("plane", range(17))
def test_exactly_nul_surrogates_and_noncharacters_are_replaced(plane: int) -> None:
    codes = range(plane << 16, min((plane + 1) << 16, sys.maxunicode + 1))
    # Only the places where the answer changes, and a few between them: all of them would take a second a plane.
    chosen = [code for code in codes if is_refused(code) != is_refused(code - 1) or code % 97 == 0 or is_refused(code)]

    assert [code for code in chosen if storable(chr(code)).altered] == [code for code in chosen if is_refused(code)]


def test_a_text_keeps_its_length_and_everything_else() -> None:
    fixed = storable("推\x00荐A\ud83d牌😀\ufffe")
    assert (fixed.text, fixed.altered) == (f"推{REPLACEMENT}荐A{REPLACEMENT}牌😀{REPLACEMENT}", 3)
    assert storable("推荐A牌。").altered == 0
