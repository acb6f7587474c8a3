"""docs/accuracy.md tells every measure and the format of labelled rows as the code has them."""

import json
import re

from answerwatch.figures.accuracy.records import Measure
from answerwatch.reading import READER_VERSION
from answerwatch.stages.collect.records import LONGEST_ANSWER
from answerwatch.workspace.evaluation.predicting import as_line, predict
from answerwatch.workspace.evaluation.rows import VALIDITY, LabelledRow, read_labelled
from answerwatch.workspace.files.records import FileRow
from tests.house.documents import read, rows

PAGE = read("docs/accuracy.md")
LABELLED, PREDICTED = (json.loads(text) for text in re.findall(r"^```json\n(.+?)\n```", PAGE, re.MULTILINE | re.DOTALL))


def test_every_measure_is_told_and_no_other() -> None:
    assert [cells[0].strip("`") for cells in rows(PAGE, "## Measures")] == [str(measure) for measure in Measure]


def test_the_row_that_is_shown_is_read_as_is_shown() -> None:
    row = read_labelled(FileRow(line=1, values=LABELLED))

    assert isinstance(row, LabelledRow)
    assert json.loads(json.dumps(as_line(row.label.row_id, predict(row)))) == PREDICTED


def test_every_word_for_validity_is_told_and_no_other() -> None:
    (cell,) = (cells[1] for cells in rows(PAGE, "## Labelled rows") if cells[0] == "`validity`")

    assert set(re.findall(r"`(\w+)`", cell)) == {*VALIDITY, "is_valid"}


def test_the_longest_answer_is_told() -> None:
    assert f"at most {LONGEST_ANSWER:,} characters" in PAGE


def test_the_rules_that_were_measured_are_those_of_now() -> None:
    assert re.findall(r"^Measured on \d{4}-\d\d-\d\d at commit \w+, rules of reading (\w+)\.$", PAGE, re.MULTILINE) == [
        READER_VERSION
    ]
