"""Folding and the way back to the raw text."""

import pytest

from answerwatch.reading.fold import fold, key, lower, simplify, squeeze


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＯＰＰＯ　Ｘ", "oppo x"),
        ("華為爲臺", "华为为台"),
        ("Paula’s", "paula's"),
        ("A·O・B", "a.o.b"),
        ("Coca‑Cola", "coca-cola"),
        ("Straße İ ﬁ", "straße İ ﬁ"),
        ("a\ud800b", "a\ufffdb"),
    ],
)
def test_fold_keeps_the_length(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert len(fold(text)) == len(text)


def test_squeeze_leaves_out_what_may_stand_inside_a_name() -> None:
    text = "小\u200b**米** 14\n  Pro"
    squeezed = squeeze(text)
    assert squeezed.text == "小米14pro"
    assert text[slice(*squeezed.raw_span(0, 2))] == "小\u200b**米"
    assert text[slice(*squeezed.raw_span(4, 7))] == "Pro"


def test_key_is_the_same_for_every_spelling() -> None:
    assert key("H\\&M") == key("H&amp;M") == key("ｈ＆ｍ") == "h&m"


def test_simplify_and_lower_keep_the_length() -> None:
    assert simplify("我推薦華爲 HUAWEI") == "我推荐华为 HUAWEI"
    assert lower("İSTANBUL Sony") == "İstanbul sony"
