"""Names in answers that may be a brand's: what is found, and what only looks like one."""

import pytest

from answerwatch.reading import Lexicon
from answerwatch.reading.candidates import Way, covers, find_candidates
from answerwatch.reading.matching import Text

TRACKED = Lexicon.of({"华为": ["华为", "HUAWEI"], "小米": ["小米"]}, exclude={"华为": ["华为云"]})


def names(answer: str, question: str | None = None, lexicon: Lexicon = TRACKED) -> dict[str, Way]:
    """Names found in an answer that the lexicon does not cover, with how they stand there."""
    found = find_candidates(Text.of(answer, question), lexicon)
    spelled = {answer[one.start : one.start + one.length]: one.way for one in found}
    return {name: way for name, way in spelled.items() if not covers(name, lexicon)}


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("1. **索菲亚**：柜类见长。\n2. 志邦家居 - 橱柜好。\n3、好莱客（原态板材）", {"索菲亚", "志邦家居", "好莱客"}),
        ("### 一、小鹏G6\n很值得看。\n### 二、极氪007\n也不错。", {"小鹏G6", "极氪007"}),
        ("- OPPO / 一加 / realme：线下店多。", {"OPPO", "一加", "realme"}),
        ("| 品牌 | 价格 |\n|---|---|\n| 石头科技 | 高 |\n| 追觅 | 中 |", {"石头科技", "追觅"}),
        ("- 与索菲亚对比\n- vs 尚品宅配：服务更细。", {"尚品宅配"}),
        ("1. DreamCloud – Best Overall\n2. Tuft & Needle Mint: firm", {"DreamCloud", "Tuft & Needle Mint"}),
    ],
)
def test_heads_of_items_are_names(answer: str, found: set[str]) -> None:
    assert {name for name, way in names(answer).items() if way is Way.HEAD} == found


def test_members_of_an_enumeration_beside_a_tracked_brand_are_names() -> None:
    assert names("可以看看华为、极石、阿维塔等品牌。") == {"极石": Way.LISTED, "阿维塔": Way.LISTED}


def test_an_enumeration_without_any_known_name_says_nothing() -> None:
    assert names("注意选材、收口、排钻等环节。") == {}


def test_runs_of_latin_words_are_names_without_the_word_that_opens_the_sentence() -> None:
    answer = "The Sonos Era 300 is loud. However Bose QuietComfort fits better. Cheap ones are bad, the iPhone is not."

    assert names(answer) == {"Sonos Era 300": Way.LATIN, "Bose QuietComfort": Way.LATIN, "iPhone": Way.LATIN}


@pytest.mark.parametrize(
    "answer",
    [
        "1. **价格**：3000元。\n2. **优点**：轻。\n3. 总结\n4. 预算有限\n5. 适合人群：学生",
        "**核心优势**：影像好。**12+256GB** 版本，支持 **5G** 与 **120Hz**，搭载 **OLED** 屏。",
        "## 为什么选择它\n## 如何选购\n## 2026年5月\n## 深圳\n## 建议",
        "## Best for Beginners\n## Key Features\n## Why It Works\n## May 2026\n* Stylish, sporty design",
        "1. 特点：甲\n2. 特点：乙\n3. 特点：丙\n- 镜柜：丁\n- 镜柜：戊\n- 镜柜：己",
        "Check the price. Remember the size. It has USB-C, WiFi and 16GB of RAM.",
    ],
    ids=["labels", "bold", "headings", "english", "repeated", "sentences"],
)
def test_labels_units_questions_and_dates_are_no_names(answer: str) -> None:
    assert names(answer) == {}


def test_words_that_the_answer_writes_in_small_letters_are_words() -> None:
    assert names("A topper helps. The best Topper is thick; Zinus makes one.") == {}
    assert names("A topper helps. The best of them is from Zinus Group.") == {"Zinus Group": Way.LATIN}


@pytest.mark.parametrize(
    "answer",
    [
        "<think>\n- 极石汽车\n- Rivian R1\n</think>\n没有更多了。",
        "如下：\n\n```\n- Rivian R1\n```\n\n没有更多了。",
        "参考来源：\n- [极石官网](https://example.com/Rivian)\n- Rivian R1",
    ],
    ids=["thoughts", "code", "sources"],
)
def test_silent_parts_of_an_answer_hold_no_names(answer: str) -> None:
    assert names(answer) == {}


def test_a_name_is_found_once_with_its_place_by_its_most_telling_way() -> None:
    answer = "很多人问 Rivian 怎么样。\n1. RIVIAN：越野。"

    (one,) = [c for c in find_candidates(Text.of(answer, None), TRACKED) if c.key == "rivian"]

    assert answer[one.start : one.start + one.length] == "RIVIAN"
    assert (one.way, one.weight) == (Way.HEAD, 4)


def test_a_phrase_of_ordinary_words_is_hardly_brand_like() -> None:
    weights = {one.key: one.weight for one in find_candidates(Text.of("1. 图片处理\n2. 石头科技\n", None), TRACKED)}

    assert weights == {"图片处理": 1, "石头科技": 3}


@pytest.mark.parametrize("name", ["华为", "HUAWEI Mate 60", "華為", "华为云", "小米SU7"])
def test_a_name_that_holds_one_of_the_lexicon_is_covered(name: str) -> None:
    assert covers(name, TRACKED)


@pytest.mark.parametrize("name", ["OPPO", "HUAWEIX", "荣耀"])
def test_other_names_are_not_covered(name: str) -> None:
    assert not covers(name, TRACKED)


def test_a_name_with_a_sense_of_its_own_is_covered_without_any_context() -> None:
    assert covers("苹果", Lexicon.of({"苹果": ["苹果"]}))
