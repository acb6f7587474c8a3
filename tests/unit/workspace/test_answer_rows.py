"""Cells of imported answers: sources as people write them, and rows that hold anything."""

from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerwatch.platforms.catalogue import catalogue
from answerwatch.workspace.files.columns import ANSWER_COLUMNS, map_columns
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.row_notes import RowError
from answerwatch.workspace.samples.answer_rows import Defaults, read_answer, read_sources


@pytest.mark.parametrize(
    "written",
    [
        ["https://a.example/x", "https://b.example/"],
        [{"url": "https://a.example/x", "title": "A"}, {"link": "https://b.example/"}],
        "https://a.example/x\nhttps://b.example/",
        "https://a.example/x|A；https://b.example/",
        '["https://a.example/x", "https://b.example/"]',
        "[1] https://a.example/x [2] https://b.example/",
    ],
)
def test_sources_are_read_in_many_spellings(written: object) -> None:
    assert [citation.canonical_url for citation in read_sources(written)] == [
        "https://a.example/x",
        "https://b.example/",
    ]


def test_titles_stand_behind_addresses() -> None:
    found = read_sources("https://a.example/x|评测 一,二\nhttps://b.example/ | https://c.example/ | C")

    assert [(one.url, one.title) for one in found] == [
        ("https://a.example/x", "评测 一,二"),
        ("https://b.example/", None),
        ("https://c.example/", "C"),
    ]


def test_what_is_no_address_is_no_source() -> None:
    assert read_sources([None, 3, "", "javascript:alert(1)", {"title": "x"}]) == ()
    assert read_sources(None) == ()


def test_sources_that_only_look_like_json_are_read_as_text() -> None:
    assert read_sources("[" + "9" * 5_000 + "]") == ()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(ANSWER_COLUMNS, anything)), st.sampled_from(["", "kimi"]))
def test_a_row_with_anything_in_any_cell_is_an_answer_or_an_error(values: dict[str, object], platform: str) -> None:
    usual = {"question": "q", "answer": "a", "platform": platform}
    defaults = Defaults(platform=None, scene=None, zone=UTC, brand="", import_name=lambda name: f"{name}-import")

    for row in (values, usual | values, values | usual):
        found = read_answer(FileRow(line=1, values=row), {name: name for name in row}, defaults)
        if isinstance(found, RowError):
            assert found.column in ANSWER_COLUMNS
            assert len(found.message) < 300
        else:
            assert found.query_text


@pytest.mark.parametrize(
    ("field", "written", "said"),
    [
        ("question", ["q"], "it is a list, not a text"),
        ("question", 5, "it is a number, not a text"),
        ("platform", {"name": "kimi"}, "it is a record, not a text"),
        ("platform", 5, "it is a number, not a text"),
        ("platform", True, "it is true or false, not a text"),
        ("platform", "-import", "is not the name of one platform"),
        ("platform", "import-import", "is not the name of one platform"),
        ("platform", "import", "is not the name of one platform"),
        ("platform", "kimi;deepseek", "is not the name of one platform"),
        ("platform", "豆包、文心", "is not the name of one platform"),
        ("question_version", -1, "-1 is no version"),
        ("question_version", "x", "x is no version"),
        ("question_version", 1.5, "1.5 is no version"),
        ("question_version", "²", "is no version"),
        ("question_version", 10**7, "is no version"),
        ("question_version", True, "it is true or false, not a text"),
    ],
)
def test_a_value_that_cannot_be_what_its_column_holds_is_told_for_what_it_is(
    field: str, written: object, said: str
) -> None:
    values = {"question": "q", "answer": "a", "platform": "kimi", field: written}
    defaults = Defaults(platform="kimi", scene=None, zone=UTC, brand="", import_name=catalogue().import_name)

    found = read_answer(FileRow(line=1, values=values), map_columns(values, ANSWER_COLUMNS), defaults)

    assert isinstance(found, RowError)
    assert (found.column, found.reason) == (field, "bad_value")
    assert said in found.message


@pytest.mark.parametrize(
    ("written", "reason", "said"),
    [
        (["Q1"], "bad_value", "it is a list, not a text"),
        (True, "bad_value", "it is true or false, not a text"),
        ("2.02607E+16", "rounded", "a spreadsheet has rounded it"),
        ("Q 1", "bad_value", "holds white space"),
    ],
)
def test_a_question_id_that_cannot_be_one_is_an_error_of_its_column(written: object, reason: str, said: str) -> None:
    values = {"题号": written, "question": "q", "answer": "a", "platform": "kimi"}
    defaults = Defaults(platform=None, scene=None, zone=UTC, brand="", import_name=lambda name: f"{name}-import")

    found = read_answer(FileRow(line=1, values=values), map_columns(values, ANSWER_COLUMNS), defaults)

    assert isinstance(found, RowError)
    assert (found.column, found.reason) == ("题号", reason)
    assert said in found.message
