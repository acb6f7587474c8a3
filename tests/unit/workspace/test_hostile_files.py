"""Files that are broken, or made to break a reader: told by line, never a crash and never half taken."""

import json
import os
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from answerwatch.errors import UsageError
from answerwatch.workspace.files.cells import is_rounded, whole_id
from answerwatch.workspace.files.json_rows import json_records
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.files.tables import look_through, read_table


def rows_of(path: Path, text: str, *, encoding: str | None = None) -> list[FileRow | RowError]:
    path.write_text(text, encoding="utf-8", newline="")
    return list(read_table(look_through(path, encoding=encoding)).rows)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('question,scene\na,RISK\nb,"RISK\nc,RISK\n', 3),
        ('question,scene\na,RISK\nb,"RISK\nc,RISK', 3),
        ('question,"scene\na,RISK\n', 1),
    ],
)
def test_an_open_quotation_mark_swallows_no_rows(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(UsageError, match=f"line {line}: a quotation mark is never closed"):
        rows_of(tmp_path / "a.csv", text)


def test_a_quoted_cell_may_end_the_file(tmp_path: Path) -> None:
    rows = rows_of(tmp_path / "a.csv", 'question,scene\nb,"RISK\n2"')

    assert [row.values for row in rows if isinstance(row, FileRow)] == [{"question": "b", "scene": "RISK\n2"}]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("9" * 5_000, "too many digits"),
        ("[" * 500 + "]" * 500, "100 levels deep"),
        ('{"a":' * 101 + "1" + "}" * 101, "100 levels deep"),
        ("[" * 100_000 + "]" * 100_000, "100 levels deep"),
        ("[1, 2", "not JSON"),
    ],
    ids=["digits", "deep", "records", "deeper", "open"],
)
def test_a_json_row_that_cannot_be_taken_is_told_and_the_others_are_read(tmp_path: Path, value: str, told: str) -> None:
    first, second = rows_of(tmp_path / "a.jsonl", f'{{"question": {value}}}\n{{"question": "b"}}\n')

    assert isinstance(first, RowError)
    assert (first.line, first.reason) == (1, "bad_json")
    assert told in first.message
    assert isinstance(second, FileRow)


def test_what_nobody_would_call_deep_is_taken(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path / "a.jsonl", '{"a": ' + "[" * 90 + "]" * 90 + "}\n")

    assert isinstance(row, FileRow)


@pytest.mark.parametrize(
    "name",
    ["base64", "rot13", "hex", "", "klingon", "idna", "punycode", "unicode_escape", "utf-7", "a\0b", "x" * 5_000],
)
def test_what_is_no_encoding_of_texts_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="no encoding") as caught:
        rows_of(tmp_path / "a.csv", "question\na\n", encoding=name)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize("name", ["big5", "EUC-JP", "cp936", "latin-1", "windows-1252", "utf8", "utf-16-le"])
def test_encodings_are_known_by_all_their_names(tmp_path: Path, name: str) -> None:
    text = "question\na\n"
    file = tmp_path / "a.csv"
    file.write_bytes(text.encode(name))

    assert len(list(read_table(look_through(file, encoding=name)).rows)) == 1


def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for path, told in [
        (tmp_path / "pipe", "is a pipe"),
        (tmp_path, "is a folder"),
        (Path("/dev/zero"), "is a device"),
        (Path("-"), "Standard input is not imported"),
        (tmp_path / "nothing", "No such file"),
    ]:
        with pytest.raises(UsageError, match=told):
            look_through(path)


def test_utf_16_without_its_mark_is_refused_with_a_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not utf-16: bad byte at offset 0"):
        rows_of(tmp_path / "a.csv", "question\na\n", encoding="utf-16")


