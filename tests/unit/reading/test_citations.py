"""What an answer cites, in its text and beside it."""

import pytest

from answerwatch.domain.answers import Citation, CitationKind, CitationOrigin
from answerwatch.reading import Answer, Lexicon, Reading, extract

LEXICON = Lexicon.of({"华为": ["华为"], "小米": ["小米"]}, domains={"华为": ["huawei.com"]})


def read(text: str, *given: Citation) -> Reading:
    """Read a text with the sources of its platform."""
    return extract(Answer(text=text, scene="EVALUATE", citations=given), LEXICON)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("见 [评测](https://example.com/a)。", id="link"),
        pytest.param("见 https://example.com/a 。", id="address"),
        pytest.param("见 <https://example.com/a>。", id="autolink"),
        pytest.param("见 www.example.com/a 。", id="www"),
        pytest.param("华为影像强[1]。", id="marker"),
        pytest.param("Garmin leads in accuracy[12].", id="marker-after-word"),
        pytest.param("华为影像强[1,2][3]。", id="markers"),
        pytest.param("华为影像强【3†source】。", id="tool-marker"),
        pytest.param("华为影像强[^1]。\n\n[^1]: 评测网", id="footnote"),
        pytest.param("华为影像强[citation:3]。", id="citation-marker"),
        pytest.param("华为影像强\n-\n1\n-\n10\n。", id="copied-markers"),
        pytest.param("华为好。\n\n**参考来源**\n- 人民网报道", id="headed-list"),
        pytest.param("Good.\n\n## Sources\n1. The Verge", id="headed-list-english"),
    ],
)
def test_cites(text: str) -> None:
    assert read(text).has_citation is True


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("### [HP 15](), see [specs](#specs).", id="empty-and-in-page-links"),
        pytest.param("据官网介绍，华为保修两年；来源：官方。", id="words-only"),
        pytest.param("- [ ] 华为\n- [x] 小米", id="check-boxes"),
        pytest.param("华为在[2024]年发布。", id="year"),
        pytest.param("数组 arr[1] 和 items[0]。", id="index"),
        pytest.param("```\na[1] = 'https://example.com'\n```\n如上。", id="code"),
        pytest.param("华为影像强。\n\n来源：", id="empty-list"),
        pytest.param("<think>见 https://example.com/a [1]</think>华为好。", id="thinking"),
    ],
)
def test_does_not_cite(text: str) -> None:
    assert read(text).has_citation is False


def test_sources_of_the_platform_come_first_and_each_address_once() -> None:
    given = Citation(
        position=1,
        url="https://huawei.com/a",
        canonical_url="https://huawei.com/a",
        domain="huawei.com",
        kind=CitationKind.CITED,
        origin=CitationOrigin.PLATFORM,
    )
    reading = read("见 [官网](https://huawei.com/a?utm_source=x) 与 [评测](https://example.com/b)。", given)
    assert [(c.position, c.canonical_url, c.origin) for c in reading.citations] == [
        (1, "https://huawei.com/a", CitationOrigin.PLATFORM),
        (2, "https://example.com/b", CitationOrigin.TEXT),
    ]
    assert reading.citations[1].title == "评测"
    assert reading.citations[1].kind is CitationKind.LINKED


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://consumer.huawei.com/cn", True),
        ("https://www.huawei.com", True),
        ("https://nothuawei.com", False),
        ("https://huawei.com.example.org", False),
    ],
)
def test_own_site(url: str, *, expected: bool) -> None:
    reading = read(f"华为和小米，见 {url} 。")
    assert reading.of("华为").own_site_cited is expected
    assert reading.of("小米").own_site_cited is None


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("华为销量领先[1]，小米次之。", {"华为", "小米"}),
        ("华为销量领先。小米次之[1]。", {"小米"}),
        ("华为销量领先。[1][2] 小米次之。", {"华为"}),
        ("华为销量领先【3†来源】。小米次之。", {"华为"}),
        ("华为销量领先\n-\n1\n-\n10\n。小米次之。", {"华为"}),
        ("华为销量领先。\n-\n1\n-\n2\n小米次之。", {"华为"}),
        ("- 华为：拍照好\n- 小米：便宜，见 https://example.com/a", {"小米"}),
        ("| 品牌 | 价格 |\n|---|---|\n| 华为 | 贵 [2] |\n| 小米 | 便宜 |", {"华为"}),
        ("[华为](https://example.com/a)好。小米也好。", {"华为"}),
        ("华为 leads. [1] 小米 follows.", {"华为"}),
        ("华为 leads at 3.5 percent [1] now. 小米 follows.", {"华为"}),
        ("华为和小米。\n\n参考资料：\n[1] 华为 https://example.com/a", set()),
        ("华为好。数组 arr[1] 里是小米。", set()),
        ("华为和小米都好。", set()),
    ],
)
def test_a_source_stands_near_the_brands_of_its_sentence(text: str, near: set[str]) -> None:
    reading = read(text)
    assert {brand for brand in ("华为", "小米") if reading.of(brand).cites_near} == near


def test_near_a_brand_that_is_not_named_is_not_known() -> None:
    assert read("华为好[1]。").of("小米").cites_near is None
