"""Workbooks: cells become the texts that people see in them, and what cannot be trusted is told by sheet and cell."""

import tracemalloc
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
import xlsxwriter  # type: ignore[import-untyped]  # XlsxWriter does not mark its types as such

from answerwatch.domain.said import Said
from answerwatch.errors import UsageError
from answerwatch.messages import LANGUAGES, Messages
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.files.tables import look_through, read_table
from tests.workbooks import cell, text, write_workbook

HEADER = [text("平台"), text("问题"), text("回答")]


def read(path: Path, sheet: str | None = None) -> list[FileRow | RowError]:
    return list(read_table(look_through(path, sheet=sheet)).rows)


def values(path: Path) -> list[list[object]]:
    return [list(row.values.values()) for row in read(path) if isinstance(row, FileRow)]


def sheet(path: Path, *rows: Sequence[str], **more: object) -> Path:
    return write_workbook(path / "a.xlsx", {"回答": [HEADER, *rows]}, **more)  # type: ignore[arg-type]


def told(path: Path) -> list[tuple[int, str, str]]:
    return [(row.line, row.column, str(row.message)) for row in read(path) if isinstance(row, RowError)]


def test_cells_are_read_as_they_are_shown(tmp_path: Path) -> None:
    file = sheet(
        tmp_path,
        [cell("20260701.0"), cell("0.5", style=3), cell("1", kind="b")],
        [cell("202607011234567"), cell("0.1"), cell("-3")],
        [cell("推荐", kind="str", formula="A1"), cell("", kind="str", formula='""'), text("x_x000D_y")],
    )

    assert values(file) == [
        ["20260701", "50%", "TRUE"],
        ["202607011234567", "0.1", "-3"],
        ["推荐", "", "x\ry"],
    ]


@pytest.mark.parametrize(("from_1904", "days"), [(False, 46204), (True, 46204 - 1462)])
def test_dates_are_right_in_both_systems(tmp_path: Path, days: int, from_1904: bool) -> None:  # noqa: FBT001 - a parameter of the test
    row = [cell(str(days), style=1), cell(f"{days}.5", style=2), cell(str(days), style=4)]

    assert values(sheet(tmp_path, row, from_1904=from_1904)) == [["2026-07-01", "2026-07-01 12:00:00", "2026-07-01"]]


def test_texts_with_formats_inside_are_whole_and_readings_are_left_out(tmp_path: Path) -> None:
    shared = (
        "<si><r><t>推荐</t></r><r><rPr><b/></rPr><t>华为</t></r><rPh sb='0' eb='1'><t>hua</t></rPh></si><si><t/></si>"
    )

    assert values(sheet(tmp_path, [cell("0", kind="s"), text("q"), cell("1", kind="s")], shared=shared)) == [
        ["推荐华为", "q", ""]
    ]


def test_rep_xlsx_formula_no_cache_is_read_by_cell(shared_data: Path) -> None:
    file = shared_data / "inputs" / "rep-xlsx-formula-no-cache" / "answers_formulas.xlsx"

    assert [row[2] for row in values(file)] == ["推荐A牌。", "推荐B牌。", "=1+1 是等式，推荐A牌。"]
    assert [(line, column) for line, column, _ in told(file)] == [(4, "回答"), (5, "回答")]
    assert [message.split(":")[0] for _, _, message in told(file)] == ["sheet 回答, cell C4", "sheet 回答, cell C5"]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (cell("2.02607E+16"), "15 digits"),
        (cell("20260701123456789"), "15 digits"),
        (cell("2026070112345600"), "15 digits"),
        (cell("9" * 300), "it holds 999999999999999999999999999999999999999…"),
        (cell("9" * 5_000), "no number"),
        (cell("²"), "no number"),
        (cell("1_000"), "no number"),
        (cell("0x1F"), "no number"),
        (cell("nan", style=1), "no moment"),
        (cell("#N/A", kind="e", formula="B1"), "shows the error #N/A"),
        (cell("", formula="A1&B1"), "formula without its result"),
        (cell("nan"), "no number"),
        (cell("-1", style=1), "no moment"),
        (cell("99999999", style=1), "no moment"),
    ],
)
def test_cells_that_cannot_be_trusted_are_told_by_their_place(tmp_path: Path, bad: str, why: str) -> None:
    ((line, column, message),) = told(sheet(tmp_path, [text("kimi"), bad, text("a")]))

    assert (line, column) == (2, "问题")
    assert message.startswith("sheet 回答, cell B2: ")
    assert why in message


