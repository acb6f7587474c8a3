"""Whether a brand is recommended, and at which place."""

import pytest

from answerwatch.reading import BrandReading, Lexicon, Polarity, RankBasis, clean

LEXICON = Lexicon.of(
    {
        "华为": ["华为", "HUAWEI"],
        "小米": ["小米", "Xiaomi"],
        "OPPO": ["OPPO"],
        "vivo": ["vivo"],
        "Sony": ["Sony"],
        "Bose": ["Bose"],
        "欧派": ["欧派"],
    }
)


def read(text: str, brand: str, scene: str = "RECOMMEND") -> BrandReading:
    """Return what a text says about a brand."""
    reading = clean(text, scene=scene, lexicon=LEXICON).reading
    assert reading is not None
    return reading.of(brand)


def places(text: str, *brands: str, scene: str = "RECOMMEND") -> list[int | None]:
    """Return the ranks of brands."""
    return [read(text, brand, scene).recommendation_rank for brand in brands]


@pytest.mark.parametrize(
    ("text", "brand", "expected"),
    [
        pytest.param("这个预算首选华为。", "华为", True, id="first-choice"),
        pytest.param("华为是不错的选择。", "华为", True, id="cue-after"),
        pytest.param("如果预算高，可以考虑华为。", "华为", True, id="conditional"),
        pytest.param("这个预算不推荐华为。", "华为", False, id="not"),
        pytest.param("不建议买华为，更推荐小米。", "小米", True, id="not-this-but-that"),
        pytest.param("我并不是不推荐华为，它是首选。", "华为", True, id="double-negation"),
        pytest.param("不得不推荐华为。", "华为", True, id="double-negation-2"),
        pytest.param("华为在这个价位没有被列入推荐。", "华为", False, id="not-listed"),
        pytest.param("会不会推荐华为？答案是不会。", "华为", False, id="open-question"),
        pytest.param("除了华为，推荐小米。", "华为", False, id="exception"),
        pytest.param("推荐小米，比华为便宜。", "华为", False, id="yardstick"),
        pytest.param("小米胜过华为，推荐小米。", "小米", True, id="better-than"),
        pytest.param("华为影像强，系统流畅。", "华为", False, id="praise-alone"),
        pytest.param("预算高的也可以关注华为。", "华为", None, id="weak"),
        pytest.param("I'd recommend Sony over Bose.", "Sony", True, id="english"),
        pytest.param("I'd recommend Sony over Bose.", "Bose", False, id="english-over"),
        pytest.param("I would not recommend Bose.", "Bose", False, id="english-not"),
        pytest.param("Sony is a great choice.", "Sony", True, id="english-after"),
        pytest.param("Avoid Bose at this price.", "Bose", False, id="english-avoid"),
        pytest.param("避雷：华为。", "华为", False, id="warning-label"),
        pytest.param("华为和小米都是值得考虑的品牌。", "小米", True, id="joined"),
        pytest.param("推薦華為。", "华为", True, id="traditional"),
        pytest.param("首选華為，其次小米。", "小米", True, id="second"),
    ],
)
def test_clauses(text: str, brand: str, *, expected: bool | None) -> None:
    assert read(text, brand).is_recommended is expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("1. 华为：影像强\n2. 小米：便宜\n3. OPPO：充电快", id="dot"),
        pytest.param("1、华为\n2、小米\n3、OPPO", id="chinese-comma"),
        pytest.param("1．华为\n2．小米\n3．OPPO", id="full-width-dot"),
        pytest.param("1.华为\n2.小米\n3.OPPO", id="no-blank"),
        pytest.param("**1. 华为**\n影像强。\n\n**2. 小米**\n便宜。\n\n**3. OPPO**\n充电快。", id="bold"),
        pytest.param("### 1. 华为\n影像强。\n### 2. 小米\n便宜。\n### 3. OPPO\n快。", id="heading"),
        pytest.param("① 华为\n② 小米\n③ OPPO", id="circled"),
        pytest.param("（1）华为\n（2）小米\n（3）OPPO", id="paren"),
        pytest.param("一、华为\n二、小米\n三、OPPO", id="han"),
        pytest.param("第一名：华为\n第二名：小米\n第三名：OPPO", id="place"),
        pytest.param("TOP1 华为\nTOP2 小米\nTOP3 OPPO", id="top"),
        pytest.param("No.1 华为\nNo.2 小米\nNo.3 OPPO", id="number"),
        pytest.param("🥇 华为\n🥈 小米\n🥉 OPPO", id="medals"),
        pytest.param("1️⃣ 华为\n2️⃣ 小米\n3️⃣ OPPO", id="keycaps"),
        pytest.param("- 华为：强\n- 小米：便宜\n- OPPO：快", id="bullets"),
        pytest.param("* **华为**：强\n* **小米**：便宜\n* **OPPO**：快", id="bold-bullets"),
        pytest.param("• 华为 - 强\n• 小米 - 便宜\n• OPPO - 快", id="round-bullets"),
        pytest.param("## 华为\n强。\n\n## 小米\n便宜。\n\n## OPPO\n快。", id="headings"),
        pytest.param("| 品牌 | 优点 |\n|---|---|\n| 华为 | 强 |\n| 小米 | 比华为便宜 |\n| OPPO | 快 |", id="table"),
        pytest.param("推荐顺序：华为 > 小米 > OPPO。", id="chain"),
        pytest.param("首选：华为\n次选：小米\n备选：OPPO", id="labels"),
        pytest.param("推荐如下：1.华为；2.小米；3.OPPO。", id="within-a-line"),
        pytest.param("推荐华为、小米和OPPO。", id="enumeration"),
        pytest.param("首选华为，其次小米，再次OPPO。", id="prose-order"),
        pytest.param("第3名：OPPO\n第2名：小米\n第1名：华为", id="reversed"),
        pytest.param("| 型号 | 排名 |\n|---|---|\n| OPPO | 3 |\n| 小米 | 2 |\n| 华为 | 1 |", id="rank-column"),
        pytest.param("按字母：\n- OPPO\n- 华为\n- 小米\n\n推荐顺序：华为＞小米＞OPPO", id="stated-beats-list"),
        pytest.param(
            "先分析。\n\n**OPPO**：快。\n\n**综合推荐**：\n1. 华为\n2. 小米\n3. OPPO", id="list-of-the-verdict"
        ),
        pytest.param(
            "1. 华为\n   - 优点：强\n   - 缺点：贵\n2. 小米\n   - 优点：便宜\n3. OPPO\n   - 优点：快", id="nested"
        ),
    ],
)
def test_every_way_to_write_a_list(text: str) -> None:
    assert places(text, "华为", "小米", "OPPO") == [1, 2, 3]
    assert all(read(text, brand).is_recommended for brand in ("华为", "小米", "OPPO"))


