"""Values as they stand in the cells of exports."""

import csv
import io
import json
from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerwatch.messages import LANGUAGES, catalogue
from answerwatch.store.exports.kinds import ROW_SETS
from answerwatch.store.exports.row_set import Kind
from answerwatch.workspace.exports.cells import json_cell
from answerwatch.workspace.exports.layout import Layout, OutColumn
from answerwatch.workspace.exports.writers.csv import CsvWriter
from answerwatch.workspace.files.guard import freed
from answerwatch.workspace.questions.rows import read_keywords


@pytest.mark.parametrize("words", [["手机"], ["手机", "性价比"], ["two words", "a-b"]])
def test_words_of_a_list_stand_beside_each_other_and_are_read_as_they_were(words: list[str]) -> None:
    assert read_keywords(json_cell(words)) == tuple(words)


@pytest.mark.parametrize("value", [["a;b", "c"], [" a"], [""], [1], {"seed": 1}, {"half": "\ud83d", "long": 2**70}])
def test_everything_else_is_json(value: object) -> None:
    assert json.loads(json_cell(value)) == value


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", list(ROW_SETS))
def test_no_two_columns_have_one_header(what: str, language: str) -> None:
    words = [catalogue(language)[f"exported.{name}"] for name in ROW_SETS[what].names]

    assert len(set(words)) == len(words)


@given(st.lists(st.tuples(st.none() | st.text(alphabet=st.characters(codec="utf-8")), st.none() | st.integers())))
def test_csv_is_read_as_it_was_written(rows: list[tuple[str | None, int | None]]) -> None:
    file = io.BytesIO()
    kinds = (("text", Kind.TEXT), ("number", Kind.INTEGER))
    columns = tuple(OutColumn(name=name, title=name, kind=kind, origin="") for name, kind in kinds)
    writer = CsvWriter(file, Layout(name="rows", columns=columns, zone=UTC, zone_name="UTC"))

    writer.add([[text for text, _ in rows], [number for _, number in rows]])

    read = list(csv.reader(io.StringIO(file.getvalue().decode(), newline="")))
    assert [(freed(text), number) for text, number in read] == [
        ("text", "number"),
        *((text or "", "" if number is None else str(number)) for text, number in rows),
    ]
