"""Which names count: the traps B2 to B20 of the specification, each under its number."""

import pytest

from answerwatch.domain.brands import Alias, Brand, LexiconVersion, MatchMode, Rule, RuleKind
from answerwatch.errors import UsageError
from answerwatch.reading import Lexicon, clean

BRANDS = {
    "品牌A": ["品牌A", "BrandA", "A牌", "A品牌"],
    "华为": ["华为", "HUAWEI"],
    "小米": ["小米", "MI", "Xiaomi"],
    "苹果": ["苹果", "Apple"],
    "欧派": ["欧派", "欧派家居"],
    "京东": ["京东"],
    "OPPO": ["OPPO"],
    "海信": ["海信"],
    "美的": ["美的"],
    "哈哈": ["哈哈"],
    "天坛": ["天坛", "天坛装饰"],
    "BMW": ["BMW"],
    "TP-Link": ["TP-Link"],
    "The North Face": ["The North Face", "North Face"],
    "iPhone 15 Pro": ["iPhone 15 Pro"],
    "H&M": ["H&M"],
    "Paula's Choice": ["Paula's Choice"],
    "Coca-Cola": ["Coca-Cola"],
    "GAP": ["GAP"],
}
EXCLUDE = {"苹果": ["吃苹果", "Apple juice"], "京东": ["京东方"], "天坛": ["天坛家具"]}
LEXICON = Lexicon.of(BRANDS, exclude=EXCLUDE)


def spans(text: str, brand: str, lexicon: Lexicon = LEXICON) -> list[str]:
    """Return the raw texts of the counted mentions of a brand."""
    reading = clean(text, scene="OTHER", lexicon=lexicon).reading
    assert reading is not None
    found = [m for m in reading.matches if m.is_valid_match and m.standard_name == brand]
    assert reading.of(brand).mention_count == len(found)
    return [text[m.match_position : m.end] for m in found]


def reasons(text: str, brand: str, lexicon: Lexicon = LEXICON) -> list[str]:
    """Return why the rejected candidates of a brand do not count."""
    reading = clean(text, scene="OTHER", lexicon=lexicon).reading
    assert reading is not None
    return [m.reason for m in reading.matches if not m.is_valid_match and m.standard_name == brand]


@pytest.mark.parametrize(
    ("text", "brand", "expected"),
    [
        pytest.param("品牌A牌照齐全，手续也快。", "品牌A", ["品牌A"], id="B2-overlapping-aliases"),
        pytest.param("欧派家居的门店很多。", "欧派", ["欧派家居"], id="B3-alias-in-longer-alias"),
        pytest.param("京东方量产新面板。", "京东", [], id="B5-other-company"),
        pytest.param("Oppo Reno 很轻。", "OPPO", ["Oppo"], id="B6-case"),
        pytest.param("ＯＰＰＯ好用。", "OPPO", ["ＯＰＰＯ"], id="B7-width"),
        pytest.param("推薦華為。", "华为", ["華為"], id="B8-traditional"),
        pytest.param("MIUI系统很顺手。", "小米", [], id="B9-latin-substring"),
        pytest.param("振兴中华为先。", "华为", [], id="B10-across-words"),
        pytest.param("上海信号好。", "海信", [], id="B10-across-words-2"),
        pytest.param("这件衣服非常完美的。", "美的", [], id="B10-across-words-3"),
        pytest.param("小\u200b米很省电。", "小米", ["小\u200b米"], id="B11-invisible"),
        pytest.param("小**米**很省电。", "小米", ["小**米"], id="B11-marks-inside"),
        pytest.param("华\n为手机不错。", "华为", ["华\n为"], id="B12-soft-break"),
        pytest.param("中华\n\n为什么这样？因为历史。", "华为", [], id="B12-blank-line"),
        pytest.param("- 振兴中华\n- 为什么不呢。", "华为", [], id="B12-next-item"),
        pytest.param("Paula’s Choice is gentle.", "Paula's Choice", ["Paula’s Choice"], id="B14-apostrophe"),
        pytest.param("H\\&M and H&amp;M are the same.", "H&M", ["H\\&M", "H&amp;M"], id="B14-ampersand"),
        pytest.param("Coca‑Cola tastes sweet.", "Coca-Cola", ["Coca‑Cola"], id="B14-hyphen"),
        pytest.param("早上吃苹果，下午修苹果笔记本。", "苹果", ["苹果"], id="B16-exclude-kills-what-it-covers"),
        pytest.param("他爱吃蘋果。", "苹果", [], id="B17-exclude-is-folded"),
        pytest.param("A glass of Apple  juice.", "苹果", [], id="B17-exclude-with-blanks"),
        pytest.param("苹果富含维生素。", "苹果", [], id="B18-unlisted-sense"),
        pytest.param("哈哈哈，真好笑。", "哈哈", ["哈哈"], id="B20-self-overlap"),
        pytest.param("天坛家具不是天坛装饰。", "天坛", ["天坛装饰"], id="other-entity-beside"),
        pytest.param("我用OPPO手机。", "OPPO", ["OPPO"], id="latin-beside-chinese"),
        pytest.param("Two BMWs and a BMW3.", "BMW", ["BMW", "BMW"], id="latin-plural-and-digit"),
        pytest.param("Netgear OrbiTP-Link Deco", "TP-Link", ["TP-Link"], id="latin-glued"),
        pytest.param("Subaru and SUBMI parts.", "小米", [], id="latin-suffix"),
        pytest.param("iPhone15Pro，iPhone 15  Pro。", "iPhone 15 Pro", ["iPhone15Pro", "iPhone 15  Pro"], id="blanks"),
        pytest.param("The North\nFace jackets.", "The North Face", ["The North\nFace"], id="soft-break-latin"),
        pytest.param("Mind the gap; buy GAP.", "GAP", ["GAP"], id="english-word"),
        pytest.param("华为 (HUAWEI) 发布新机。", "华为", ["华为", "HUAWEI"], id="adjacent-aliases"),
        pytest.param("😀华为🚗和👍🏻小米。", "华为", ["华为"], id="B37-emoji-offsets"),
        pytest.param("苹果手机和苹果电脑都在降价。", "苹果", ["苹果", "苹果"], id="brand-sense"),
        pytest.param("如果您对华为情有独钟。", "华为", ["华为"], id="invented-words-are-no-veto"),
        pytest.param("没有找到关于华为的信息。", "华为", [], id="absence"),
        pytest.param("目前暂无关于“华为”主要产品的公开资料。", "华为", [], id="absence-quoted"),
        pytest.param("I have no information about Huawei.", "华为", [], id="absence-english"),
        pytest.param("关于华为的信息很多。", "华为", ["华为"], id="no-absence"),
    ],
)
def test_counts_exactly_the_names_of_the_brand(text: str, brand: str, expected: list[str]) -> None:
    assert spans(text, brand) == expected


