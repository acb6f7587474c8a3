"""What follows from a correction."""

from datetime import UTC, datetime

import pytest

from answerwatch.domain.answers import UNKNOWN, Figures
from answerwatch.domain.corrections import Correction, Field, Seen, Spot, checked_value, corrected, more_named
from answerwatch.errors import UsageError

READ = Seen(
    is_valid=1,
    invalid_reason=None,
    has_citation=0,
    figures=Figures(is_mentioned=1, mention_count=2, is_recommended=1, recommendation_rank=3, is_top_pick=0),
    spots=frozenset({(4, 2), (10, 2)}),
)


def said(field: Field, value: str, spot: Spot | None = None, *, brand: str = "b") -> Correction:
    return Correction(
        correction_id=1,
        sub_task_id="s",
        brand_name="" if field.of_answer else brand,
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


def test_an_answer_that_is_none_has_no_sources_whatever_was_said_before() -> None:
    after = corrected(READ, [said(Field.HAS_CITATION, "yes"), said(Field.IS_VALID, "garbled")])

    assert (after.is_valid, after.has_citation) == (0, None)


def test_advice_that_was_set_right_falls_with_the_last_mention() -> None:
    gone = [said(Field.MENTION, "no", spot) for spot in READ.spots]

    after = corrected(READ, [said(Field.IS_RECOMMENDED, "yes"), said(Field.RECOMMENDATION_RANK, "1"), *gone])

    assert (after.figures.is_recommended, after.figures.recommendation_rank) == (0, None)


def test_of_a_brand_that_was_overlooked_no_advice_is_known() -> None:
    absent = READ._replace(figures=Figures(is_mentioned=0, mention_count=0, is_recommended=0), spots=frozenset())

    after = corrected(absent, [said(Field.MENTION, "yes", (0, 3))])

    assert after.figures == Figures(is_mentioned=1, mention_count=1)


@pytest.mark.parametrize(
    ("polarity", "recommended", "rank"), [("conditional", 1, 3), ("warned", 0, None), ("neutral", 0, None)]
)
def test_whether_a_brand_is_recommended_follows_from_its_polarity(
    polarity: str, recommended: int, rank: int | None
) -> None:
    after = corrected(READ, [said(Field.POLARITY, polarity)]).figures

    assert (after.polarity, after.is_recommended, after.recommendation_rank) == (polarity, recommended, rank)


def test_a_polarity_that_does_not_fit_any_more_is_not_known() -> None:
    warned = READ._replace(figures=READ.figures._replace(polarity="warned", is_recommended=0))

    assert corrected(warned, [said(Field.IS_RECOMMENDED, "yes")]).figures.polarity is None
    assert corrected(warned, [said(Field.IS_RECOMMENDED, "no")]).figures.polarity == "warned"


def test_a_first_choice_that_is_not_recommended_is_none() -> None:
    first = READ._replace(figures=READ.figures._replace(is_top_pick=1))

    assert corrected(first, [said(Field.IS_RECOMMENDED, "no")]).figures.is_top_pick == 0
    assert corrected(first, [said(Field.IS_RECOMMENDED, "none")]).figures.is_top_pick is None


def test_a_newer_reading_that_finds_a_longer_name_at_the_place_counts_it_once() -> None:
    after = corrected(READ._replace(spots=frozenset({(4, 4)})), [said(Field.MENTION, "yes", (4, 2))])

    assert (after.spots, after.figures.mention_count) == (frozenset({(4, 2)}), 1)


def test_brands_that_are_named_more_or_less_are_counted() -> None:
    places = {"b": {(4, 2)}, "c": set[Spot](), "d": {(0, 2), (7, 2)}}
    told = [
        said(Field.MENTION, "no", (4, 2)), said(Field.MENTION, "yes", (20, 2), brand="c"),
        said(Field.MENTION, "yes", (30, 2), brand="c"), said(Field.MENTION, "no", (0, 2), brand="d"),
    ]  # fmt: skip

    assert more_named(places, told) == 0
    assert more_named(places, told[:1]) == -1
    assert more_named(places, told[1:]) == 1


@pytest.mark.parametrize(
    ("field", "given", "kept"),
    [
        (Field.IS_RECOMMENDED, " Yes ", "yes"),
        (Field.IS_RECOMMENDED, "无", "none"),
        (Field.RECOMMENDATION_RANK, "03", "3"),
        (Field.RECOMMENDATION_RANK, "None", "none"),
        (Field.IS_VALID, "true", "valid"),
        (Field.POLARITY, "Warned", "warned"),
    ],
)
def test_values_are_kept_in_one_spelling(field: Field, given: str, kept: str) -> None:
    assert checked_value(field, given) == kept


@pytest.mark.parametrize(
    ("field", "given"),
    [
        (Field.RECOMMENDATION_RANK, "0"),
        (Field.RECOMMENDATION_RANK, "-1"),
        (Field.RECOMMENDATION_RANK, "1.5"),
        (Field.RECOMMENDATION_RANK, "１"),
        (Field.RECOMMENDATION_RANK, "99999999999"),
        (Field.IS_VALID, "maybe"),
        (Field.MENTION, "none"),
        (Field.POLARITY, "yes"),
    ],
)
def test_what_a_field_cannot_be_is_refused_with_what_it_can(field: Field, given: str) -> None:
    with pytest.raises(UsageError, match="it can be"):
        checked_value(field, given)
