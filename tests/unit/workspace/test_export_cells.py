"""Values as they stand in the cells of exports."""

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerwatch.messages import LANGUAGES, catalogue
from answerwatch.store.exports.columns import by_difference, by_identity
from answerwatch.store.exports.row_set import ValueKind
from answerwatch.store.exports.row_sets import ROW_SETS
from answerwatch.workspace.exports.cells import json_cell
from answerwatch.workspace.exports.layout import Layout, OutColumn
from answerwatch.workspace.exports.writers.csv import CsvWriter
from answerwatch.workspace.exports.writers.jsonl import JsonlWriter
from answerwatch.workspace.files.guard import freed
from answerwatch.workspace.questions.rows import read_keywords


@pytest.mark.parametrize(
    "words", [["手机"], ["手机", "性价比"], ["two words", "a-b"], ["[1]"], ['["a"]'], ["a;b", "c"]]
)
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
    kinds = (("text", ValueKind.TEXT), ("number", ValueKind.INTEGER))
    columns = tuple(OutColumn(name=name, title=name, kind=kind, origin="") for name, kind in kinds)
    writer = CsvWriter(file, Layout(name="rows", columns=columns, zone=UTC, zone_name="UTC"))

    writer.add([[text for text, _ in rows], [number for _, number in rows]])

    read = list(csv.reader(io.StringIO(file.getvalue().decode(), newline="")))
    assert [(freed(text), number) for text, number in read] == [
        ("text", "number"),
        *((text or "", "" if number is None else str(number)) for text, number in rows),
    ]


FEW = st.sampled_from([None, "=1", "'=1", '"', "a,b", "", "-", "华为", "x\r\ny"])
PAGES = st.lists(st.lists(FEW | st.text(alphabet=st.characters(codec="utf-8")), max_size=30), max_size=5)


@given(PAGES)
def test_what_repeats_is_written_as_what_does_not(pages: list[list[str | None]]) -> None:
    """Pages of one column, of which some repeat their values and some do not, and rows of it one at a time."""
    columns = (OutColumn(name="text", title="text", kind=ValueKind.TEXT, origin=""),)
    layout = Layout(name="rows", columns=columns, zone=UTC, zone_name="UTC")
    for make in (CsvWriter, JsonlWriter):
        together, alone = io.BytesIO(), io.BytesIO()
        by_page, by_row = make(together, layout), make(alone, layout)
        for page in pages:
            by_page.add([page])
            for text in page:
                by_row.add([[text]])
        assert together.getvalue() == alone.getvalue()


@given(PAGES)
def test_columns_are_converted_to_the_same_by_every_way(pages: list[list[str | None]]) -> None:
    def convert(values: Sequence[str | None]) -> list[str]:
        return [repr(value) for value in values]

    for way in (by_difference(convert), by_identity(convert)):
        assert [way(page) for page in pages] == [convert(page) for page in pages]


def test_each_value_that_repeats_is_converted_once() -> None:
    seen: list[str] = []

    def convert(values: Sequence[str]) -> list[str]:
        seen.extend(values)
        return list(values)

    by_difference(convert)(["a", "b"] * 50)

    assert sorted(seen) == ["a", "b"]