@pytest.mark.parametrize("text", ['a,b,c\n1,"RISK,3\n4,5,6\n"7",8,9\n', 'a,b,c\n1,"RISK" x,3\n'])
def test_a_quotation_mark_that_meets_another_one_is_told_where_it_was_opened(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match="line 2: a quotation mark is open or stands alone"):
        rows_of(tmp_path / "a.csv", text)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('question,scene,note\na,"RISK,x\nb,RISK,y\nc,RISK,z"\nd,RISK,e\n', (2, 4)),
        ('question,scene,note\na,"RISK,x\nb,RISK",y\nc,RISK,z\n', (2, 3)),
        ('平台,问题,场景,回答\nkimi,q,RISK,"推荐A\nkimi,r,RISK,推荐B"\n', (2, 3)),
        ('问题,回答\r\n甲,"推荐A\r\n乙,推荐B"\r\n丙,推荐C\r\n', (2, 3)),
        ('问题;回答\n丁;"推荐D\n戊;推荐E\n己;推荐F"\n', (2, 4)),
        ('平台,问题,备注,回答\nkimi,甲,"第一行\n第二行","x\nkimi,乙,y,推荐B"\n', (3, 4)),
        ('问题,回答\n"甲,推荐A\n乙,推荐B"\n', (2, 3)),
    ],
)
def test_a_row_that_swallowed_others_is_refused_where_the_mark_was_opened(
    tmp_path: Path, text: str, lines: tuple[int, int]
) -> None:
    *_, row = [row for row in rows_of(tmp_path / "a.csv", text) if isinstance(row, RowError)]

    assert (row.line, row.reason) == (2, "swallows")
    assert f"opened in line {lines[0]} is closed in line {lines[1]}" in row.message


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        # Others hold line breaks too, so that somebody here knows how to write them.
        ('问题,回答\n甲,"推荐A\n乙,推荐B"\n丙,"先说\n\n再说"\n', ["swallows"]),
        ('问题,回答\n丙,"先说\n\n再说"\n甲,"推荐A\n首先,看价格"\n', ["swallows"]),
        ('问题,回答\n甲,"First, look.\nThen, buy."\n', []),
        ('问题,回答\n甲,"Buy.\nThen, or now, buy."\n', []),
        # All texts in marks: one that is left open would meet another.
        ('"平台","问题","场景","回答"\n"kimi","q","RISK","推荐A\nkimi,r,RISK,推荐B"\n', []),
        ('平台|问题|回答\nkimi|q|"| 品牌 | 价 |\n|---|---|\n| A | 1 |"\n', []),
        ('平台,问题,回答\nkimi,q,"清单：\n```csv\na,b,c\n```"\n', []),
        ('问题\n"甲\n乙"\n', ["swallows"]),
    ],
)
def test_answers_with_line_breaks_are_taken(tmp_path: Path, text: str, notes: list[str]) -> None:
    file = tmp_path / "a.csv"
    file.write_text(text, encoding="utf-8")
    table = read_table(look_through(file))

    assert all(isinstance(row, FileRow) for row in table.rows)
    assert [note.reason for note in table.notes] == notes


