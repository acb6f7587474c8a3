"""docs/questions.md tells every decision about a row of a file, every header and the limits that the code has."""

import ast

from answerwatch.domain.questions import LONGEST_QUERY, STALE_AFTER, UNRELATED_BELOW, likeness
from answerwatch.workspace.files.columns import QUESTION_COLUMNS
from answerwatch.workspace.files.told import MOST_TOLD
from answerwatch.workspace.questions.run import MOST_CHANGES
from tests.house.documents import read, rows
from tests.house.sources import modules

PAGE = read("docs/questions.md")
DECIDING = {f"answerwatch.workspace.{name}" for name in ("files.cell_faults", "questions.rows", "questions.deciding")}


def codes() -> set[str]:
    """Stable words of what is refused and told about rows."""
    found: set[str] = set()
    for call in (node for one in modules() if one.name in DECIDING for node in ast.walk(one.tree)):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        said = {"Fault": call.args[1:2], "RowNote": [one.value for one in call.keywords if one.arg == "reason"]}
        found |= {str(one.value) for one in said.get(call.func.id, []) if isinstance(one, ast.Constant)}
    return found


def test_every_decision_is_on_the_page_and_no_other() -> None:
    told = {row[-1].strip("`") for row in rows(PAGE, "## What is decided about a row")} - {""}

    assert told == codes()


def test_every_header_is_on_the_page_and_no_other() -> None:
    told = {
        cells[0].strip("`"): tuple(name.strip("` ") for name in cells[1].split(","))
        for cells in rows(PAGE, "## As a file")
    }

    assert told == dict(QUESTION_COLUMNS)


def test_the_numbers_on_the_page_are_those_of_the_code() -> None:
    assert f"have more than {LONGEST_QUERY:,} characters" in PAGE
    assert f"no answer from any platform for {STALE_AFTER.days} days" in PAGE
    assert {MOST_CHANGES, MOST_TOLD} == {1_000}
    assert "the first 1,000 changes (of long texts fewer), errors and notes" in PAGE
    assert (UNRELATED_BELOW, likeness("手机哪个好", "哪款手机好")) == (0.2, 0.25), "a fifth, and a quarter"
    assert likeness("手机哪个好", "电脑哪个好") >= UNRELATED_BELOW
