"""Decisions about names and rules (docs/lexicon.md), each through the verb that a person would use."""

from pathlib import Path

import pytest

from answerwatch.domain.brands import AliasKind, MatchMode, RuleKind
from answerwatch.errors import UsageError
from answerwatch.workspace import Workspace
from answerwatch.workspace.brands.views import BrandChange


@pytest.fixture
def huawei(ws: Workspace) -> Workspace:
    ws.brands.add("华为", aliases=["HUAWEI"], exclude=["华为云"])
    return ws


def told(change: BrandChange) -> list[tuple[str, str]]:
    return [(warning.code, warning.alias) for warning in change.warnings]


@pytest.mark.parametrize("name", ["米", "Ｘ", "361", "９９９", "手机", "The", "推薦"])
def test_a_risky_name_is_refused_and_taken_when_it_is_meant_so(huawei: Workspace, name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} is a risky name for 华为"):
        huawei.brands.add_alias("华为", name)
    with pytest.raises(UsageError, match="risky name"):
        huawei.brands.add(name)

    change = huawei.brands.add_alias("华为", name, force=True)

    assert [alias for code, alias in told(change)] == [name]
    assert {code for code, _ in told(change)} <= {"alias_one_character", "alias_digits", "alias_generic"}
    assert huawei.brands.add_alias("华为", name, kind=AliasKind.SHORT).changed


def test_a_risky_name_that_needs_words_nearby_is_taken(huawei: Workspace) -> None:
    huawei.brands.add_alias("华为", "米", match_mode=MatchMode.AMBIGUOUS)
    huawei.brands.add_rule("华为", "股票", kind=RuleKind.REQUIRE)
    huawei.brands.add_alias("华为", "002502")

    with pytest.raises(UsageError, match="002502 is a risky name"):
        huawei.brands.remove_rule("华为", "股票", kind=RuleKind.REQUIRE)
    with pytest.raises(UsageError, match="002502 is a risky name"):
        huawei.brands.add_rule("华为", "股票", kind=RuleKind.REQUIRE, is_active=False)
    assert huawei.brands.remove_rule("华为", "股票", kind=RuleKind.REQUIRE, force=True).changed
    with pytest.raises(UsageError, match="米 is a risky name"):
        huawei.brands.add_alias("华为", "米", match_mode=MatchMode.FOLDED)


def test_a_name_of_two_brands_is_refused_wherever_it_comes_from(huawei: Workspace) -> None:
    huawei.brands.add("荣耀", aliases=["HONOR"])
    huawei.brands.edit("荣耀", is_active=False)

    change = huawei.brands.add_alias("华为", "Honor")

    assert told(change) == [("alias_out_of_use", "Honor")]
    with pytest.raises(UsageError, match="HONOR belongs to 华为"):
        huawei.brands.edit("荣耀", is_active=True)
    huawei.brands.add_alias("华为", "Honor", is_active=False)
    assert huawei.brands.edit("荣耀", is_active=True).changed
    with pytest.raises(UsageError, match="Honor belongs to 荣耀"):
        huawei.brands.add_alias("华为", "Honor")


def test_a_name_inside_one_of_another_brand_is_told_and_the_longer_one_wins(huawei: Workspace) -> None:
    cloud = huawei.brands.add("数字能源", aliases=["华为数字能源", "HUAWEIX"])

    assert told(cloud) == [("alias_inside", "华为")]
    assert "only 数字能源 counts" in cloud.warnings[0].message
    assert huawei.brands.test("华为数字能源的逆变器值得推荐，可以放心买。").mentioned == ("数字能源",)


def test_a_name_that_another_brand_excludes_is_told_and_counts_for_its_own(huawei: Workspace) -> None:
    change = huawei.brands.add("华为云")

    assert ("alias_excluded_elsewhere", "华为云") in told(change)
    assert huawei.brands.test("华为云的服务器值得推荐，可以放心买。").mentioned == ("华为云",)


