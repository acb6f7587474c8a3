"""Labelled rows of any shape: each is taken or told to be wrong, and what is taken can be measured and shown."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from answerwatch.figures.accuracy.scoring import Score
from answerwatch.workspace.evaluation.predicting import as_line, predict
from answerwatch.workspace.evaluation.rows import LabelledRow, read_labelled
from answerwatch.workspace.files.json_rows import read_object
from answerwatch.workspace.files.records import FileRow

GOOD = {
    "id": "a",
    "answer": "1. 华为：它首选\n2. 小米",
    "question": "推荐什么",
    "scene": "RECOMMEND",
    "validity": "valid",
    "is_valid": True,
    "validity_alt": ["refused"],
    "has_citation": False,
    "brands": [
        {
            "brand": "华为",
            "aliases": ["华为", "HUAWEI"],
            "exclude": ["华为云"],
            "mentions": [{"start": 3, "end": 5, "text": "华为", "valid": True}],
            "mention_count": 1,
            "is_mentioned": True,
            "is_recommended": True,
            "recommendation_rank": 1,
            "rank_alt": [2, None],
        }
    ],
    "pronouns": [{"start": 6, "end": 7, "text": "它", "refers_to": "华为"}],
}

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["\ud800", "valid", "华为", 0, 1, 3, 5])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401 - any JSON value
    """Return the path of every value inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, one in inner for place in places(one, (*path, key)))]


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """Make a good row of which some values are any others, or gone."""
    row = json.loads(json.dumps(GOOD))
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from(places(row)[1:]))
        holder = row
        for step in way:
            holder = holder[step]
        if draw(st.booleans()):
            holder[last] = draw(VALUES)
        elif isinstance(holder, dict):
            del holder[last]
    return dict(row)


@given(mutated())
def test_a_row_is_taken_or_told_and_never_ends_the_work(values: dict[str, Any]) -> None:
    row = read_labelled(FileRow(line=1, values=values))

    if isinstance(row, LabelledRow):
        score, said = Score(), predict(row)
        misses = score.add(row.label, said)
        assert said.error is None
        assert all(one.value is None or 0 <= one.value <= 1 for one in score.measures())
        assert all(one.row_id == row.label.row_id for one in misses)
        assert isinstance(read_object(json.dumps(as_line(row.label.row_id, said))), dict)
