"""What an edit of a question changed, as people read it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerwatch.workspace.questions.text_diff import compared


@pytest.mark.parametrize(
    ("before", "after", "pieces"),
    [
        ("best coffee?", "best cheap coffee?", [("added", " cheap")]),
        ("推荐咖啡", "推荐茶", [("removed", "咖啡"), ("added", "茶")]),
        ("iPhone手机哪个好", "iPhone手机哪款好", [("removed", "个"), ("added", "款")]),
        ("3000元手机", "5000元手机", [("removed", "3000"), ("added", "5000")]),
        ("", "a", [("added", "a")]),
        ("a\nb", "a b", [("removed", "\n"), ("added", " ")]),
    ],
)
def test_words_and_chinese_characters_are_compared(before: str, after: str, pieces: list[tuple[str, str]]) -> None:
    found = list(compared(before, after))

    assert [piece for piece in found if piece.kind != "same"] == pieces
    assert "".join(piece.text for piece in found if piece.kind != "removed") == after
    assert "".join(piece.text for piece in found if piece.kind != "added") == before


LONG = "".join(chr(0x4E00 + number * 7919 % 1_000) for number in range(20_000))
SENTENCES = "。".join(LONG[start : start + 40] for start in range(0, 20_000, 40))


@pytest.mark.parametrize(
    ("before", "after", "pieces"),
    [
        (LONG, f"{LONG[:9_000]}新{LONG[9_001:]}", [("removed", LONG[9_000]), ("added", "新")]),
        (LONG, f"{LONG}新", [("added", "新")]),
        (SENTENCES, f"第一句。{SENTENCES}", [("added", "第一句。")]),
    ],
)
def test_what_changed_in_a_long_text_is_found(before: str, after: str, pieces: list[tuple[str, str]]) -> None:
    assert [piece for piece in compared(before, after) if piece.kind != "same"] == pieces


def test_of_many_sentences_that_changed_each_is_compared_by_itself() -> None:
    after = "。".join(f"{sentence[:10]}新{sentence[11:]}" for sentence in SENTENCES.split("。"))

    found = list(compared(SENTENCES, after))

    assert sum(len(piece.text) for piece in found if piece.kind == "added") == 500


@given(before=st.text("ab好。\n ", max_size=40), after=st.text("ab好。\n ", max_size=40))
def test_both_texts_are_whole_in_the_pieces(before: str, after: str) -> None:
    found = list(compared(before * 50, after * 50))

    assert "".join(piece.text for piece in found if piece.kind != "removed") == after * 50
    assert "".join(piece.text for piece in found if piece.kind != "added") == before * 50
    assert all(piece.text for piece in found)
