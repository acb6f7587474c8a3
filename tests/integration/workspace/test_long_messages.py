"""What imports say stays short, however wide a file is, however long its cells are and however many rows are wrong."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from answerwatch.domain.said import Said
from answerwatch.errors import UsageError
from answerwatch.workspace import Workspace
from answerwatch.workspace.brands.views import LexiconImport
from answerwatch.workspace.files.columns import ANSWER_COLUMNS, LEXICON_COLUMNS, QUESTION_COLUMNS
from answerwatch.workspace.questions.views import QuestionImport
from answerwatch.workspace.samples.views import SampleImport

LONGEST = 3_000
COLUMNS = [f"column {number} {'长' * 200}" for number in range(3_000)]
LONG = ["长" * 30_000, "9" * 5_000 + ".0", "1." + "2" * 5_000 + "E+16", "x" * 30_000, "https://" + "a" * 30_000]


@dataclass(frozen=True)
class Import:
    """One import, the columns that it knows, and a row that it takes."""

    run: Callable[[Workspace, Path], SampleImport | QuestionImport | LexiconImport]
    columns: Mapping[str, Sequence[str]]
    row: Mapping[str, str]
    empty: str
    """The column that may not be empty."""


IMPORTS = {
    "samples": Import(
        lambda ws, path: ws.samples.import_file(path),
        ANSWER_COLUMNS,
        {"platform": "kimi", "question": "手机哪个好", "answer": "推荐A"},
        "question",
    ),
    "questions": Import(
        lambda ws, path: ws.questions.import_file(path),
        QUESTION_COLUMNS,
        {"question_id": "Q1", "query_text": "手机哪个好"},
        "query_text",
    ),
    "brands": Import(
        lambda ws, path: ws.brands.import_file(path),
        LEXICON_COLUMNS,
        {"entry": "alias", "brand": "华为", "text": "HUAWEI"},
        "text",
    ),
}


@pytest.fixture(params=list(IMPORTS))
def one(request: pytest.FixtureRequest) -> Import:
    return IMPORTS[request.param]


def table(path: Path, *rows: Sequence[str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def said_by(error: UsageError) -> Iterator[str]:
    yield str(error)
    yield from (str(fact) for fact in error.facts.values())


def said(outcome: SampleImport | QuestionImport | LexiconImport) -> Iterator[str]:
    messages = [error.message for error in outcome.errors] + [note.message for note in outcome.notes]
    yield from messages
    yield from (str(fact) for message in messages for fact in message.facts.values())


def test_a_file_of_3000_columns_is_refused_in_short(ws: Workspace, tmp_path: Path, one: Import) -> None:
    file = table(tmp_path / "a.csv", COLUMNS, ["x"] * len(COLUMNS))

    with pytest.raises(UsageError) as caught:
        one.run(ws, file)

    assert "column 0" in str(caught.value)
    assert max(map(len, said_by(caught.value))) <= LONGEST


@pytest.mark.parametrize("name", ["samples", "questions"])
@pytest.mark.parametrize("field", ["query_text", "question", "没" * 5_000])
def test_a_column_or_field_that_is_not_there_is_told_in_short(
    ws: Workspace, tmp_path: Path, name: str, field: str
) -> None:
    row = IMPORTS[name].row
    file = table(tmp_path / "a.csv", [*row, *COLUMNS], [*row.values(), *("x" for _ in COLUMNS)])
    run = ws.samples.import_file if name == "samples" else ws.questions.import_file

    with pytest.raises(UsageError) as caught:
        run(file, columns={"没有" * 5_000: field})

    assert max(map(len, said_by(caught.value))) <= LONGEST


@pytest.mark.parametrize("value", LONG, ids=range(len(LONG)))
def test_a_long_cell_is_told_in_short_in_every_column(ws: Workspace, tmp_path: Path, one: Import, value: str) -> None:
    told: list[str] = []
    for field in one.columns:
        row = {**one.row, field: value}
        try:
            told += said(one.run(ws, table(tmp_path / f"{field}.csv", list(row), list(row.values()))))
        except UsageError as error:
            told += said_by(error)

    assert told
    assert max(map(len, told)) <= LONGEST


def test_a_long_id_is_told_in_short(ws: Workspace, tmp_path: Path) -> None:
    rounded = "1." + "2" * 5_000 + "E+16"
    file = table(tmp_path / "a.csv", ["编号", "问题"], [rounded, "手机哪个好"])

    (error,) = ws.questions.import_file(file).errors

    assert (error.reason, error.column) == ("rounded", "编号")
    assert isinstance(error.message, Said)
    assert len(error.message) < 200


def test_after_a_thousand_errors_a_file_is_read_no_further(ws: Workspace, tmp_path: Path, one: Import) -> None:
    bad = {**one.row, one.empty: ""}
    file = table(tmp_path / "a.csv", list(bad), *([list(bad.values())] * 3_000))

    outcome = one.run(ws, file)

    assert [error.line for error in outcome.errors] == list(range(2, 1_002))


def test_errors_that_are_left_out_are_counted_to_the_last_and_notes_are_the_first(
    ws: Workspace, tmp_path: Path
) -> None:
    good = ["kimi", "手机哪个好", "推荐A"]
    bad = ["kimi", "", "推荐A"]
    file = table(tmp_path / "a.csv", ["platform", "question", "answer"], *([good] * 1_500), *([bad] * 1_500))

    outcome = ws.samples.import_file(file, skip_errors=True, dry_run=True)

    assert (outcome.rows, outcome.duplicates, outcome.bad_rows) == (1_500, 1_499, 1_500)
    assert [note.line for note in outcome.notes] == list(range(3, 1_003))
    assert [error.line for error in outcome.errors] == list(range(1_502, 2_502))
