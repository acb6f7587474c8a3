"""Files that are broken, or made to break a reader: told by line, never a crash and never half taken."""

from pathlib import Path

import pytest

from answerwatch.errors import UsageError
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.files.tables import FileRow, look_through, read_table


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


@pytest.mark.parametrize("name", ["base64", "rot13", "hex", "", "klingon"])
def test_what_is_no_encoding_of_texts_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="no encoding"):
        rows_of(tmp_path / "a.csv", "question\na\n", encoding=name)


def test_utf_16_without_its_mark_is_refused_with_a_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not utf-16: bad byte at offset 0"):
        rows_of(tmp_path / "a.csv", "question\na\n", encoding="utf-16")
