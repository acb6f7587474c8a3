"""Where names do not count: code, addresses, sources, thoughts, the question, the page around (trap B13)."""

import pytest

from answerwatch.domain.clean_states import InvalidReason
from answerwatch.reading import Lexicon, Region, clean

LEXICON = Lexicon.of({"A牌": ["A牌"], "B牌": ["B牌"], "小米": ["小米", "xiaomi"], "Google": ["Google"]})


def counts(text: str, brand: str, question: str | None = None) -> int:
    """Return how often a brand is mentioned."""
    reading = clean(text, question=question, scene="OTHER", lexicon=LEXICON).reading
    assert reading is not None
    return reading.of(brand).mention_count


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("见 https://www.xiaomi.com 官网。", 0, id="address"),
        pytest.param("官网是 xiaomi.com，欢迎访问。", 0, id="host"),
        pytest.param("[评测](https://example.com/xiaomi-14) 写得好。", 0, id="link-target"),
        pytest.param("[小米](https://example.com/x) 值得一看。", 1, id="link-text"),
        pytest.param('[评测](https://example.com "小米") 写得好。', 0, id="link-title"),
        pytest.param("看这里[1]。\n\n[1]: https://example.com/xiaomi\n", 0, id="definition"),
        pytest.param("示例：\n```python\nbrand = '小米'\n```\n完。", 0, id="code-block"),
        pytest.param("```markdown\n推荐小米。\n```", 1, id="fence-around-text"),
        pytest.param("在正文里 `小米` 也算。", 1, id="inline-code"),
        pytest.param("好用[1]。\n\n参考资料：\n[1] 小米社区：横评", 0, id="source-list"),
        pytest.param("好用。\n\n**参考来源**\n- 小米官网\n\n## 结论\n小米省电。", 1, id="source-list-ends-at-heading"),
        pytest.param("好用[^1]。\n\n[^1]: 小米社区", 0, id="footnote"),
        pytest.param("<b>小米</b>省电。", 1, id="html-text"),
        pytest.param('<img src="x" alt="小米">省电。', 0, id="html-tag"),
        pytest.param("> 小米省电。\n\n有人这样说。", 1, id="quote-carries"),
        pytest.param("来源：小米官方。它很省电。", 1, id="attribution-in-words"),
    ],
)
def test_regions(text: str, expected: int) -> None:
    assert counts(text, "小米") == expected


def test_page_furniture_is_silent() -> None:
    text = "Buy a mesh router. Your feedback helps Google improve. See our Privacy Policy."
    assert counts(text, "Google") == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("关于“小米手机怎么样”，很多人说省电。", 0),
        ("小米手机怎么样？\n小米省电。", 1),
        ("小米手机怎么样取决于预算。", 1),
        ("他说“小米省电”。", 1),
    ],
)
def test_the_question_repeated_is_no_mention(text: str, expected: int) -> None:
    assert counts(text, "小米", question="小米手机怎么样") == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<think>先看B牌</think>\n推荐A牌。", id="1-closed"),
        pytest.param("先看B牌，价格偏高\n</think>\n推荐A牌。", id="2-only-closing"),
        pytest.param("<think>先看B牌</think>推荐A牌。XML 里 </think> 是闭合标签。", id="3-second-closing"),
        pytest.param("<THINKING >先看B牌</thinking >推荐A牌。", id="5-spelling"),
        pytest.param("```xml\n<think>示例B牌</think>\n```\n推荐A牌。", id="6-in-code"),
        pytest.param("<think>看B牌<think>再看B牌</think>还是B牌</think>推荐A牌。", id="nested"),
        pytest.param("<think>看B牌<think>再看B牌</think>推荐A牌。", id="nested-unpaired"),
        pytest.param("◁think▷先看B牌◁/think▷推荐A牌。", id="other-brackets"),
    ],
)
def test_rep_think_tag_shapes(text: str) -> None:
    reading = clean(text, scene="RECOMMEND", lexicon=LEXICON).reading
    assert reading is not None
    assert (reading.of("A牌").mention_count, reading.of("B牌").mention_count) == (1, 0)
    match = next(m for m in reading.matches if m.is_valid_match)
    assert text[match.match_position : match.end] == "A牌"


def test_rep_think_tag_shapes_counts_in_the_raw_text() -> None:
    reading = clean("先看B牌，价格偏高\n</think>\n推荐A牌。", lexicon=LEXICON).reading
    assert reading is not None
    assert reading.of("A牌").first_position == 21


def test_rep_think_tag_shapes_unclosed_is_no_answer() -> None:
    cleaned = clean("<think>先看B牌，再看A牌（到此被截断）", lexicon=LEXICON)
    assert (cleaned.invalid_reason, cleaned.truncated) == (InvalidReason.NO_ANSWER, True)
    assert cleaned.verdict.note == "thinking_unclosed"
    assert cleaned.of("A牌") is None


def test_matches_say_where_they_stand() -> None:
    text = "## 小米\n\n1. A牌：比B牌省电\n\n| 型号 | 价 |\n|---|---|\n| 小米 | 1 |\n\n小米好。"
    reading = clean(text, scene="RECOMMEND", lexicon=LEXICON).reading
    assert reading is not None
    assert [m.region for m in reading.matches] == [
        Region.HEADING,
        Region.ITEM_HEAD,
        Region.ITEM_BODY,
        Region.TABLE,
        Region.PROSE,
    ]