def test_merged_cells_are_told_where_their_value_does_not_stand(tmp_path: Path) -> None:
    title = [text("导出 2026")]
    rows = [[text("kimi"), text(f"q{number}"), text("a")] for number in range(3)]
    file = write_workbook(tmp_path / "a.xlsx", {"s": [title, HEADER, *rows]}, merged=["A1:C1", "A3:A4"])

    assert [(row.line, isinstance(row, FileRow)) for row in read(file)] == [(3, True), (4, False), (5, True)]
    ((_, column, message),) = told(file)
    assert column == "平台"
    assert "cell A4: it is merged into A3:A4" in message


def test_the_sheet_with_a_known_header_is_read_and_another_one_when_it_is_named(tmp_path: Path) -> None:
    sheets = {"说明": [[text("怎么填")]], "藏": [HEADER, [text("x")]], "数据": [[text("表")], HEADER, [text("y")]]}
    file = write_workbook(tmp_path / "a.xlsx", sheets, hidden=["藏"])
    table = read_table(look_through(file))

    assert [(row.line, row.values["平台"]) for row in table.rows if isinstance(row, FileRow)] == [(3, "y")]
    assert (table.sheet, table.sheets) == ("数据", ("说明", "数据", "藏"))
    assert [(note.line, note.reason) for note in table.notes] == [(1, "above_header"), (2, "sheets")]
    assert "only sheet 数据 is read; 藏 has such columns too" in list(table.notes)[1].message
    assert [row.line for row in read(file, "藏")] == [2]
    assert [note.reason for note in read_table(look_through(file, sheet="数据")).notes] == ["above_header"]
    with pytest.raises(UsageError, match="no sheet '没有'; it has 说明、数据、藏"):
        read(file, "没有")


def test_a_sheet_of_another_program_is_read(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        page = book.add_worksheet("回答")
        bold = book.add_format({"bold": True})
        for line, row in enumerate([["平台", "问题", "回答"], ["kimi", "q", "第一行\n第二行"], [], ["qwen", "q", "b"]]):
            page.write_row(line, 0, row)
        page.write_rich_string(4, 2, bold, "推荐", "华为")

    assert [(row.line, list(row.values.values())) for row in read(tmp_path / "a.xlsx") if isinstance(row, FileRow)] == [
        (2, ["kimi", "q", "第一行\n第二行"]),
        (4, ["qwen", "q", "b"]),
        (5, ["", "", "推荐华为"]),
    ]


def test_rows_that_are_formatted_but_empty_cost_no_memory(tmp_path: Path) -> None:
    ghosts = "".join(
        f'<row r="{line}"><c r="A{line}" s="1"/><c r="XFD{line}" s="2"/></row>' for line in range(2, 60_000)
    )
    data = f'<row r="1">{"".join(HEADER)}</row>{ghosts}<row r="60001"><c r="A60001"><v>5</v></c></row>'
    file = write_workbook(tmp_path / "a.xlsx", {"s": data})

    tracemalloc.start()
    try:
        (row,) = read(file)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert row.line == 60_001
    assert peak < 8_000_000


@pytest.mark.parametrize(
    "before",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x SYSTEM "http://evil.test/x.dtd">',
    ],
)
def test_document_types_inside_are_refused(tmp_path: Path, before: str) -> None:
    with pytest.raises(UsageError, match="declares a document type"):
        read(sheet(tmp_path, [text("kimi"), text("q"), text("a")], before=before))


