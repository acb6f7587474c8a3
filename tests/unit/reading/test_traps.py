"""Traps of reading answers about brands, by number and name: what a first version of the product read wrongly."""

import pytest

from answerwatch.reading import CleanedAnswer, Lexicon, Via, clean

LETTERED = {"品牌A": ["品牌A", "BrandA", "A牌", "A品牌"]}
FIRMS = {"华为": ["华为"], "小米": ["小米"]}
FRUIT = {"苹果": ["苹果", "Apple"]}


def read(text: str, names: dict[str, list[str]], question: str | None = None) -> CleanedAnswer:
    lexicon = Lexicon.of(names, exclude={"苹果": ["苹果汁"]} if "苹果" in names else None)
    return clean(text, question=question, lexicon=lexicon)


def accepted(text: str, names: dict[str, list[str]]) -> list[str]:
    """Return the aliases that count, in order."""
    reading = read(text, names).reading
    assert reading is not None
    return [match.matched_alias for match in reading.matches if match.counts]


@pytest.mark.parametrize(
    ("text", "names", "counted"),
    [
        pytest.param("品牌A牌照齐全。", LETTERED, ["品牌A"], id="B2 names that overlap"),
        pytest.param(
            "欧派家居很好。", {"欧派": ["欧派", "欧派家居"]}, ["欧派家居"], id="B3 a name inside a longer name"
        ),
        pytest.param(
            "欧派家居很好。", {"欧派": ["欧派家居", "欧派"]}, ["欧派家居"], id="B4 whatever the order of the lexicon"
        ),
        pytest.param("京东方量产了。", {"京东": ["京东"]}, [], id="B5 a name inside the name of another company"),
        pytest.param("看看Oppo Reno吧。", {"OPPO": ["OPPO"]}, ["OPPO"], id="B6 case"),
        pytest.param("ＯＰＰＯ好用。", {"OPPO": ["OPPO"]}, ["OPPO"], id="B7 width"),
        pytest.param("推薦華為。", FIRMS, ["华为"], id="B8 traditional characters"),
        pytest.param("MIUI系统很好。", {"小米": ["MI"]}, [], id="B9 inside a Latin word"),
        pytest.param("为振兴中华为先。", FIRMS, [], id="B10 across two words"),
        pytest.param("上海信号好。", {"海信": ["海信"]}, [], id="B10 across a name and a word"),
        pytest.param("小\u200b米不错。", FIRMS, ["小米"], id="B11 invisible characters"),
        pytest.param("小**米**不错。", FIRMS, ["小米"], id="B11 marks inside a name"),
        pytest.param("华\n为手机不错。", FIRMS, ["华为"], id="B12 a line break"),
        pytest.param("振兴中华\n\n为什么呢。", FIRMS, [], id="B12 a blank line"),
        pytest.param("参数见 https://www.xiaomi.com 官网。", {"小米": ["xiaomi"]}, [], id="B13 addresses"),
        pytest.param("例子：\n\n```\nprint('华为')\n```\n\n好了。", FIRMS, [], id="B13 code"),
        pytest.param("<think>华为？</think>看需求吧。", FIRMS, [], id="B13 reasoning"),
        pytest.param("看需求吧。\n\n来源：\n1. 华为年报", FIRMS, [], id="B13 titles of sources"),
        pytest.param("Paula’s Choice很温和。", {"宝拉": ["Paula's Choice"]}, ["Paula's Choice"], id="B14 apostrophes"),
        pytest.param("可以看看H\\&M。", {"H&M": ["H&M"]}, ["H&M"], id="B14 escapes"),
        pytest.param("可以看看H&amp;M。", {"H&M": ["H&M"]}, ["H&M"], id="B14 entities"),
        pytest.param("Coca‑Cola好喝。", {"可口可乐": ["Coca-Cola"]}, ["Coca-Cola"], id="B14 hyphens"),
        pytest.param("AO史密斯不错。", {"A.O.史密斯": ["A.O.史密斯", "AO史密斯"]}, ["AO史密斯"], id="B14 dots"),
        pytest.param("每天吃苹果。", FRUIT, [], id="B15 a sense that is not the brand"),
        pytest.param(
            "早上吃苹果，下午修苹果笔记本。", FRUIT, ["苹果"], id="B16 a phrase rejects only what it speaks of"
        ),
        pytest.param("每天吃蘋果。", FRUIT, [], id="B17 another spelling of the sense"),
        pytest.param("他喜欢蘋果汁。", FRUIT, [], id="B17 another spelling of an exclude phrase"),
        pytest.param("苹果富含维生素。", FRUIT, [], id="B18 a sense that no rule names"),
        pytest.param("哈哈哈不错。", {"哈哈": ["哈哈"]}, ["哈哈"], id="B20 a name that overlaps itself"),
    ],
)
def test_what_counts(text: str, names: dict[str, list[str]], counted: list[str]) -> None:
    assert accepted(text, names) == counted