@pytest.mark.parametrize(
    ("text", "brand", "reason"),
    [
        ("欧派家居的门店很多。", "欧派", []),
        ("京东方量产新面板。", "京东", ["excluded"]),
        ("MIUI系统很顺手。", "小米", ["inside_word"]),
        ("振兴中华为先。", "华为", ["straddled"]),
        ("苹果富含维生素。", "苹果", ["other_sense"]),
        ("Mind the gap between them.", "GAP", ["common_word"]),
        ("没有找到关于华为的信息。", "华为", ["absent"]),
        ("见 https://www.huawei.com/cn 一文。", "华为", ["region:address"]),
    ],
)
def test_keeps_rejected_candidates_with_the_rule(text: str, brand: str, reason: list[str]) -> None:
    assert reasons(text, brand) == reason


def test_longest_name_wins_across_brands() -> None:
    lexicon = Lexicon.of({"华为": ["华为"], "华为云": ["华为云"]})
    assert spans("华为云和华为", "华为", lexicon) == ["华为"]
    assert spans("华为云和华为", "华为云", lexicon) == ["华为云"]
    assert reasons("华为云和华为", "华为", lexicon) == ["overlapped"]


def test_a_longer_name_with_wrong_edges_leaves_the_shorter_one() -> None:
    lexicon = Lexicon.of({"A": ["品牌A", "品牌AB"]})
    assert spans("选品牌ABc吧", "A", lexicon) == []
    assert spans("选品牌A，不选别的", "A", lexicon) == ["品牌A"]


def test_order_of_the_table_does_not_matter() -> None:
    one = Lexicon.of({"欧派": ["欧派", "欧派家居"]})
    other = Lexicon.of({"欧派": ["欧派家居", "欧派"]})
    text = "欧派家居和欧派"
    assert spans(text, "欧派", one) == spans(text, "欧派", other) == ["欧派家居", "欧派"]


def _version(*brands: Brand) -> Lexicon:
    return Lexicon.compile(LexiconVersion(version=3, content_hash="h", brands=brands))


def test_cased_names_need_their_capitals() -> None:
    target = Brand(brand_id="t", standard_name="Target", aliases=(Alias(text="Target", match_mode=MatchMode.CASED),))
    lexicon = _version(target)
    assert spans("The target is to shop at Target.", "Target", lexicon) == ["Target"]
    assert reasons("The target is met.", "Target", lexicon) == ["case"]


