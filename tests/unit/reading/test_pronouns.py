"""What pronouns stand for (traps B21 to B24); they never count."""

import pytest

from answerwatch.reading import Lexicon, clean

LEXICON = Lexicon.of(
    {"华为": ["华为"], "小米": ["小米"], "OPPO": ["OPPO"], "苹果": ["苹果"]}, exclude={"苹果": ["吃了苹果"]}
)


@pytest.mark.parametrize(
    ("text", "pronoun", "expected"),
    [
        pytest.param("华为贵。小米便宜，它省钱。", "它", "小米", id="B21-nearest"),
        pytest.param("吃了苹果，它很甜。", "它", None, id="B22-excluded-thing-blocks"),
        pytest.param("它到底好不好？先看华为。", "它", None, id="nothing-before"),
        pytest.param("华为发布新机，该品牌销量大增。", "该品牌", "华为", id="this-brand"),
        pytest.param("华为和其影像系统都好。", "其", "华为", id="its"),
        pytest.param("华为不如小米，选后者。", "后者", "小米", id="B24-latter"),
        pytest.param("华为不如小米，前者更贵。", "前者", "华为", id="B24-former"),
        pytest.param("华为好。\n\n另说。\n\n再说它。", "它", None, id="B24-paragraph-limit"),
        pytest.param("华为好。" + "今天天气不错。" * 20 + "它呢。", "它", None, id="B24-distance-limit"),
    ],
)
def test_antecedents(text: str, pronoun: str, expected: str | None) -> None:
    reading = clean(text, scene="OTHER", lexicon=LEXICON).reading
    assert reading is not None
    assert [(p.text, p.standard_name) for p in reading.pronouns] == [(pronoun, expected)]
    assert all(text[p.start : p.end] == p.text for p in reading.pronouns)


@pytest.mark.parametrize(
    "text", ["华为好，其实都行。", "华为和其他品牌。", "华为尤其好。", "华为、小米都好，它们便宜。", "其中华为好。"]
)
def test_b23_no_pronouns(text: str) -> None:
    reading = clean(text, scene="OTHER", lexicon=LEXICON).reading
    assert reading is not None
    assert reading.pronouns == ()


def test_pronouns_add_nothing_to_the_count() -> None:
    reading = clean("华为好。它省电，它轻。", scene="OTHER", lexicon=LEXICON).reading
    assert reading is not None
    assert reading.of("华为").mention_count == 1
    assert len(reading.pronouns) == 2


def test_a_pronoun_that_stands_for_a_brand_is_traced_beside_the_candidates() -> None:
    text = "它呢？\n1. 华为好。\n2. 选小米，它轻。"
    reading = clean(text, scene="OTHER", lexicon=LEXICON).reading
    assert reading is not None
    assert [(trace.matched_alias, trace.standard_name, trace.via, trace.counts) for trace in reading.traces] == [
        ("华为", "华为", "alias", True),
        ("小米", "小米", "alias", True),
        ("它", "小米", "pronoun", False),
    ]
    pronoun = reading.traces[-1]
    assert text[pronoun.match_position : pronoun.end] == "它"
    assert (pronoun.reason, pronoun.region) == ("stands_for", "item_body")


def test_a_name_spelt_like_a_pronoun_is_traced_once() -> None:
    lexicon = Lexicon.of({"本品": ["本品", "本品牌"]})
    reading = clean("本品不错，本品牌省电。", scene="OTHER", lexicon=lexicon).reading
    assert reading is not None
    assert len(reading.pronouns) == 1
    assert [(trace.matched_alias, trace.via) for trace in reading.traces] == [("本品", "alias"), ("本品牌", "alias")]
