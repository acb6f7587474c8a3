"""docs/importing.md tells every format, every column and the limits that the code has."""

import re

from answerwatch.domain.questions import LONGEST_QUERY
from answerwatch.stages.collect.records import LONGEST_ANSWER
from answerwatch.workspace.files import limits, workbook_limits
from answerwatch.workspace.files.columns import ANSWER_COLUMNS
from answerwatch.workspace.files.encodings import KNOWN
from answerwatch.workspace.files.told import MOST_TOLD
from answerwatch.workspace.samples.answer_file import KNOWN_FORMATS
from answerwatch.workspace.samples.vendor_json.requests import MOST_REQUESTS
from tests.house.documents import read, rows

PAGE = read("docs/importing.md")
LIMITS = {cells[0]: int(cells[1].replace(",", "")) for cells in rows(PAGE, "## Limits")}


def test_every_format_is_told_and_no_other() -> None:
    assert {"auto", *(cells[0].strip("`") for cells in rows(PAGE, "## Formats"))} == set(KNOWN_FORMATS)


def test_every_encoding_is_told_and_no_other() -> None:
    told = PAGE.partition("`--encoding` takes ")[2].partition(".")[0]

    assert set(re.findall(r"`(.+?)`", told)) == set(KNOWN)


def test_every_column_is_told_and_no_other() -> None:
    told = {
        cells[0].strip("`"): tuple(name.strip("` ") for name in cells[1].split(","))
        for cells in rows(PAGE, "## Columns")
    }

    assert told == dict(ANSWER_COLUMNS)


def test_the_limits_that_are_told_are_those_of_the_code() -> None:
    assert LIMITS == {
        "characters of an answer": LONGEST_ANSWER,
        "characters of a question": LONGEST_QUERY,
        "characters of a row of a table": limits.LONGEST_ROW,
        "characters of a record of a JSON document, or of a line of JSON": limits.LONGEST_RECORD,
        "lists and records inside each other in a JSON row": limits.DEEPEST,
        "rows above which a header is looked for": limits.HEADER_WITHIN,
        "rows of a sheet": workbook_limits.MOST_ROWS,
        "columns of a sheet": workbook_limits.MOST_COLUMNS,
        "groups of merged cells of a sheet": limits.MOST_MERGES,
        "texts that the cells of a workbook share": limits.MOST_TEXTS,
        "elements inside each other in a part of a workbook": limits.DEEPEST_XML,
        "bytes of an element's beginning there": limits.LONGEST_TAG,
        "files in a workbook or archive": limits.MOST_MEMBERS,
        "bytes of them, unpacked": limits.LARGEST_UNPACKED,
        "bytes of a part of a workbook that lists sheets or formats": limits.LARGEST_PART,
        "bytes from which growth by unpacking is looked at": limits.RATIO_FROM,
        "times that a file may grow then": limits.HIGHEST_RATIO,
        "requests of `--requests`": MOST_REQUESTS,
        "errors that are listed": MOST_TOLD,
        "notes that are listed": MOST_TOLD,
    }