def test_a_workbook_that_grows_beyond_measure_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    file = sheet(tmp_path, [text("kimi"), text("q"), text("a")])
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("xl/media/bomb.bin", bytes(50_000_000))

    with pytest.raises(UsageError, match=r"bomb.bin unpacks to more than 400 times"):
        look_through(file)


def test_too_many_files_inside_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.xlsx"
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(10_001):
            archive.writestr(f"xl/{number}", b"")

    with pytest.raises(UsageError, match="it holds 10,001 files"):
        look_through(file)


def test_a_declared_size_that_lies_is_told_as_damage(tmp_path: Path) -> None:
    rows = [[text("kimi"), text(f"q{number}"), text("a" * 50)] for number in range(2_000)]
    file = sheet(tmp_path, *rows)
    with zipfile.ZipFile(file) as archive:
        size = archive.getinfo("xl/worksheets/sheet1.xml").file_size
    file.write_bytes(file.read_bytes().replace(size.to_bytes(4, "little"), (size // 2).to_bytes(4, "little")))

    with pytest.raises(UsageError, match="is damaged"):
        read(file)


@pytest.mark.parametrize(
    ("xml", "why"),
    [
        ("<row><c t='s'><v>7</v></c></row>", "names a text 7"),
        ("<row r='9999999'><c><v>1</v></c></row>", "row 1 is followed by a row 9999999"),
        ("<row r='²'><c><v>1</v></c></row>", "followed by a row ²"),
        ("<row r='1'><c><v>1</v></c></row>", "followed by a row 1"),
        (f"<row r='{'9' * 5_000}'><c><v>1</v></c></row>", "followed by a row 9{39}…"),
        ("<row><c r='A2'><v>1</v></c><c r='A2'><v>2</v></c></row>", "has a cell A2"),
        ("<row><c r='²2'><v>1</v></c></row>", "has a cell ²2"),
        ("<row><c r='2'><v>1</v></c></row>", "has a cell 2"),
        ("<row><c s='²'><v>1</v></c></row>", "cell of a style ²"),
        ("<row><c s='99'><v>1</v></c></row>", "cell of a style 99"),
        (f"<row><c t='s'><v>{'9' * 5_000}</v></c></row>", "names a text 9{39}…"),
        ("<row><c t='s'><v>²</v></c></row>", "names a text ²"),
        ("<a>" * 200 + "</a>" * 200, "100 elements inside each other"),
        ("<row><c r='ZZZZZ1'><v>1</v></c></row>", "has a cell ZZZZZ1"),
        ("<row><c><v>1</v></row>", "mismatched tag"),
        pytest.param("<a b='" + "c" * 2_000_000 + "'/>", "one of its elements has more than", id="endless attribute"),
        pytest.param("<!--" + "a" * 2_000_000 + "-->", "one of its elements has more than", id="endless comment"),
    ],
)
def test_sheets_that_cannot_be_are_told_as_damage(tmp_path: Path, xml: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        read(write_workbook(tmp_path / "a.xlsx", {"s": f"<row>{''.join(HEADER)}</row>{xml}"}))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7 x", "PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), r"\.xls"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le"), "password"),
        (b"\x1f\x8b\x08rest", "gzip"),
        (b"<html><table><tr><td>a</td></tr></table></html>", "web page"),
        (b"<?xml version='1.0'?><Workbook/>", "XML"),
        (b"PK\x03\x04 and so on", "damaged"),
    ],
)
def test_files_of_other_kinds_are_told_for_what_they_are(tmp_path: Path, content: bytes, kind: str) -> None:
    file = tmp_path / "a.xlsx"
    file.write_bytes(content)

    with pytest.raises(UsageError, match=kind):
        look_through(file)


@pytest.mark.parametrize(
    ("member", "kind"),
    [("word/document.xml", "word processor"), ("xl/workbook.bin", "xlsb"), ("content.xml", "OpenDocument")],
)
def test_archives_of_office_programs_are_told_apart(tmp_path: Path, member: str, kind: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        archive.writestr(member, "<x/>")

    with pytest.raises(UsageError, match=kind):
        look_through(tmp_path / "a.xlsx")


def test_what_is_wrong_in_a_column_that_nobody_reads_refuses_no_row(tmp_path: Path) -> None:
    file = sheet(tmp_path, [text("kimi"), text("q"), cell("#N/A", kind="e")], [text("kimi"), cell("nan"), text("a")])

    first, second = read_table(look_through(file), reads=lambda _: ["平台", "问题"]).rows

    assert isinstance(first, FileRow)
    assert isinstance(second, RowError)


def test_a_column_whose_name_cannot_be_read_is_left_out_and_told(tmp_path: Path) -> None:
    header = [text("平台"), text("问题"), text("回答"), cell("", formula="A1")]
    file = write_workbook(tmp_path / "a.xlsx", {"s": [header, [text("kimi"), text("q"), text("a"), text("b")]]})
    table = read_table(look_through(file))

    assert [len(row.values) for row in table.rows if isinstance(row, FileRow)] == [3]
    (note,) = table.notes
    assert "the column below cell D1 is left out: it holds a formula without its result" in note.message


@pytest.mark.parametrize("count", [2, 16_384])
def test_two_columns_of_one_name_are_refused(tmp_path: Path, count: int) -> None:
    file = tmp_path / "a.csv"
    file.write_text(",".join([*("问题", "回答"), *(f"c{number}" for number in range(count)), "回答"]), encoding="utf-8")

    with pytest.raises(UsageError, match="line 1: two columns are called 回答"):
        read_table(look_through(file))


def test_two_sheets_of_one_name_are_refused(tmp_path: Path) -> None:
    file = write_workbook(tmp_path / "a.xlsx", {"a": [HEADER], "b": [HEADER]})
    change(file, "xl/workbook.xml", 'name="b"', 'name="a"')

    with pytest.raises(UsageError, match="two of its sheets are called a"):
        read(file)


@pytest.mark.parametrize(
    ("ref", "why"),
    [
        ("A²:B3", "merges cells A²:B3"),
        (f"A{'9' * 5_000}:B3", "merges cells A9{38}…"),
        ("", "merges cells "),
        ("AAAA1:B2", "merges cells AAAA1:B2"),
    ],
)
def test_merges_that_cannot_be_are_told_as_damage(tmp_path: Path, ref: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        read(write_workbook(tmp_path / "a.xlsx", {"s": [HEADER, [text("kimi")]]}, merged=[ref]))


def test_merges_are_read_in_small_letters_turned_round_and_in_utf_16(tmp_path: Path) -> None:
    rows = [HEADER, *([text("kimi"), text(f"q{number}"), text("a")] for number in range(3))]
    file = write_workbook(tmp_path / "a.xlsx", {"s": rows}, merged=["a3:A2", "C1"])

    assert [(line, column) for line, column, _ in told(file)] == [(3, "平台")]
    with zipfile.ZipFile(file) as archive:
        name = "xl/worksheets/sheet1.xml"
        members = {one: archive.read(one) for one in archive.namelist()}
    members[name] = members[name].decode().encode("utf-16")
    with zipfile.ZipFile(file, "w") as archive:
        for one, data in members.items():
            archive.writestr(one, data)
    assert [(line, column) for line, column, _ in told(file)] == [(3, "平台")]


def test_merges_over_each_other_are_refused(tmp_path: Path) -> None:
    merged = [f"A1:XFD{line}" for line in range(1_000_000, 1_000_500)]

    with pytest.raises(UsageError, match="merged cells lie over each other in row 2"):
        read(write_workbook(tmp_path / "a.xlsx", {"s": [HEADER, [text("kimi")]]}, merged=merged))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a_x000D_\nb", "a\r\nb"),
        ("a_x0001_b", "a\x01b"),
        ("a_x005F_x000D_b", "a_x000D_b"),
        ("a_x005F_x005F_x005F_x000D_b", "a_x005F_x000D_b"),
        ("_xD83D__xDE00_", "😀"),
        ("_xD83D_", "\ud83d"),
        ("_x12_ _xGGGG_ _X000D_", "_x12_ _xGGGG_ _X000D_"),
    ],
)
def test_characters_that_xml_cannot_hold_are_read_as_they_were(tmp_path: Path, written: str, meant: str) -> None:
    file = sheet(tmp_path, [cell("0", kind="s"), text(written), text("a")], shared=f"<si><t>{written}</t></si>")

    assert [row[:2] for row in values(file)] == [[meant, meant]]


@pytest.mark.parametrize("answer", ["a\x01b", "_x000D_", "a\r\nb", "x\tb", " a ", "_xD83D_"])
def test_what_another_program_writes_comes_back(tmp_path: Path, answer: str) -> None:
    for place, in_little_memory in [(tmp_path / "a.xlsx", True), (tmp_path / "b.xlsx", False)]:
        with xlsxwriter.Workbook(place, {"constant_memory": in_little_memory}) as book:
            page = book.add_worksheet("回答")
            page.write_row(0, 0, ["平台", "问题", "回答"])
            page.write_string(1, 1, "q")
            page.write_string(1, 2, answer)

        assert [row[2] for row in values(place)] == [answer]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["a.xlsx", "a.csv"])