def test_b13_the_question_repeated_and_the_page_around_the_answer() -> None:
    reading = read("华为手机怎么样？\n\n看需求。\n\n内容由AI生成，仅供参考", FIRMS, question="华为手机怎么样？").reading

    assert reading is not None
    assert [match.reason for match in reading.matches] == ["region:question"]


@pytest.mark.parametrize(
    ("text", "names", "pronoun", "brand"),
    [
        pytest.param("华为贵。小米便宜，它省钱。", FIRMS, "它", "小米", id="B21 the nearest one"),
        pytest.param("吃了苹果，它很甜。", FRUIT, "它", None, id="B22 not a rejected one"),
        pytest.param("华为和小米都好，后者便宜。", FIRMS, "后者", "小米", id="B24 the latter"),
        pytest.param("华为很好。" + "天气不错，" * 20 + "它省钱。", FIRMS, "它", None, id="B24 too far away"),
    ],
)
def test_whom_a_pronoun_means(text: str, names: dict[str, list[str]], pronoun: str, brand: str | None) -> None:
    reading = read(text, names).reading

    assert reading is not None
    assert [(one.text, one.standard_name) for one in reading.pronouns] == [(pronoun, brand)]
    assert all(match.via is Via.ALIAS for match in reading.matches)


@pytest.mark.parametrize(
    "text", ["华为好。其实都行。", "华为好。尤其拍照。", "华为好。其他也行。", "华为好，它们都好。"]
)
def test_b23_words_that_only_look_like_pronouns(text: str) -> None:
    reading = read(text, FIRMS).reading

    assert reading is not None
    assert reading.pronouns == ()


@pytest.mark.parametrize(
    ("text", "question", "reason"),
    [
        pytest.param("首推小米14 Ultra。", None, None, id="B26 a short answer"),
        pytest.param(" " * 40, None, "empty", id="B27 blanks"),
        pytest.param(
            "您好，感谢您的提问。" * 12 + "很抱歉，我无法推荐具体的品牌。", None, "refused", id="B28 a late refusal"
        ),
        pytest.param(
            "常有人被回“暂时无法回答”，其实可选小米，续航和屏幕都不错。", None, None, id="B29 a quoted refusal"
        ),
        pytest.param("I'm sorry, but I can't help with that.", None, "refused", id="B30 an English refusal"),
        pytest.param("我还没有学会这个话题，换个话题吧。", None, "refused", id="B30 the text of a filter"),
        pytest.param('{"error": {"code": 500}}', None, "error", id="B30 an error object"),
        pytest.param(
            "<html><head><title>502 Bad Gateway</title></head></html>", None, "error", id="B30 a page of an error"
        ),
        pytest.param("服务器繁忙，请稍后再试。", None, "error", id="B30 a busy notice"),
        pytest.param(
            "关于“2000元手机推荐哪个品牌”，我不便评价。",
            "2000元手机推荐哪个品牌",
            "refused",
            id="B32 it repeats the question",
        ),
    ],
)
def test_whether_it_is_an_answer(text: str, question: str | None, reason: str | None) -> None:
    assert read(text, FIRMS, question=question).invalid_reason == reason


def test_b33_nothing_is_known_of_a_text_that_is_no_answer() -> None:
    assert read("抱歉，我无法回答这个问题。", FIRMS).of("华为") is None


def test_b34_who_has_no_place_has_none() -> None:
    brand = read("华为的屏幕很亮。", FIRMS).of("华为")

    assert brand is not None
    assert brand.recommendation_rank is None


def test_b37_positions_are_code_points_of_the_raw_answer() -> None:
    reading = read("😀华为很好。", FIRMS).reading

    assert reading is not None
    assert [(match.match_position, match.end) for match in reading.matches] == [(1, 3)]


def test_b41_the_reason_and_the_phrase_are_apart() -> None:
    verdict = read("I'm sorry, but I can't help with that request about brands of any kind.", FIRMS).verdict

    assert verdict.invalid_reason == "refused"
    assert verdict.note is not None
