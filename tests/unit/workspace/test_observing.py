"""What is stored about a brand in an answer, as figures take it."""

from dataclasses import fields

import pytest

from answerwatch.domain.answers import ABSENT, UNKNOWN, Figures
from answerwatch.figures.observations import Observation
from answerwatch.reading import BrandReading
from answerwatch.stages.clean.outcome import figures_of
from answerwatch.store.clean import generation_pairs, observations
from answerwatch.store.schema.clean import (
    brand_result,
    brand_result_history,
    clean_result,
    clean_result_history,
)
from answerwatch.store.schema.sample import OF_SAMPLE
from answerwatch.workspace.reports.observing import figures_seen, observed

COUNTED = {field.name for field in fields(Observation)} - {"tracked_mentions"}
"""Values that are read under their own names; how many brands an answer mentions is counted."""
NAMED = Figures(is_mentioned=1, mention_count=2, is_recommended=0, recommendation_rank=3)
ANSWER = {
    "question_id": "Q1", "platform": "kimi", "scene_type": "RISK", "round": 2, "is_valid": 1, "invalid_reason": None,
    "has_citation": 1, "truncated": 0, "raw_data_url": "not counted", **dict.fromkeys(OF_SAMPLE),
}  # fmt: skip
KEYS = {"clean_task_id", "brand_name", "source_task_id", "batch_id", "platform", "scene_type", "generation"}


def test_every_figure_of_a_brand_has_its_column_in_all_tables_of_results() -> None:
    assert set(brand_result.columns.keys()) == {*KEYS, *Figures._fields, "created_at"}
    assert brand_result_history.columns.keys() == brand_result.columns.keys()
    assert set(Figures._fields) <= set(clean_result.columns.keys())
    assert clean_result_history.columns.keys() == clean_result.columns.keys()


def test_every_value_that_is_counted_is_read_for_reports_and_for_comparing_generations() -> None:
    reported = {*observations.Row._fields, *Figures._fields, *OF_SAMPLE}
    compared = {*clean_result.columns.keys(), *generation_pairs.ASKED}

    assert (COUNTED - reported, COUNTED - compared) == (set(), set())


def test_columns_of_samples_are_all_counted_and_hide_none_of_results() -> None:
    assert set(OF_SAMPLE) <= COUNTED
    assert not set(OF_SAMPLE) & {*observations.Row._fields, *clean_result.columns.keys()}


def test_what_the_reader_says_of_an_absent_brand_is_what_is_taken_for_one_without_a_row() -> None:
    assert figures_of(BrandReading(standard_name="华为")) == ABSENT


@pytest.mark.parametrize(
    ("found", "looked_for", "seen"), [(NAMED, True, NAMED), (None, True, ABSENT), (None, False, UNKNOWN)]
)
def test_a_brand_without_a_row_is_absent_only_where_it_was_looked_for(
    found: Figures | None, *, looked_for: bool, seen: Figures
) -> None:
    assert figures_seen(found, looked_for=looked_for) == seen


def test_an_answer_is_observed_by_the_names_of_its_columns() -> None:
    expected = Observation(
        question_id="Q1", platform="kimi", scene_type="RISK", round=2, is_valid=1, is_mentioned=1, is_recommended=0,
        recommendation_rank=3, has_citation=1, truncated=0, tracked_mentions=4,
    )  # fmt: skip

    assert observed(ANSWER, NAMED, tracked_mentions=4) == expected
    assert observed({**ANSWER, **NAMED._asdict()}, tracked_mentions=4) == expected