def test_ambiguous_names_need_a_word_of_their_field() -> None:
    mi = Brand(brand_id="m", standard_name="小米", aliases=(Alias(text="小米", match_mode=MatchMode.AMBIGUOUS),))
    assert spans("小米手机卖得好。", "小米", _version(mi)) == ["小米"]
    assert reasons("小米涨价了。", "小米", _version(mi)) == ["no_context"]


def test_required_phrases_must_stand_within_their_window() -> None:
    rule = Rule(kind=RuleKind.REQUIRE, pattern="汽车", window=6)
    ideal = Brand(brand_id="i", standard_name="理想", aliases=(Alias(text="理想"),), rules=(rule,))
    lexicon = _version(ideal)
    assert spans("理想汽车交付新车。", "理想", lexicon) == ["理想"]
    assert reasons("理想终会实现，因为大家都在努力，包括汽车行业。", "理想", lexicon) == ["no_context"]


def test_of_several_required_phrases_one_is_enough() -> None:
    rules = tuple(Rule(kind=RuleKind.REQUIRE, pattern=text, window=4) for text in ("汽车", "增程"))
    lexicon = _version(Brand(brand_id="i", standard_name="理想", aliases=(Alias(text="理想"),), rules=rules))
    assert spans("增程的理想很安静。", "理想", lexicon) == ["理想"]


def test_a_required_phrase_may_be_for_one_name_only() -> None:
    rule = Rule(kind=RuleKind.REQUIRE, pattern="汽车", alias="理想")
    names = (Alias(text="理想"), Alias(text="Li Auto"))
    lexicon = _version(Brand(brand_id="i", standard_name="理想", aliases=names, rules=(rule,)))
    assert spans("理想是一种追求，Li Auto 是一家公司。", "理想", lexicon) == ["Li Auto"]


def test_a_required_phrase_inside_the_name_or_a_word_does_not_stand_nearby() -> None:
    rules = (Rule(kind=RuleKind.REQUIRE, pattern="ideal"), Rule(kind=RuleKind.REQUIRE, pattern="AI"))
    lexicon = _version(Brand(brand_id="i", standard_name="I", aliases=(Alias(text="Ideal Home"),), rules=rules))
    assert reasons("Ideal Home said so again.", "I", lexicon) == ["no_context"]
    assert spans("Ideal Home said so of AI.", "I", lexicon) == ["Ideal Home"]


def test_a_required_phrase_that_reaches_over_the_name_stands_nearby() -> None:
    rule = Rule(kind=RuleKind.REQUIRE, pattern="小米手机", window=2)
    lexicon = _version(Brand(brand_id="m", standard_name="小米", aliases=(Alias(text="小米"),), rules=(rule,)))
    assert spans("小米手机卖得好。", "小米", lexicon) == ["小米"]


def test_names_and_rules_out_of_use_have_no_effect() -> None:
    names = (Alias(text="理想"), Alias(text="Li Auto", is_active=False))
    rules = tuple(Rule(kind=kind, pattern="理想汽车", is_active=False) for kind in RuleKind)
    lexicon = _version(Brand(brand_id="i", standard_name="理想", aliases=names, rules=rules))
    assert spans("理想汽车就是 Li Auto。", "理想", lexicon) == ["理想"]
    idle = Brand(brand_id="i", standard_name="理想", aliases=(Alias(text="理想", is_active=False),))
    assert spans("理想汽车就是 Li Auto。", "理想", _version(idle)) == []


def test_exclude_phrases_may_speak_of_one_alias_only() -> None:
    rule = Rule(kind=RuleKind.EXCLUDE, pattern="Apple tree", alias="Apple")
    apple = Brand(brand_id="a", standard_name="苹果", aliases=(Alias(text="Apple"), Alias(text="App")), rules=(rule,))
    assert spans("An Apple tree. Apple phones.", "苹果", _version(apple)) == ["Apple"]


def test_inactive_brands_are_left_out() -> None:
    gone = Brand(brand_id="g", standard_name="旧牌", aliases=(Alias(text="旧牌"),), is_active=False)
    assert _version(gone).brands == ()
    assert clean("旧牌还在吗，已经停产了。", lexicon=_version(gone)).is_valid


def test_a_name_without_letters_is_refused() -> None:
    with pytest.raises(UsageError, match="without any letter"):
        Lexicon.of({"X": ["**"]})


def test_excludes_of_an_unknown_brand_are_refused() -> None:
    with pytest.raises(UsageError, match="No brand of the lexicon"):
        Lexicon.of({"X": ["X"]}, exclude={"Y": ["y"]})
