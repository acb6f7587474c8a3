"""Texts in the cells of workbooks that we write."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from answerwatch.workspace.files.tables import look_through, read_table
from answerwatch.workspace.files.workbook_limits import as_held
from answerwatch.workspace.files.workbook_writing import close_workbook, new_workbook

PIECES = st.sampled_from(
    ["_", "x", "_x005F_", "_x000D_", "x000D_", "_x005f", "_xD83D_", "<r>", "</r>", "<t>", "&", " ", "\n"]
)
TEXTS = st.lists(PIECES | st.text(max_size=3), min_size=1, max_size=8).map("".join).map(lambda text: as_held(text)[0])


def read_back(path: Path, texts: list[str]) -> list[object]:
    with tempfile.TemporaryDirectory() as scratch, path.open("wb") as file:
        book = new_workbook(file, scratch)
        sheet = book.add_worksheet()
        sheet.write_string(0, 0, "text")
        for line, text in enumerate(texts, start=1):
            sheet.write_string(line, 0, f"|{text}")  # a row of nothing but blanks is none
        for line, text in enumerate(texts, start=len(texts) + 1):
            sheet.write_string(line, 0, f"<r>{text}</r>")
        close_workbook(book)
    table = read_table(look_through(path))
    return [getattr(row, "values", {}).get("text") for row in table.rows]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(texts=st.lists(TEXTS, min_size=1, max_size=20))
def test_every_text_is_read_as_it_was_written(tmp_path: Path, texts: list[str]) -> None:
    back = read_back(tmp_path / "texts.xlsx", texts)

    assert back == [*(f"|{text}" for text in texts), *(f"<r>{text}</r>" for text in texts)]


@pytest.mark.parametrize("text", ["_x005F_x000D_", "_x005F_x005F_x000D_", "_x000D_x000D_", "_x005F_", "__x000D__"])
def test_a_text_that_looks_like_an_escape_is_read_as_it_was_written(tmp_path: Path, text: str) -> None:
    assert read_back(tmp_path / "texts.xlsx", [text])[0] == f"|{text}"
