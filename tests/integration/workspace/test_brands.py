"""Brands and the lexicon through their verbs."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update

from answerwatch.domain.brands import MatchMode, Role
from answerwatch.errors import UsageError
from answerwatch.store.schema.bank import brand_alias
from answerwatch.workspace import Workspace, open_workspace
from tests.databases import on_every_database

pytestmark = on_every_database


def test_every_change_makes_a_new_lexicon_version_and_no_change_makes_none(ws: Workspace) -> None:
    assert ws.brands.newest().version == 0
    first = ws.brands.add("华为", aliases=["华为", "HUAWEI"], role=Role.OWN, domains=["https://www.Huawei.com/cn/"])
    same = ws.brands.add("华为", aliases=["HUAWEI"], role=Role.OWN, domains=["huawei.com"])
    alias = ws.brands.add_alias("huawei", "菊花厂")
    excluded = ws.brands.exclude("华为", "华为云")
    excluded_again = ws.brands.exclude("华为", "华为云")

    assert [change.lexicon_version for change in (first, same, alias, excluded, excluded_again)] == [1, 1, 2, 3, 3]
    assert [change.changed for change in (first, same, excluded_again)] == [True, False, False]
    assert first.brand.domains == ("huawei.com",)
    newest, *_, oldest = ws.brands.versions()
    assert (newest.version, oldest.version, newest.brands) == (3, 1, 1)
    assert ws.brands.newest().brands == (ws.brands.show("菊花厂"),)


def test_a_name_that_was_made_inactive_stays_so_until_the_brand_has_it_again(ws: Workspace) -> None:
    ws.brands.add("华为", aliases=["HUAWEI"])
    with ws.store.writing() as tx:
        tx.run(update(brand_alias).where(brand_alias.c.alias == "HUAWEI").values(is_active=0))

    change = ws.brands.add_alias("华为", "菊花厂")

    assert {alias.text for alias in change.brand.aliases if alias.is_active} == {"华为", "菊花厂"}
    assert ws.brands.test("HUAWEI 和菊花厂都值得推荐，可以放心买。").mentioned == ("华为",)
    assert not [
        match for match in ws.brands.test("HUAWEI 的手机值得推荐，可以放心买。").matches if match.is_valid_match
    ]
    with ws.store.reading() as read:
        rows = read.all(select(brand_alias.c.alias, brand_alias.c.is_active))
    assert {row.alias: row.is_active for row in rows} == {"华为": 1, "菊花厂": 1, "HUAWEI": 0}
    again = ws.brands.add_alias("华为", "HUAWEI")
    assert [(change.kind, change.text) for change in again.changes] == [("activated", "HUAWEI")]


def test_a_brand_that_is_tracked_with_other_names_is_not_overwritten(ws: Workspace) -> None:
    ws.brands.add("华为", aliases=["HUAWEI"])

    with pytest.raises(UsageError, match="brands alias"):
        ws.brands.add("华为", aliases=["菊花厂"])

    assert ws.brands.newest().version == 1


def test_a_name_belongs_to_one_brand_only(ws: Workspace) -> None:
    ws.brands.add("华为", aliases=["HUAWEI"])

    with pytest.raises(UsageError, match="huawei belongs to 华为"):
        ws.brands.add("荣耀", aliases=["huawei"])
    ws.brands.add("荣耀", aliases=["HONOR"])
    with pytest.raises(UsageError, match="ＨＯＮＯＲ belongs to 荣耀"):
        ws.brands.add_alias("华为", "ＨＯＮＯＲ")

    assert [brand.standard_name for brand in ws.brands.list()] == ["华为", "荣耀"]
    assert ws.brands.newest().version == 2


@pytest.mark.parametrize("name", ["", "  ", "。！", "x" * 192, "a\nb"])
def test_an_empty_or_impossible_name_is_refused(ws: Workspace, name: str) -> None:
    with pytest.raises(UsageError):
        ws.brands.add(name)
    ws.brands.add("华为")
    with pytest.raises(UsageError):
        ws.brands.add_alias("华为", name)
    with pytest.raises(UsageError):
        ws.brands.exclude("华为", name)


def test_the_standard_name_can_be_left_out_of_the_aliases(ws: Workspace) -> None:
    ws.brands.add("小米", aliases=["小米手机", "Xiaomi"], name_is_alias=False)

    assert {alias.text: alias.is_active for alias in ws.brands.show("小米").aliases} == {
        "Xiaomi": True,
        "小米手机": True,
        "小米": False,
    }
    assert [alias.text for alias in ws.brands.newest().brands[0].aliases] == ["Xiaomi", "小米手机"]


def test_an_unknown_brand_is_refused_listing_the_tracked_ones(ws: Workspace) -> None:
    ws.brands.add("华为")

    with pytest.raises(UsageError, match="tracked are: 华为"):
        ws.brands.add_alias("小米", "Xiaomi")
    with pytest.raises(UsageError, match="has no alias"):
        ws.brands.exclude("华为", "华为云", alias="HUAWEI")


def test_a_text_is_tested_with_the_reason_of_every_rejection(ws: Workspace) -> None:
    ws.brands.add("华为", exclude=["华为云"])
    ws.brands.add_alias("华为", "HUAWEI", match_mode=MatchMode.FOLDED)

    found = ws.brands.test("推荐huawei手机，它很适合拍照和办公；而华为云是另一家公司的云服务。")

    assert found.lexicon_version == 2
    assert found.mentioned == ("华为",)
    assert [(match.matched_alias, match.is_valid_match) for match in found.matches] == [
        ("HUAWEI", True),
        ("华为", False),
    ]


def test_people_who_change_the_lexicon_at_once_take_turns(ws: Workspace) -> None:
    ws.brands.add("华为")
    start = threading.Barrier(4)

    def add(number: int) -> list[int]:
        """Add names to one brand while others do, none of which may be lost."""
        with open_workspace(ws.settings.home, database_url=ws.settings.database_url) as mine:
            start.wait(20)
            return [mine.brands.add_alias("华为", f"Mate {number}{turn}").lexicon_version for turn in range(3)]

    with ThreadPoolExecutor(4) as people:
        versions = [version for made in people.map(add, range(4)) for version in made]

    assert sorted(versions) == list(range(2, 14))
    assert len(ws.brands.newest().brands[0].aliases) == 13
