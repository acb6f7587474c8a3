"""What an edit of a question changed, as people read it."""

import pytest

from answerwatch.workspace.questions.comparing import compared


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
