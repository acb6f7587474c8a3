"""The queries of docs/queries.md run as they stand there, and give the right numbers."""

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import text

from answerwatch.domain.answers import Figures
from answerwatch.domain.clean_states import CleanState
from answerwatch.store.clean import matches, results
from answerwatch.store.clean.matches import MatchRow
from answerwatch.store.clean.results import NewResult
from answerwatch.store.database import Store
from answerwatch.store.sample import samples
from answerwatch.store.sample.samples import NewSample
from tests.house.documents import blocks, read

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ONE_QUESTION, ONE_BATCH, BY_BRAND, WHY_NOT = (body for kind, body in blocks(read("docs/queries.md")) if kind == "sql")


def sample(number: int, platform: str) -> NewSample:
    return NewSample(
        sub_task_id=f"S{number}", batch_id="B1", question_id="Q1", question_version=1, brand_name="华为",
        platform=platform, scene_type="RECOMMEND", round=number, query_text="推荐一款手机", raw_response="华为不错",
        response_length=4, collected_at=NOW,
    )  # fmt: skip


def result(number: int, platform: str, generation: int, *, valid: bool | None, focal: Figures) -> NewResult:
    return NewResult(
        clean_task_id=f"S{number}_G{generation}", source_task_id=f"S{number}", batch_id="B1", brand_name="华为",
        platform=platform, scene_type="RECOMMEND", clean_state=CleanState.COMPLETED,
        is_valid=None if valid is None else int(valid), focal=focal, raw_data_url=None, generation=generation,
        lexicon_version=generation, cleaner_version="r1", cleaned_at=NOW,
    )  # fmt: skip


NAMED = Figures(is_mentioned=1, mention_count=1, is_recommended=1, recommendation_rank=2)
NOT_NAMED = Figures(is_mentioned=0, mention_count=0, is_recommended=0)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """Five samples: named (by the second generation only), named, not named, invalid, and one not cleaned."""
    made = Store(database_url)
    platforms = {1: "kimi", 2: "kimi", 3: "deepseek", 4: "kimi", 5: "deepseek"}
    with made.writing() as tx:
        samples.add(tx, [sample(number, platform) for number, platform in platforms.items()])
        results.store(tx, [result(1, "kimi", 1, valid=True, focal=NOT_NAMED)])
        results.store(
            tx,
            [
                result(1, "kimi", 2, valid=True, focal=NAMED),
                result(2, "kimi", 2, valid=True, focal=NAMED),
                result(3, "deepseek", 2, valid=True, focal=NOT_NAMED),
                result(4, "kimi", 2, valid=False, focal=Figures()),
            ],
        )
        matches.add(tx, [candidate(1, "excluded"), candidate(2, "accepted")])
    yield made
    made.close()


def candidate(generation: int, reason: str) -> MatchRow:
    return MatchRow(
        clean_task_id=f"S1_G{generation}", standard_name="华为", matched_alias="华为", match_position=0, match_length=2,
        is_valid_match=int(reason == "accepted"), reason=reason, region="prose", via="alias", created_at=NOW,
    )  # fmt: skip


def asked(store: Store, query: str, **values: object) -> list[tuple[Any, ...]]:
    """Rows of a query; servers give sums and rounded numbers as decimals, which are the same numbers."""
    with store.reading() as tx:
        rows = tx.all(text(query.strip().removesuffix(";")), values)
    return [tuple(float(each) if isinstance(each, Decimal) else each for each in row) for row in rows]


def test_one_question_over_the_platforms(store: Store) -> None:
    assert asked(store, ONE_QUESTION, q="Q1", b="华为") == [
        ("deepseek", 0, 0, None),
        ("deepseek", None, None, None),
        ("kimi", 1, 1, 2),
        ("kimi", 1, 1, 2),
        ("kimi", None, None, None),
    ]


def test_one_batch_counts_each_answer_once_and_only_valid_ones_in_the_rate(store: Store) -> None:
    assert asked(store, ONE_BATCH, batch="B1") == [("华为", 5, 3, 2, 66.7)]


def test_focal_brands_in_valid_answers(store: Store) -> None:
    assert asked(store, BY_BRAND, since="2026-11-30 00:00:00") == [("华为", 3, 2, 66.7)]
    assert asked(store, BY_BRAND, since="2026-12-01 00:00:00") == []


def test_candidates_are_those_of_the_current_generation(store: Store) -> None:
    assert asked(store, WHY_NOT, sample="S1") == [("华为", "华为", 0, 2, "prose", "accepted", None)]