def test_untracked_candidates_take_their_place() -> None:
    assert places("1. 魅族：轻\n2. 华为：强\n3. 一加：快\n4. 小米：便宜", "华为", "小米") == [2, 4]


def test_the_number_runs_on_across_lists_that_restart() -> None:
    text = "**拍照**\n1. vivo\n2. 华为\n\n**续航**\n1. OPPO\n2. 小米"
    assert places(text, "vivo", "华为", "OPPO", "小米") == [1, 2, 3, 4]
    assert read(text, "小米").place_in_group == 2


def test_brands_of_one_head_share_the_place() -> None:
    assert places("1. 华为/小米：都强\n2. OPPO：快", "华为", "小米", "OPPO") == [1, 1, 2]


def test_a_warning_list_recommends_nobody() -> None:
    text = "### 避雷清单\n1. OPPO：贵\n\n### 推荐清单\n1. 华为：强"
    assert read(text, "OPPO").polarity is Polarity.WARNED
    assert read(text, "OPPO").is_recommended is False
    assert places(text, "OPPO", "华为") == [None, 1]


def test_aspects_and_steps_are_no_candidates() -> None:
    assert read("欧派的优点：\n1. 门店多\n2. 欧派板材环保", "欧派").is_recommended is False
    assert read("选购步骤：\n1. 先看预算\n2. 再去华为门店体验", "华为").is_recommended is False


