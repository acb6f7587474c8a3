"""The lexicon in files: what a file would change is shown first, and what was exported changes nothing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import xlsxwriter  # type: ignore[import-untyped]  # XlsxWriter does not mark its types as such

from answerwatch.domain.brands import AliasKind, Brand, MatchMode, Role, RuleKind
from answerwatch.errors import UsageError
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.brands.views import LexiconImport
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.tables import look_through, read_table


@pytest.fixture
def full(ws: Workspace) -> Workspace:
    """A lexicon with an entry of every sort, in use and out of use."""
    ws.brands.add("华为", aliases=["HUAWEI", "菊花厂"], role=Role.OWN, domains=["huawei.com", "huawei.cn"])
    ws.brands.add_alias("华为", "菊花厂", kind=AliasKind.NICKNAME, is_active=False)
    ws.brands.add_alias("华为", "Mate 70", kind=AliasKind.PRODUCT)
    ws.brands.exclude("华为", "华为云")
    ws.brands.add("小米", aliases=["MI", "+Mi"], name_is_alias=False)
    ws.brands.add_alias("小米", "MI", kind=AliasKind.ENGLISH, match_mode=MatchMode.CASED)
    ws.brands.add_rule("小米", "手机", kind=RuleKind.REQUIRE, alias="MI", window=20, is_active=False)
    ws.brands.add_rule("小米", "1810.HK", kind=RuleKind.REQUIRE, alias="MI")
    ws.brands.add("旧牌")
    ws.brands.edit("旧牌", is_active=False)
    return ws


def csv_file(
    folder: Path, *rows: str, header: str = "条目,品牌,别名,名称类型,匹配方式,针对名称,窗口,角色,域名,启用"
) -> Path:
    file = folder / "lexicon.csv"
    file.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return file


def changed(outcome: LexiconImport) -> list[tuple[str, str, str, str]]:
    return [(one.kind, one.part, one.brand, one.text) for one in outcome.changes]


def test_a_file_is_shown_first_and_changes_the_lexicon_when_it_is_applied(ws: Workspace, tmp_path: Path) -> None:
    file = csv_file(
        tmp_path,
        "品牌,华为,,,,,,自有,huawei.com、huawei.cn,是",
        "别名,华为,HUAWEI,英文名,区分大小写,,,,,",
        "排除,华为,华为云,,,,,,,",
        "必需,华为,手机,,,HUAWEI,20,,,否",
    )

    shown = ws.brands.import_file(file)
    assert ws.brands.list() == ()
    applied = ws.brands.import_file(file, apply=True, note="from the brand team")

    assert (shown.applied, applied.applied, applied.lexicon_version) == (False, True, 1)
    assert (
        changed(shown)
        == changed(applied)
        == [
            ("added", "brand", "华为", ""),
            ("added", "alias", "华为", "HUAWEI"),
            ("added", "alias", "华为", "华为"),
            ("added", "exclude", "华为", "华为云"),
            ("added", "require", "华为", "手机"),
        ]
    )
    brand = ws.brands.show("华为")
    assert (brand.role, brand.domains) == (Role.OWN, ("huawei.com", "huawei.cn"))
    assert [(one.kind, one.window, one.alias, one.is_active) for one in brand.rules] == [
        (RuleKind.EXCLUDE, None, None, True),
        (RuleKind.REQUIRE, 20, "HUAWEI", False),
    ]
    assert ws.brands.versions()[0].note == "import lexicon.csv: from the brand team"
    again = ws.brands.import_file(file, apply=True)
    assert (again.changes, again.unchanged, again.missing, again.lexicon_version) == ((), 4, 1, 1)


def test_what_a_file_leaves_out_stays(full: Workspace, tmp_path: Path) -> None:
    before = full.brands.list()
    file = csv_file(tmp_path, "华为,Ascend,产品", "华为,mate70,", header="品牌,别名,名称类型")

    outcome = full.brands.import_file(file, apply=True)

    assert changed(outcome) == [("added", "alias", "华为", "Ascend")]
    assert [warning.code for warning in outcome.warnings] == ["alias_same"]
    assert full.brands.list()[1:] == before[1:]
    assert outcome.missing == 12


def test_a_file_that_is_the_whole_lexicon_takes_away_what_it_has_not(full: Workspace, tmp_path: Path) -> None:
    file = csv_file(tmp_path, "品牌,华为,,,,,,,,", "别名,华为,华为,,,,,,,", "别名,华为,HUAWEI,,,,,,,")

    outcome = full.brands.import_file(file, apply=True, whole=True)

    assert changed(outcome) == [
        ("changed", "brand", "华为", ""),
        ("removed", "alias", "华为", "Mate 70"),
        ("removed", "alias", "华为", "菊花厂"),
        ("removed", "exclude", "华为", "华为云"),
        ("deactivated", "brand", "小米", ""),
    ]
    assert [brand.standard_name for brand in full.brands.list(active=True)] == ["华为"]
    assert full.brands.import_file(file, whole=True).changes == ()


@pytest.mark.parametrize(
    ("row", "column", "message"),
    [
        ("别名,荣耀,HONOR,,,,,,,", "别名", "荣耀 is not tracked and has no row of its own"),
        ("别名,华为,,,,,,,,", "别名", "it is missing"),
        ("别名,,HUAWEI,,,,,,,", "品牌", "it is missing"),
        ("产品,华为,Mate,,,,,,,", "条目", "'产品' is no word for it"),
        ("别名,华为,Mate,型号,,,,,,", "名称类型", "'型号' is no word for it"),
        ("别名,华为,Mate,,,,,,,也许", "启用", "neither yes nor no"),
        ("必需,华为,手机,,,,近,,,", "窗口", "1 to 1000"),
        ("必需,华为,手机,,,,2000,,,", "别名", "1 to 1000"),
        ("排除,华为,(a|aa)+$,,,,,,,", "别名", "looks like a regular expression"),
        ("别名,华为,米,,,,,,,", "别名", "risky name"),
        ("别名,华为,。！,,,,,,,", "别名", "holds no letter or digit"),
        ("别名,华为,小米,,,,,,,", "别名", "belongs to 小米"),
        ("必需,华为,手机,,,Mate,,,,", "别名", "has no alias Mate"),
        ("品牌,荣耀,,,,,,,不是域名,", "品牌", "is no domain"),
        ("品牌,小米,,,,,,自有,,", "品牌", "line 3 says otherwise of the same"),
    ],
)
def test_a_row_that_cannot_be_taken_is_told_by_line_and_column_and_nothing_is_changed(
    ws: Workspace, tmp_path: Path, row: str, column: str, message: str
) -> None:
    file = csv_file(tmp_path, "品牌,华为,,,,,,,,", "品牌,小米,,,,,,竞品,,", row, "品牌,荣威,,,,,,,,")

    outcome = ws.brands.import_file(file, apply=True)

    assert [(error.line, error.column) for error in outcome.errors] == [(4, column)]
    assert message in outcome.errors[0].message
    assert (outcome.applied, ws.brands.list()) == (False, ())


def test_decisions_are_about_what_a_file_makes_of_all_brands(full: Workspace, tmp_path: Path) -> None:
    moved = csv_file(tmp_path, "华为,菊花厂,否", "小米,菊花厂,是", "小米,米,是", header="品牌,别名,启用")
    assert [error.line for error in full.brands.import_file(moved).errors] == [4]

    outcome = full.brands.import_file(moved, apply=True, force=True)

    assert outcome.applied
    assert full.brands.show("菊花厂").standard_name == "小米"
    assert ("alias_one_character", "米") in [(one.code, one.alias) for one in outcome.warnings]


def test_a_row_that_says_the_same_again_is_told(ws: Workspace, tmp_path: Path) -> None:
    file = csv_file(tmp_path, "华为,", "华为,HUAWEI", "华为,Huawei", header="brand,alias")

    outcome = ws.brands.import_file(file, apply=True)

    assert [(note.line, note.reason) for note in outcome.notes] == [(4, "duplicate")]
    assert [alias.text for alias in ws.brands.show("华为").aliases] == ["HUAWEI", "华为"]


def test_objects_are_read_as_rows_are(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "lexicon.jsonl"
    rows = [
        {"entry": "brand", "brand": "华为", "role": "own", "domains": ["huawei.com"], "is_active": True},
        {"entry": "require", "brand": "华为", "text": "手机", "window": 9, "for_alias": None},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    assert ws.brands.import_file(file, apply=True).applied
    assert ws.brands.show("华为").rules[0].window == 9


@pytest.mark.parametrize(
    ("cell", "column"),
    [({"brand": ["华为"]}, "brand"), ({"text": {"a": 1}}, "text"), ({"is_active": []}, "is_active")],
)
def test_cells_of_objects_that_are_no_texts_are_errors_of_their_columns(
    ws: Workspace, tmp_path: Path, cell: dict[str, object], column: str
) -> None:
    file = tmp_path / "lexicon.jsonl"
    file.write_text(json.dumps({"entry": "alias", "brand": "华为", "text": "HUAWEI"} | cell), encoding="utf-8")

    (error,) = ws.brands.import_file(file).errors

    assert (error.line, error.column, error.reason) == (1, column, "bad_value")
    assert error.message.endswith("not a text")


def test_a_file_without_brands_is_refused(ws: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no column for the brand"):
        ws.brands.import_file(csv_file(tmp_path, "Q1,手机哪个好", header="编号,问题"))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["lexicon.xlsx", "lexicon.csv", "lexicon.jsonl"])
def test_what_was_exported_changes_nothing_and_makes_the_same_lexicon_elsewhere(
    full: Workspace, tmp_path: Path, name: str, language: str
) -> None:
    file = tmp_path / name

    made = full.brands.export(file, language=language)
    again = full.brands.import_file(file, apply=True, whole=True)

    assert (again.errors, again.notes, again.changes, again.warnings) == ((), (), (), ())
    assert (made.rows, again.rows, again.unchanged) == (14, 14, 14)
    with open_workspace(tmp_path / "elsewhere") as other:
        other.init()
        assert other.brands.import_file(file, apply=True, force=True).applied
        assert by_name(other) == by_name(full)
        assert other.brands.newest().content_hash == full.brands.newest().content_hash


def by_name(ws: Workspace) -> list[Brand]:
    brands = [replace(one, rules=tuple(sorted(one.rules, key=lambda rule: rule.pattern))) for one in ws.brands.list()]
    return sorted(brands, key=lambda brand: brand.standard_name)


def test_a_workbook_has_a_sheet_for_brands_names_and_rules_in_the_language_that_is_asked_for(
    full: Workspace, tmp_path: Path
) -> None:
    full.brands.export(tmp_path / "lexicon.xlsx", language="zh")

    source = look_through(tmp_path / "lexicon.xlsx")
    tables = {name: read_table(replace(source, sheet=name)) for name in read_table(source).sheets}

    assert {name: table.header for name, table in tables.items()} == {
        "品牌": ("品牌", "角色", "域名", "启用"),
        "别名": ("品牌", "别名", "名称类型", "匹配方式", "启用"),
        "规则": ("品牌", "条目", "别名", "针对名称", "字数范围", "启用"),
    }
    rows = [row.values for row in tables["别名"].rows if isinstance(row, FileRow)]
    assert {"品牌": "小米", "别名": "+Mi", "名称类型": "名称", "匹配方式": "不分写法", "启用": "是"} in rows


def test_a_csv_file_for_people_runs_no_formula(full: Workspace, tmp_path: Path) -> None:
    full.brands.export(tmp_path / "lexicon.csv")

    text = (tmp_path / "lexicon.csv").read_bytes()

    assert text.startswith(b"\xef\xbb\xbfentry,brand,text,kind,match_mode,for_alias,window,role,domains,is_active\r\n")
    assert ",'+Mi," in text.decode("utf-8-sig")


def test_what_is_wrong_in_a_workbook_is_told_with_its_sheet(ws: Workspace, tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(tmp_path / "lexicon.xlsx")
    for sheet, rows in {
        "说明": [["请勿改动"]],
        "品牌": [["品牌", "角色"], ["华为", "自有"], ["小米", "朋友"]],
        "别名": [["品牌", "别名"], ["华为", "HUAWEI"]],
        "规则": [],
    }.items():
        page = book.add_worksheet(sheet)
        for line, row in enumerate(rows):
            page.write_row(line, 0, row)
    book.close()

    outcome = ws.brands.import_file(tmp_path / "lexicon.xlsx", apply=True)

    assert [(error.line, error.column) for error in outcome.errors] == [(3, "品牌: 角色")]


def test_a_file_is_written_whole_under_a_free_name_of_a_known_format(full: Workspace, tmp_path: Path) -> None:
    full.brands.export(tmp_path / "lexicon.csv")
    with pytest.raises(UsageError, match="is there already"):
        full.brands.export(tmp_path / "lexicon.csv")
    full.brands.export(tmp_path / "lexicon.csv", force=True)
    with pytest.raises(UsageError, match=r"\.xlsx, \.csv or \.jsonl"):
        full.brands.export(tmp_path / "lexicon.txt")

    assert [file.name for file in tmp_path.glob("*lexicon*")] == ["lexicon.csv"]


def test_rows_that_cannot_be_taken_are_not_counted_as_there_already(full: Workspace, tmp_path: Path) -> None:
    file = csv_file(
        tmp_path,
        "品牌,华为,,,,,,自有,huawei.com、huawei.cn,是",  # there already
        "品牌,小米,,,,,,,no domain,",
        "别名,小米,华为,,,,,,,",  # another brand's
        "别名,没有,名字,,,,,,,",
    )

    outcome = full.brands.import_file(file)

    assert [error.line for error in outcome.errors] == [3, 4, 5]
    assert outcome.unchanged == 1


@pytest.mark.parametrize("wrong", ["品牌,荣耀,,,,,,,no domain,", "品牌,荣耀,,,,,,朋友,,"])
def test_names_of_a_brand_whose_own_row_is_wrong_lead_to_that_row(ws: Workspace, tmp_path: Path, wrong: str) -> None:
    outcome = ws.brands.import_file(csv_file(tmp_path, wrong, "别名,荣耀,HONOR,,,,,,,"))

    assert [(error.line, str(error.message)) for error in outcome.errors][1:] == [
        (3, "The brand 荣耀 is not tracked, and its own row on line 2 cannot be taken; mend that one")
    ]


@pytest.mark.parametrize("window", ["0", "1001", "99999999999", "-3", "三十"])
def test_a_window_that_no_rule_can_have_is_told_with_what_it_can(full: Workspace, tmp_path: Path, window: str) -> None:
    outcome = full.brands.import_file(csv_file(tmp_path, f"必需,华为,手机,,,,{window},,,"))

    assert [error.line for error in outcome.errors] == [2]
    assert "1 to 1000 characters" in outcome.errors[0].message
    assert window in outcome.errors[0].message


def test_a_name_says_what_is_wrong_with_it(ws: Workspace) -> None:
    with pytest.raises(UsageError, match=r"U\+200B, at position 3") as caught:
        ws.brands.add("华为\u200b手机")
    assert caught.value.code == "name_unseen"
    with pytest.raises(UsageError, match="has 192 characters, at most 191") as caught:
        ws.brands.add("华" * 192)
    assert caught.value.code == "name_long"


def test_after_a_thousand_rows_that_cannot_be_taken_the_rest_is_left(full: Workspace, tmp_path: Path) -> None:
    unknown = [f"别名,没有{number},名字{number},,,,,,," for number in range(1_500)]
    unreadable = [f"别名,华为,名字{number},什么,,,,,," for number in range(1_500)]
    twice = [f"品牌,牌子{number // 2},,,,,,{('自有', '竞品')[number % 2]},," for number in range(3_000)]
    claimed = [
        f"{kind},牌子{number},{name},,,,,,,"
        for number in range(1_500)
        for kind, name in (("品牌", ""), ("别名", "华为"))
    ]

    for rows in (unknown, unreadable, twice, claimed):
        outcome = full.brands.import_file(csv_file(tmp_path, *rows), apply=True)
        assert (len(outcome.errors), outcome.unchanged, outcome.applied) == (1_000, 0, False)


def test_a_brand_that_a_version_does_not_hold_is_told_so(ws: Workspace) -> None:
    ws.brands.add("华为")
    ws.brands.add("小米")

    with pytest.raises(UsageError, match="Version 1 of the lexicon holds no brand '小米'"):
        ws.brands.show("小米", version=1)
