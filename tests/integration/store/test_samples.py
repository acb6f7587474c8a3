"""What is known of an answer when it is stored comes back whole: no column is left out on the way."""

from dataclasses import fields, replace
from datetime import UTC, datetime

from answerwatch.store.database import Store
from answerwatch.store.sample import listing, samples
from answerwatch.store.sample.samples import NewSample
from answerwatch.store.schema.sample import answer_sample

FROM_CLEANING = {"is_valid", "invalid_reason"}
"""Columns that stay NULL until the answer is cleaned."""

FULL = NewSample(
    sub_task_id="S1", batch_id="B1", question_id="Q1", question_version=3, brand_name="华为", platform="kimi",
    scene_type="RECOMMEND", round=2, query_text="推荐一款手机", raw_response="华为不错", response_format="text",
    response_length=4, response_time_ms=0, raw_data_url="file:///objects/1", raw_sha256="ab" * 32, raw_size=0,
    altered_characters=1, collected_at=datetime(2026, 11, 30, 12, 0, 0, 7, tzinfo=UTC), attempt=2, model_asked="m",
    model_served="m-1", parameters={"top_p": 0.5}, search_asked=True, searched=False, finish_reason="stop",
    truncated=False, filtered=False, reasoning="…", prompt_tokens=0, completion_tokens=9, cost=0.0, request_id="r",
    provenance=["row", 1],
)  # fmt: skip
STORED = {field.name: getattr(FULL, field.name) for field in fields(NewSample) if field.name != "citations"}


def test_every_column_is_stored_with_the_sample_or_filled_by_cleaning() -> None:
    assert STORED.keys() | FROM_CLEANING == set(answer_sample.columns.keys())
    assert not STORED.keys() & FROM_CLEANING


def test_everything_known_of_a_sample_comes_back(store: Store) -> None:
    assert None not in STORED.values(), "give each field a value, so that losing it is seen"
    with store.writing() as tx:
        samples.add(tx, [FULL])

    with store.reading() as read:
        row = listing.get(read, "S1")

    assert row == STORED | dict.fromkeys(FROM_CLEANING)


def test_a_fact_that_is_longer_than_its_column_is_cut_and_shows_it(store: Store) -> None:
    long = replace(FULL, finish_reason="停" * 500, request_id="r" * 500)
    with store.writing() as tx:
        samples.add(tx, [long])

    with store.reading() as read:
        row = listing.get(read, "S1")

    assert row is not None
    assert (row["finish_reason"], row["request_id"]) == ("停" * 63 + "…", "r" * 190 + "…")