def test_a_name_that_its_own_brand_excludes_is_refused(huawei: Workspace) -> None:
    with pytest.raises(UsageError, match="would never be found"):
        huawei.brands.add_alias("华为", "華為雲")
    with pytest.raises(UsageError, match="would never be found"):
        huawei.brands.exclude("华为", "huawei", alias="HUAWEI")
    with pytest.raises(UsageError, match="would never be found"):
        huawei.brands.add("小米", exclude=["小米"])


def test_a_name_in_another_spelling_is_told_and_not_stored_twice(huawei: Workspace) -> None:
    change = huawei.brands.add_alias("华为", "ＨｕａＷｅｉ")

    assert (told(change), change.changed) == ([("alias_same", "ＨｕａＷｅｉ")], False)
    assert [alias.text for alias in huawei.brands.show("华为").aliases] == ["HUAWEI", "华为"]


def test_names_that_are_words_too_are_told(ws: Workspace) -> None:
    assert told(ws.brands.add("苹果")) == [("alias_word", "苹果")]
    assert told(ws.brands.add("Target")) == [("alias_word", "Target")]


def test_a_domain_of_two_brands_is_told_once_it_is(huawei: Workspace) -> None:
    huawei.brands.edit("华为", domains=["huawei.example"])

    change = huawei.brands.add("荣耀", domains=["https://www.Huawei.example/cn"])

    assert told(change) == [("alias_word", "荣耀"), ("domain_shared", "huawei.example")]
    assert told(huawei.brands.add_alias("荣耀", "HONOR")) == []


@pytest.mark.parametrize(
    ("phrase", "position"),
    [
        (r"(\s*苹果\s*)+手机壳$", 2),
        ("(a|aa)+$", 3),
        ("(.*,){20}x", 2),
        ("(?P<n>a)(?P<n>b)", 1),
        ("^苹果汁", 1),
    ],
)
@pytest.mark.parametrize("kind", list(RuleKind))
def test_rep_redos_rule_a_phrase_that_looks_like_a_pattern_is_refused_with_its_place(
    ws: Workspace, kind: RuleKind, phrase: str, position: int
) -> None:
    ws.brands.add("苹果")
    with pytest.raises(UsageError, match=f"rule .* of 苹果 looks like a regular expression, from character {position}"):
        ws.brands.add_rule("苹果", phrase, kind=kind)
    with pytest.raises(UsageError, match="holds no letter or digit"):
        ws.brands.add_rule("苹果", "[", kind=kind)
    with pytest.raises(UsageError, match="holds no letter or digit"):
        ws.brands.add_rule("苹果", "", kind=kind)


def test_rep_redos_rule_a_phrase_that_is_meant_so_is_looked_for_letter_by_letter(ws: Workspace) -> None:
    ws.brands.add("苹果")
    ws.brands.add_rule("苹果", r"(\s*苹果\s*)+手机壳$", kind=RuleKind.EXCLUDE, force=True)

    found = ws.brands.test("推荐苹果手机壳，苹果手机也值得买，可以放心选。")

    assert [match.reason for match in found.matches] == ["accepted", "accepted"]


def test_rules_that_change_nothing_are_told(huawei: Workspace) -> None:
    assert told(huawei.brands.exclude("华为", "鸿蒙智行")) == [("rule_idle", "鸿蒙智行")]
    inside = huawei.brands.add_rule("华为", "为", kind=RuleKind.REQUIRE)
    assert told(inside) == [("rule_within", "为")]


def test_a_brand_in_use_keeps_a_name_in_use(huawei: Workspace) -> None:
    huawei.brands.remove_alias("华为", "HUAWEI")

    with pytest.raises(UsageError, match="never be found"):
        huawei.brands.add_alias("华为", "华为", is_active=False)
    with pytest.raises(UsageError, match="standard name"):
        huawei.brands.remove_alias("华为", "华为")
    assert huawei.brands.edit("华为", is_active=False).changed
    assert huawei.brands.test("华为值得推荐，可以放心买，续航不错。").mentioned == ()


