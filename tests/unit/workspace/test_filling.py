"""Views are filled from rows by name, and together they show every column of a sample."""

from dataclasses import dataclass, fields

import pytest

from answerwatch.domain.plain import Plain
from answerwatch.store.schema.sample import answer_sample
from answerwatch.workspace.filling import filled
from answerwatch.workspace.samples.views import SampleDetail, SampleView


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    name: str
    count: int | None
    searched: bool | None
    extra: tuple[int, ...]
    kept: Plain = None


@pytest.mark.parametrize(("flag", "truth"), [(0, False), (1, True), (None, None)])
def test_fields_take_the_columns_of_their_names_and_flags_become_truth_values(
    flag: int | None, *, truth: bool | None
) -> None:
    row = {"name": "n", "count": 0, "searched": flag, "kept": {"a": 1}, "other": "left out"}

    view = filled(View, row, extra=(1, 2))

    assert view == View(name="n", count=0, searched=truth, extra=(1, 2), kept={"a": 1})
    assert view.searched is truth


def test_what_is_given_goes_before_the_column() -> None:
    assert filled(View, {"name": "n", "count": 1, "searched": 1, "kept": None}, extra=(), count=None).count is None


def test_a_field_without_column_is_named_with_its_view() -> None:
    with pytest.raises(KeyError, match="View needs count, which nobody gave and no column of the row has"):
        filled(View, {"name": "n", "searched": None}, extra=())


def test_the_views_of_a_sample_show_every_column_once() -> None:
    listed = [field.name for field in fields(SampleView)]
    more = [field.name for field in fields(SampleDetail) if field.name not in ("sample", "citations")]

    assert sorted(listed + more) == sorted(answer_sample.columns.keys())
