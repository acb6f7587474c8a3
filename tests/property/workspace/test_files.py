"""Whatever is written for a spreadsheet is read back as it was, with the right line numbers."""

import csv
import io
import json
import tempfile
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from answerwatch.workspace.files.guard import guarded
from answerwatch.workspace.files.records import FileRow
from answerwatch.workspace.files.tables import look_through, read_table

# A cell of nothing but blanks is no content, and marks at the beginning of lines are taken away on purpose.
CELLS = st.text(st.characters(exclude_characters="\r\ufeff", codec="utf-8"), min_size=1, max_size=30).filter(
    lambda cell: cell.strip() != ""
)
ROWS = st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8)


@example(rows=[("0", "'@")], encoding="utf-8", told=False)
@given(rows=ROWS, encoding=st.sampled_from(["utf-8", "utf-8-sig", "gb18030", "utf-16"]), told=st.booleans())
def test_csv_comes_back_as_it_was(rows: list[tuple[str, str]], encoding: str, *, told: bool) -> None:
    out = io.StringIO()
    if told:
        out.write("sep=;\n")
    writer = csv.writer(out, delimiter=";" if told else ",", lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([("question", "answer"), *(map(guarded, row) for row in rows)])

    found, lines = read_back(out.getvalue().encode(encoding), "a.csv")

    assert found == [{"question": first, "answer": second} for first, second in rows]
    assert lines == sorted(lines)
    assert lines[0] == (3 if told else 2)


@given(rows=st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=30), min_size=1), min_size=1, max_size=8))
def test_jsonl_comes_back_as_it_was(rows: list[dict[str, str]]) -> None:
    found, lines = read_back("\n".join(json.dumps(row) for row in rows).encode(), "a.jsonl")

    assert found == rows
    assert lines == list(range(1, len(rows) + 1))


def read_back(data: bytes, name: str) -> tuple[list[dict[str, object]], list[int]]:
    """Write bytes to a file and return its rows with their lines; a row that is refused fails the test."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_bytes(data)
        rows = [row for row in read_table(look_through(file)).rows if isinstance(row, FileRow)]
    return [dict(row.values) for row in rows], [row.line for row in rows]
