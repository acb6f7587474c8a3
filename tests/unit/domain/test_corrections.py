"""What follows from a correction."""

from datetime import UTC, datetime

from answerwatch.domain.answers import UNKNOWN, Figures
from answerwatch.domain.corrections import Correction, Field, Seen, Spot, corrected

READ = Seen(
    is_valid=1,
    invalid_reason=None,
    has_citation=0,
    figures=Figures(is_mentioned=1, mention_count=2, is_recommended=1, recommendation_rank=3, is_top_pick=0),
    spots=frozenset({(4, 2), (10, 2)}),
)


def said(field: Field, value: str, spot: Spot | None = None) -> Correction:
    return Correction(
        correction_id=1,
        sub_task_id="s",
        brand_name="" if field.of_answer else "b",
        field=field,
        value=value,
        spot=spot,
        read_value=None,
        note="",
        created_at=datetime(2026, 12, 1, tzinfo=UTC),
        created_by="me",
    )


def test_nothing_said_changes_nothing() -> None:
    assert corrected(READ, []) == READ


def test_one_mention_less_is_one_less_counted() -> None:
    after = corrected(READ, [said(Field.MENTION, "no", (4, 2))])

    assert (after.figures.mention_count, after.figures.is_recommended) == (1, 1)


def test_a_brand_without_mentions_is_absent() -> None:
    after = corrected(READ, [said(Field.MENTION, "no", spot) for spot in READ.spots])

    assert after.figures == Figures(is_mentioned=0, mention_count=0, is_recommended=0, is_top_pick=0)


def test_a_mention_that_the_reader_missed_makes_a_brand_known() -> None:
    unseen = READ._replace(figures=UNKNOWN, spots=frozenset())

    after = corrected(unseen, [said(Field.MENTION, "yes", (0, 3)), said(Field.IS_RECOMMENDED, "yes")])

    assert (after.figures.is_mentioned, after.figures.mention_count, after.figures.is_recommended) == (1, 1, 1)


def test_who_is_not_recommended_has_no_place() -> None:
    after = corrected(READ, [said(Field.IS_RECOMMENDED, "no")])

    assert (after.figures.is_recommended, after.figures.recommendation_rank) == (0, None)


def test_of_an_answer_that_is_none_nothing_is_known() -> None:
    after = corrected(READ, [said(Field.IS_VALID, "refused"), said(Field.RECOMMENDATION_RANK, "1")])

    assert after == Seen(is_valid=0, invalid_reason="refused", has_citation=None, figures=UNKNOWN, spots=frozenset())


def test_of_an_answer_that_is_one_after_all_only_what_was_said_is_known() -> None:
    refused = READ._replace(is_valid=0, invalid_reason="refused", has_citation=None, figures=UNKNOWN, spots=frozenset())

    after = corrected(refused, [said(Field.IS_VALID, "valid"), said(Field.HAS_CITATION, "yes")])

    assert (after.is_valid, after.has_citation, after.figures) == (1, 1, UNKNOWN)
