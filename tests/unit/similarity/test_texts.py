"""Texts as scorers get them: normalised, hashed, numbered."""

import pytest

from answerwatch.similarity.texts import NO_TEXT, Distinct, normalised, numbered, text_hash


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("  怎么　退货\t\n？ ", "怎么 退货 ?"),
        ("ＡＢＣ１２３", "ABC123"),
        ("ﬁne ①", "fine 1"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("right\u202eto\u202cleft", "righttoleft"),
        ("soft\u00adhyphen", "softhyphen"),
        ("nul\x00in\x07side", "nul in side"),
        ("half \ud800 pair", "half pair"),
        ("\u3000\u200b\x00", ""),
        ("Case Stays", "Case Stays"),
        ("繁體 stays", "繁體 stays"),
    ],
)
def test_a_text_is_compared_without_what_nobody_sees(text: str, found: str) -> None:
    assert normalised(text) == found


def test_equal_texts_have_one_number_over_both_lists() -> None:
    distinct = Distinct()

    left = numbered(["a", "b", "a", ""], distinct)
    right = numbered(["c", " b "], distinct)

    assert (left.tolist(), right.tolist()) == ([0, 1, 0, NO_TEXT], [2, 1])
    assert (distinct.texts, distinct.first_lines) == (["a", "b", "c"], [1, 2, 1])


def test_questions_and_passages_are_numbered_apart() -> None:
    distinct = Distinct()
    numbered(["a", "b"], distinct)
    distinct.begin_apart()

    assert numbered(["b", "b", "x"], distinct).tolist() == [2, 2, 3]


def test_a_hash_is_the_same_for_ever() -> None:
    # Vectors are remembered under it: another one would make every memory of a workspace worthless.
    assert text_hash("怎么退货").hex() == "85cde5a9c8b17368f44bf05cefbfeed1"