def test_titles_above_the_header_are_left_out_and_told(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("2026 年问题表\n\n编号;问题;备注\nQ1;哪个好;x\n", encoding="utf-8")
    table = read_table(look_through(file))

    assert [row.values for row in table.rows if isinstance(row, FileRow)] == [
        {"编号": "Q1", "问题": "哪个好", "备注": "x"}
    ]
    assert (table.delimiter, [(note.line, note.reason) for note in table.notes]) == (";", [(1, "above_header")])


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_encodings_of_spreadsheets_are_found(tmp_path: Path, codec: str, ends: str) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(ends.join(["问题\t场景", "𠮷野家好吗\tRISK", ""]).encode(codec))
    source = look_through(file)

    assert source.encoding == {"utf-8-sig": "UTF-8", "gb18030": "GB18030"}.get(codec, "UTF-16")
    assert [row.values for row in read_table(source).rows if isinstance(row, FileRow)] == [
        {"问题": "𠮷野家好吗", "场景": "RISK"}
    ]


def test_nul_bytes_in_a_text_make_it_no_other_encoding(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path / "a.csv", "question,scene\na\0b,RISK\n")

    assert isinstance(row, FileRow)
    assert row.values["question"] == "a\0b"


def test_a_list_of_records_is_read_like_lines_of_them(tmp_path: Path) -> None:
    rows = rows_of(tmp_path / "a.json", '[{"question": "a"}, 3, {"question": "b"}]')

    assert [(row.line, isinstance(row, FileRow)) for row in rows] == [(1, True), (2, False), (3, True)]


def test_a_record_over_several_lines_is_one_document(tmp_path: Path) -> None:
    assert look_through_text(tmp_path / "a.txt", '{\n "question": "a"\n}') == "json"
    assert look_through_text(tmp_path / "b.txt", '{"question": "a"}\n{"question": "b"}') == "jsonl"
    assert look_through_text(tmp_path / "c.json", '{"question": "a"}\n{"question": "b"}') == "jsonl"


def look_through_text(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return look_through(path).format


def test_rep_csv_huge_field_is_streamed(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    with file.open("w", encoding="utf-8") as target:
        target.write("平台,问题,回答\n")
        for number in range(40):
            target.write(f"kimi,q{number},{'推荐A牌。' * 80_000}\n")
    rows = read_table(look_through(file)).rows

    tracemalloc.start()
    try:
        lengths = {len(str(row.values["回答"])) for row in rows if isinstance(row, FileRow)}
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert lengths == {400_000}
    assert peak < 12_000_000, "a row has 0.8 MB, all have 32 MB"


@pytest.mark.parametrize("text", ["a", '"', "a,", '"a\n'], ids=["line", "marks", "cells", "lines"])
def test_a_row_without_an_end_is_not_held(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.csv"
    with file.open("w", encoding="utf-8") as target:
        target.write("问题,回答\n甲,")
        target.writelines(text * 100_000 for _ in range(17_000_000 // (100_000 * len(text)) + 1))

    with pytest.raises(UsageError, match=r"line 2: a (row has more than 16,777,216 characters|quotation mark)"):
        list(read_table(look_through(file)).rows)


def test_a_line_of_json_without_an_end_is_told_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("answerwatch.workspace.files.json_rows.LONGEST_RECORD", 1_000)
    first, second, third = rows_of(
        tmp_path / "a.jsonl", f'{{"question": "{"a" * 5_000}"}}\n{{"question": "b"}}\n{{"question": "{"c" * 5_000}"}}'
    )

    assert isinstance(first, RowError)
    assert isinstance(third, RowError)
    assert (first.line, third.line) == (1, 3)
    assert "it has more than 1,000 characters" in first.message
    assert isinstance(second, FileRow)
    assert second.line == 2


def test_an_archive_that_breaks_while_it_is_read_is_told_as_damage(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps([{"a": "b" * number} for number in range(200)]))
    data = bytearray(file.read_bytes())
    data[150] ^= 0xFF
    file.write_bytes(data)

    with pytest.raises(UsageError, match="is damaged"):
        list(json_records(look_through(file), ("item",)))


@pytest.mark.parametrize(
    ("written", "is_lost", "meant"),
    [
        ("2.02607E+16", True, None),
        ("2,02607E+16", True, None),
        ("2.0260701123456788e+16", True, None),
        ("20260701123456788.0", True, None),
        ("9" * 5_000 + ".0", True, None),
        ("9007199254740992.0", False, "9007199254740992"),
        ("20260701.0", False, "20260701"),
        ("20260701123456789", False, "20260701123456789"),
        ("1E5", False, "1E5"),
        ("v1.0", False, "v1.0"),
    ],
)
def test_ids_that_were_taken_for_numbers_are_known(written: str, meant: str | None, *, is_lost: bool) -> None:
    assert is_rounded(written) is is_lost
    assert is_lost or whole_id(written) == meant