def test_a_text_that_an_export_has_cut_is_refused(tmp_path: Path, name: str, language: str) -> None:
    length = "40,000"
    said = Said("export_cut", f" … [cut here: {length} characters in all]", length=length)
    mark = Messages(language).translated(said)
    cut = "推" * (32_767 - len(mark)) + mark
    rows = [["平台", "问题", "回答"], ["kimi", "q", cut], ["kimi", "r", "长" * 32_767], ["kimi", "s", "长" * 32_768]]
    file = tmp_path / name
    if file.suffix == ".csv":
        file.write_text("\n".join(";".join(row) for row in rows), encoding="utf-8")
    else:
        write_workbook(file, {"s": [[text(one) for one in row] for row in rows]})
    table = read_table(look_through(file))
    first, *rest = table.rows

    assert isinstance(first, RowError)
    assert (first.line, first.column, first.reason) == (2, "回答", "cut")
    assert all(isinstance(row, FileRow) for row in rest)
    assert [(note.line, note.reason) for note in table.notes] == [(3, "full")]


def test_a_long_text_that_many_cells_share_is_held_once(tmp_path: Path) -> None:
    row = "<row><c t='s'><v>0</v></c><c t='s'><v>1</v></c></row>"
    file = write_workbook(
        tmp_path / "a.xlsx",
        {"s": f"<row>{text('平台')}{text('问题')}</row>{row * 500}"},
        shared=f"<si><t>{'长' * 100_000}</t></si><si><t>b</t></si>",
    )

    tracemalloc.start()
    try:
        lengths = {
            len(str(row.values["平台"])) for row in read_table(look_through(file)).rows if isinstance(row, FileRow)
        }
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert lengths == {100_000}
    assert peak < 10_000_000, "all of them have 100 MB"


@pytest.mark.parametrize("encoding", ["idna", "hex", "gbk", "x" * 5_000])
def test_encodings_that_no_workbook_has_are_told_as_damage(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(UsageError, match="it is in the encoding"):
        read(sheet(tmp_path, [text("kimi")], before=f'<?xml version="1.0" encoding="{encoding}"?>'))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_way_of_packing_that_no_workbook_uses_is_refused(tmp_path: Path, method: int) -> None:
    file = sheet(tmp_path, [text("kimi")])
    with zipfile.ZipFile(file, "a", method) as archive:
        archive.writestr("xl/more.xml", "x" * 1_000)

    with pytest.raises(UsageError, match=r"more\.xml is packed in a way"):
        look_through(file)


def change(file: Path, member: str, before: str, after: str) -> None:
    """Write a workbook anew with another text in one of its files."""
    with zipfile.ZipFile(file) as archive:
        members = {one: archive.read(one) for one in archive.namelist()}
    assert before in members[member].decode()
    members[member] = members[member].decode().replace(before, after).encode()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, data in members.items():
            archive.writestr(one, data)
