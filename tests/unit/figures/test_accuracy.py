"""What accuracy counts: every measure on small labels, with what it rests on."""

import pytest

from answerwatch.figures.accuracy.records import (
    BrandLabel,
    BrandPrediction,
    Label,
    Measure,
    Prediction,
    PronounLabel,
)
from answerwatch.figures.accuracy.scoring import Score
from answerwatch.figures.intervals import wilson


def label(**given: object) -> Label:
    brand = BrandLabel(
        brand="华为",
        spans=frozenset({(0, 2), (5, 7)}),
        is_recommended=True,
        recommendation_rank=1,
        rank_alt=(3,),
    )
    values = {"row_id": "a", "is_valid": True, "has_citation": False, "brands": (brand,)} | given
    return Label(**values)  # type: ignore[arg-type]  # a test names fields by keyword


def said(**given: object) -> Prediction:
    brand = {"spans": frozenset({(0, 2), (5, 7)}), "is_recommended": True, "recommendation_rank": 1} | given
    return Prediction(is_valid=True, has_citation=False, brands={"华为": BrandPrediction(**brand)})  # type: ignore[arg-type]  # the same


def counts(score: Score) -> dict[str, tuple[int, int]]:
    return {one.measure.value: (one.numerator, one.denominator) for one in score.measures() if one.denominator}


def test_what_is_read_as_labelled_is_right_everywhere() -> None:
    score = Score()

    assert score.add(label(), said()) == []
    assert counts(score) == {
        "mention_f1": (4, 4),
        "named_f1": (2, 2),
        "count_exact": (1, 1),
        "recommended_f1": (2, 2),
        "rank": (1, 1),
        "citation": (1, 1),
        "validity": (1, 1),
    }


def test_a_mention_at_another_place_is_one_missed_and_one_invented() -> None:
    score = Score()

    misses = score.add(label(), said(spans=frozenset({(0, 2), (5, 8)})))

    assert [(one.measure, one.expected, one.got) for one in misses] == [
        (Measure.MENTION_F1, (5, 7), None),
        (Measure.MENTION_F1, None, (5, 8)),
    ]
    assert counts(score)["mention_f1"] == (2, 4)
    assert counts(score)["count_exact"] == (1, 1)


@pytest.mark.parametrize(("place", "right"), [(1, 1), (3, 1), (2, 0), (None, 0)])
def test_other_places_of_a_label_are_right_too(place: int | None, right: int) -> None:
    score = Score()
    score.add(label(), said(recommendation_rank=place))

    assert counts(score)["rank"] == (right, 1)


def test_what_a_label_leaves_open_is_not_counted() -> None:
    score = Score()
    open_label = BrandLabel(
        brand="华为", spans=frozenset({(0, 2)}), is_recommended=None, recommendation_rank=None, rank_alt=()
    )

    score.add(label(brands=(open_label,), has_citation=None), said(spans=frozenset({(0, 2)})))

    assert not {"recommended_f1", "rank", "no_rank", "citation"} & counts(score).keys()


def test_a_measure_without_anything_to_score_has_no_value() -> None:
    (pronouns,) = (one for one in Score().measures() if one.measure is Measure.PRONOUNS)

    assert (pronouns.value, pronouns.interval, pronouns.denominator) == (None, None, 0)


@pytest.mark.parametrize(("alternatives", "right"), [(frozenset({False}), 1), (frozenset(), 0)])
def test_another_judgement_that_the_label_allows_is_right(alternatives: frozenset[bool], right: int) -> None:
    score = Score()
    score.add(label(validity_alt=alternatives), Prediction(is_valid=False))

    assert counts(score)["validity"] == (right, 1)
    assert counts(score)["mention_f1"] == (0, 2), "what is not read is missed all the same"


def test_a_reader_that_fails_is_wrong_everywhere() -> None:
    score = Score()
    nobody = PronounLabel(span=(3, 4), brand=None)

    score.add(label(pronouns=(nobody,)), Prediction(is_valid=None, error="broken"))

    assert {numerator for numerator, _ in counts(score).values()} == {0}
    assert counts(score)["pronouns"] == (0, 1)


def test_an_interval_of_an_f1_is_that_of_the_share_of_found_ones() -> None:
    score = Score()
    score.add(label(), said(spans=frozenset({(0, 2), (5, 7), (9, 11)})))
    (mentions,) = (one for one in score.measures() if one.measure is Measure.MENTION_F1)
    share = wilson(2 / 3, 3)

    assert mentions.value == pytest.approx(4 / 5)
    assert mentions.interval is not None
    assert mentions.interval.low == pytest.approx(2 * share.low / (1 + share.low))
    assert mentions.interval.low < 4 / 5 < mentions.interval.high
