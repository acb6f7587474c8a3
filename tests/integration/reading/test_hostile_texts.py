"""Texts made to be slow: the work must grow with the length, not with its square (rep-redos-rule)."""

import pytest

from answerwatch.domain.brands import Alias, Brand, LexiconVersion, Rule, RuleKind
from answerwatch.reading import Lexicon, clean

LEXICON = Lexicon.of(
    {"华为": ["华为", "HUAWEI"], "美的": ["美的"], "苹果": ["苹果"]},
    exclude={"华为": ["华为云"], "苹果": ["苹果手机壳", "(\\s*苹果\\s*)+手机壳$", "(a|aa)+$", "["]},
)

NEEDY = Lexicon.compile(
    LexiconVersion(
        version=1,
        content_hash="",
        brands=(
            Brand(
                brand_id="华为",
                standard_name="华为",
                aliases=(Alias(text="华为"),),
                rules=tuple(
                    Rule(kind=RuleKind.REQUIRE, pattern=text, window=1000)
                    for text in ("b", "手机", "(a+)+$", "c", "为")
                ),
            ),
        ),
    )
)
"""A name that needs phrases nearby: every one of them is found once, however many names stand around it."""

HOSTILE = {
    "needed phrases inside words": "华为ababab " * 20_000,
    "no needed phrase": "华为华为华为 " * 20_000,
    "marks": "*" * 300_000,
    "one alias": "华为" * 20_000,
    "excluded alias": "华为云" * 20_000,
    "nested list": "".join("  " * depth + "- x\n" for depth in range(1000)),
    "opened thoughts": "<think>" * 20_000,
    "closed thoughts": "</think>" * 20_000,
    "brackets": "[" * 100_000,
    "links": "[a](" * 20_000,
    "quotes": "“" * 30_000 + "”" * 30_000,
    "chain": "华为>" * 10_000,
    "rows": "| 华为 | 1 |\n" * 5_000,
    "numbers": "1. 华为\n" * 5_000,
    "addresses": "https://a.b/" * 5_000,
    "halves of characters": "\ud800" * 50_000 + "华为",
    "nul": "\x00" * 50_000 + "华为",
    "joined": "华为、" * 20_000,
    "titles of sources": "来源\n" * 20_000,
    "inabilities": "我无法" * 20_000,
    "fruit": "苹果 " * 10_000 + "！",
    "html": "<a " * 20_000,
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
@pytest.mark.parametrize("lexicon", [pytest.param(LEXICON, id="plain"), pytest.param(NEEDY, id="needy")])
def test_hostile_texts_are_read(name: str, lexicon: Lexicon) -> None:
    cleaned = clean(HOSTILE[name], question="推荐什么手机好", scene="RECOMMEND", lexicon=lexicon)
    assert cleaned.is_valid == (cleaned.reading is not None)


def test_rep_redos_rule_patterns_are_plain_phrases() -> None:
    cleaned = clean("苹果手机壳和苹果手机。", scene="OTHER", lexicon=LEXICON)
    assert cleaned.reading is not None
    assert [match.reason for match in cleaned.reading.matches] == ["excluded", "accepted"]