def test_a_verdict_beats_the_list() -> None:
    text = "1. 华为：旧款多\n2. 小米：便宜\n\n总结：不推荐华为。"
    assert read(text, "华为").is_recommended is False
    assert places(text, "华为", "小米") == [None, 2]


@pytest.mark.parametrize("scene", ["COMPARE", "EVALUATE", "OTHER"])
def test_only_cues_count_where_nobody_asked_for_candidates(scene: str) -> None:
    assert read("1. 华为：强\n2. 小米：便宜", "华为", scene).is_recommended is False
    assert read("1. 华为：强\n2. 小米：便宜\n\n更推荐小米。", "小米", scene).is_recommended is True


def test_the_latter_is_the_second_of_two() -> None:
    assert read("华为不如小米，预算够就选后者。", "小米", "COMPARE").is_recommended is True
    assert read("华为不如小米，预算够就选后者。", "华为", "COMPARE").is_recommended is False


def test_top_pick_needs_to_be_unconditional() -> None:
    assert read("首选华为。", "华为").is_top_pick is True
    assert read("如果看重影像，首选华为。", "华为").is_top_pick is False
    assert read("如果看重影像，首选华为。", "华为").polarity is Polarity.CONDITIONAL


def test_basis_says_what_the_place_was_read_from() -> None:
    assert read("1. 华为\n2. 小米", "华为").rank_basis is RankBasis.ORDERED_LIST
    assert read("- 华为\n- 小米", "华为").rank_basis is RankBasis.BULLETS
    assert read("推荐顺序：华为 > 小米", "华为").rank_basis is RankBasis.EXPLICIT_ORDER
    assert read("推荐华为和小米。", "华为").rank_basis is RankBasis.PROSE


def test_run_in_lists_without_line_breaks() -> None:
    text = (
        "Here are good ones. Top Picks Overall: Sony WH-1000: Strong and quiet.Bose QC: A close second. "
        "Best Value: Xiaomi Buds: Cheap and light."
    )
    assert places(text, "Sony", "Bose", "小米") == [1, 2, 3]


def test_b34_no_place_is_none_and_order_of_mention_is_apart() -> None:
    text = "小米省电。华为影像强。小米便宜。"
    assert places(text, "小米", "华为") == [None, None]
    assert (read(text, "小米").mention_order, read(text, "华为").mention_order) == (1, 2)
    assert read(text, "OPPO").mention_order is None
    assert read(text, "OPPO").polarity is None


def test_a_table_without_rows_holds_nothing() -> None:
    assert places("| 品牌 |\n- 华为\n- 小米", "华为", "小米") == [1, 2]


@pytest.mark.parametrize(
    ("text", "brand", "expected"),
    [
        ("目前没有被权威机构列为首选推荐的是小米。", "小米", False),
        ("选华为还是小米？我建议选小米。", "华为", False),
        ("与其买华为，不如买小米。", "小米", True),
        ("别买OPPO，买vivo。", "vivo", True),
        ("华为虽好，但不建议入手。", "华为", False),
        ("Skip the Bose; get the Sony instead.", "Sony", True),
        ("Don't buy Bose.", "Bose", False),
        ("1. 先去华为官网\n2. 再去小米官网\n3. 下单", "华为", False),
        ("✅ 华为：强\n✅ 小米：便宜\n❌ OPPO：贵", "小米", True),
        ("以下品牌需要避开：\n1. 华为\n2. 小米", "华为", False),
    ],
)
def test_turns_of_phrase(text: str, brand: str, *, expected: bool) -> None:
    assert read(text, brand).is_recommended is expected