def test_a_name_takes_its_own_rules_with_it(huawei: Workspace) -> None:
    huawei.brands.exclude("华为", "HUAWEI CLOUD", alias="huawei")

    change = huawei.brands.remove_alias("华为", "Huawei")

    assert [(one.kind, one.part, one.text) for one in change.changes] == [
        ("removed", "alias", "HUAWEI"),
        ("removed", "exclude", "HUAWEI CLOUD"),
    ]


@pytest.mark.parametrize("window", [0, -1, 1001])
def test_a_window_that_no_rule_can_have_is_refused(huawei: Workspace, window: int) -> None:
    with pytest.raises(UsageError, match="1 to 1000"):
        huawei.brands.add_rule("华为", "手机", kind=RuleKind.REQUIRE, window=window)
    with pytest.raises(UsageError, match="has no window"):
        huawei.brands.add_rule("华为", "华为路", kind=RuleKind.EXCLUDE, window=3)


def test_a_rule_with_a_window_decides_by_what_stands_within_it(ws: Workspace) -> None:
    ws.brands.add("理想")
    ws.brands.add_rule("理想", "汽车", kind=RuleKind.REQUIRE, window=5)

    near = ws.brands.test("理想的新款汽车值得推荐，可以放心买。")
    far = ws.brands.test("理想是大家都谈论的话题，买汽车要看预算，可以放心买。")

    assert (near.mentioned, far.mentioned) == (("理想",), ())
    assert [match.reason for match in far.matches] == ["no_context"]


def test_a_product_counts_for_its_brand_and_a_ticker_is_taken_with_its_capitals(huawei: Workspace) -> None:
    huawei.brands.add_alias("华为", "Mate 70", kind=AliasKind.PRODUCT)
    huawei.brands.add_alias("华为", "HWEI", kind=AliasKind.TICKER)

    assert huawei.brands.test("Mate70 的影像值得推荐，可以放心买。").mentioned == ("华为",)
    assert [match.reason for match in huawei.brands.test("hwei 值得推荐，可以放心买，真不错。").matches] == ["case"]


def test_a_brand_with_batches_is_not_removed(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("华为")
    ws.brands.add("小米")
    file = tmp_path / "answers.jsonl"
    file.write_text('{"platform": "Kimi", "question": "手机哪个好", "answer": "推荐华为。"}\n', encoding="utf-8")
    ws.samples.import_file(file, brand="华为")

    gone = ws.brands.remove("小米", note="entered by mistake")
    with pytest.raises(UsageError, match="has batches or results and stays"):
        ws.brands.remove("华为")

    assert [brand.standard_name for brand in ws.brands.list()] == ["华为"]
    assert (gone.lexicon_version, ws.brands.versions()[0].note) == (3, "remove 小米: entered by mistake")


def test_versions_are_compared_and_read_back_whole(huawei: Workspace) -> None:
    huawei.brands.add_alias("华为", "菊花厂", kind=AliasKind.NICKNAME, note="seen in answers")
    huawei.brands.remove_alias("华为", "HUAWEI")
    text = "HUAWEI 值得推荐，可以放心买，续航不错。"

    diff = huawei.brands.diff(1, 3)

    assert [(one.kind, one.text) for one in diff.changes] == [("added", "菊花厂"), ("removed", "HUAWEI")]
    assert huawei.brands.diff(0, 1).changes[0].kind == "added"
    assert huawei.brands.diff(3, 3).changes == ()
    assert [alias.text for alias in huawei.brands.show("华为", version=1).aliases] == ["HUAWEI", "华为"]
    assert huawei.brands.test(text, version=2).mentioned == ("华为",)
    assert huawei.brands.test(text).mentioned == huawei.brands.test(text, version=0).mentioned == ()
    assert [view.note for view in huawei.brands.versions()][1] == "alias 菊花厂 of 华为: seen in answers"
    with pytest.raises(UsageError, match="no version 4 of the lexicon; versions are 0 to 3"):
        huawei.brands.diff(1, 4)
