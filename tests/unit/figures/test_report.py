"""Figures of small sets of answers, computed by hand."""

import json
from dataclasses import replace

import pytest

from answerwatch.errors import UsageError
from answerwatch.figures.clusters import Method
from answerwatch.figures.definitions import FIGURES
from answerwatch.figures.intervals import Bound
from answerwatch.figures.observations import Observation
from answerwatch.figures.records import Best, NaReason, Planned, SurfaceCapabilities, Unit
from answerwatch.figures.report import brand_report
from tests.unit.figures.rows import VERSIONS, answer, invalid, report


def strict(text: str) -> object:
    """Read JSON as a browser does: NaN and infinities are no words of it."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_rep_na_not_zero_rank_unranked_and_refused_answers_are_no_best_rank() -> None:
    rows = [answer(rank=1), answer(rank=2, round_=2), answer(mentioned=1, round_=3), invalid()]

    part = report(rows).overall

    assert part.figure("mean_rank").value == 1.5
    assert part.figure("mean_rank").denominator == 2
    assert part.figure("top1_rate").value == pytest.approx(1 / 3)
    assert part.figure("top3_rate").value == pytest.approx(2 / 3)
    assert part.figure("mrr").value == pytest.approx(0.5)
    assert part.figure("visibility").value == 1.0
    assert part.figure("valid_answer_rate").value == 0.75


def test_mentions_with_a_source_are_counted_out_of_mentions_of_which_that_is_known() -> None:
    rows = [
        replace(answer(mentioned=1), cites_near=1),
        replace(answer(mentioned=1, round_=2), cites_near=0),
        answer(mentioned=1, round_=3),  # read before sources near a name were
        answer(mentioned=0, round_=4),
    ]

    figure = report(rows).overall.figure("sourced_mention_rate")

    assert (figure.value, figure.numerator, figure.denominator) == (0.5, 1, 2)


def test_a_figure_says_what_kind_of_number_it_is_also_where_it_is_not_known() -> None:
    part = report([answer(mentioned=1)]).overall

    assert {figure.name: figure.unit for figure in part.figures if figure.unit is not Unit.SHARE} == {
        "mean_rank": Unit.RANK,
        "mrr": Unit.NUMBER,
    }
    assert {figure.name for figure in part.figures if figure.best is Best.LOW} == {"mean_rank", "truncated_rate"}


def test_rep_na_not_zero_rank_a_platform_without_any_rank_spoils_no_total() -> None:
    rows = [answer(platform="deepseek", mentioned=1), answer(platform="kimi", rank=3), answer(platform="qwen", rank=1)]

    result = report(rows)

    nothing = result.by_platform[0].figure("mean_rank")
    assert (nothing.value, nothing.denominator, nothing.na_reason) == (None, 0, NaReason.NO_ORDER_IN_TEXT)
    total = result.overall.figure("mean_rank")
    assert (total.value, total.platforms) == (2.0, ("kimi", "qwen"))


@pytest.mark.parametrize(
    "rows", [[], [invalid()], [answer(rank=1)], [answer(rank=1), invalid("Q2")], [answer(mentioned=0, tracked=0)]]
)
def test_rep_nan_json_every_report_is_strict_json_with_a_reason_for_each_null(rows: list[Observation]) -> None:
    plain = strict(json.dumps(report(rows).to_dict()))

    assert isinstance(plain, dict)
    figures = plain["overall"]["figures"]
    assert [figure["name"] for figure in figures] == list(FIGURES)
    assert all((figure["value"] is None) <= (figure["na_reason"] is not None) for figure in figures)
    assert all((figure["low"] is None) <= (figure["na_reason"] is not None) for figure in figures)


def test_a_batch_with_nothing_valid_knows_only_its_valid_answer_rate() -> None:
    part = report([invalid(), invalid("Q2", reason="empty")]).overall

    known = {figure.name for figure in part.figures if figure.value is not None}
    assert known == {"valid_answer_rate"}
    rate = part.figure("valid_answer_rate")
    assert (rate.value, rate.numerator, rate.denominator, rate.bound) == (0.0, 0, 2, Bound.AT_MOST)
    assert part.figure("visibility").na_reason is NaReason.NO_VALID_ANSWERS


def test_nothing_planned_is_not_a_rate_of_zero() -> None:
    part = report([]).overall

    assert part.figure("valid_answer_rate").na_reason is NaReason.NOTHING_PLANNED
    assert part.planned == 0


def test_every_question_weighs_the_same_however_many_answers_it_has() -> None:
    rows = [answer("Q1", mentioned=1, round_=r) for r in range(1, 7)] + [answer("Q2", mentioned=0)]

    visibility = report(rows).overall.figure("visibility")

    assert visibility.value == 0.5
    assert (visibility.numerator, visibility.denominator) == (6, 7)
    assert (visibility.n_questions, visibility.n_rounds) == (2, 6)


def test_every_platform_weighs_the_same_however_many_answers_it_has() -> None:
    rows = [answer(f"Q{q}", "kimi", mentioned=1) for q in range(9)] + [answer("Q0", "qwen", mentioned=0)]

    result = report(rows)

    assert result.overall.figure("visibility").value == 0.5
    assert result.overall.figure("visibility").platforms == ("kimi", "qwen")
    assert [part.figure("visibility").value for part in result.by_platform] == [1.0, 0.0]


def test_recommendation_is_counted_out_of_answers_and_out_of_mentions() -> None:
    rows = [answer("Q1", rank=1), answer("Q2", mentioned=1), answer("Q3", mentioned=0), answer("Q4", mentioned=0)]

    part = report(rows).overall

    assert part.figure("recommendation_rate").value == 0.25
    assert part.figure("recommendation_rate_of_mentioned").value == 0.5
    assert part.figure("recommendation_rate_of_mentioned").denominator == 2


def test_a_brand_that_is_never_mentioned_has_no_share_of_its_mentions() -> None:
    part = report([answer("Q1", mentioned=0), answer("Q2", mentioned=0)]).overall

    assert part.figure("visibility").value == 0.0
    assert part.figure("recommendation_rate_of_mentioned").na_reason is NaReason.NEVER_MENTIONED


def test_the_share_of_mentions_is_counted_over_tracked_brands() -> None:
    rows = [
        answer("Q1", mentioned=1, tracked=3),
        answer("Q2", mentioned=0, tracked=1),
        answer("Q3", mentioned=0, tracked=0),
    ]

    share = report(rows).overall.figure("mention_share")

    assert (share.value, share.numerator, share.denominator) == (0.25, 1, 4)


@pytest.mark.parametrize(("tracked", "reason"), [(0, NaReason.NOBODY_MENTIONED), (None, NaReason.NOT_MEASURED)])
def test_a_share_of_nothing_says_why(tracked: int | None, reason: NaReason) -> None:
    assert report([answer(mentioned=0, tracked=tracked)]).overall.figure("mention_share").na_reason is reason


def test_a_surface_without_citations_is_not_a_rate_of_zero() -> None:
    rows = [answer(platform="deepseek", cited=0), answer(platform="kimi", cited=1), answer(platform="other", cited=0)]
    capabilities = {
        "deepseek": SurfaceCapabilities(exposes_citations=False),
        "kimi": SurfaceCapabilities(exposes_citations=True),
    }

    result = report(rows, capabilities=capabilities)

    reasons = [part.figure("citation_rate").na_reason for part in result.by_platform]
    assert reasons == [NaReason.NO_CITATIONS_EXPOSED, None, NaReason.CAPABILITY_UNKNOWN]
    total = result.overall.figure("citation_rate")
    assert (total.value, total.denominator, total.platforms) == (1.0, 1, ("kimi",))


def test_losses_are_told_by_reason_and_add_up_to_what_was_planned() -> None:
    rows = [answer("Q1", mentioned=1), invalid("Q2"), invalid("Q3"), invalid("Q4", reason=None)]
    unread = Observation(question_id="Q5", platform="kimi", scene_type="RISK", round=1, is_valid=None)
    lost = [
        Planned(question_id="Q6", platform="kimi", scene_type="RISK", count=3, reason="rate_limited"),
        Planned(question_id="Q7", platform="kimi", scene_type="RISK", count=1, reason="pending"),
        Planned(question_id="Q8", platform="kimi", scene_type="RISK", count=1),
    ]

    part = report([*rows, unread], lost=lost).overall

    assert part.losses == (("rate_limited", 3), ("not_cleaned", 2), ("refused", 2), ("pending", 1), ("unknown", 1))
    assert part.planned == part.valid + sum(count for _, count in part.losses) == 10
    assert part.collected == 6


def test_slices_are_sorted_and_cells_without_a_plan_are_left_out() -> None:
    rows = [answer("Q2", "qwen", "RISK"), answer("Q1", "kimi", "COMPARE"), answer("Q1", "qwen", "COMPARE")]

    result = report(rows)

    assert [part.platform for part in result.by_platform] == ["kimi", "qwen"]
    assert [part.scene_type for part in result.by_scene] == ["COMPARE", "RISK"]
    assert [(part.platform, part.scene_type) for part in result.cells] == [
        ("kimi", "COMPARE"),
        ("qwen", "COMPARE"),
        ("qwen", "RISK"),
    ]


def test_a_single_question_takes_wilson_and_is_thin() -> None:
    figure = report([answer(mentioned=int(r < 3), round_=r) for r in range(1, 5)]).overall.figure("visibility")

    assert (figure.method, figure.thin, figure.value) == (Method.WILSON, True, 0.5)
    assert figure.effective_n == pytest.approx(4.0)
    assert figure.low == pytest.approx(0.150039, abs=1e-6)
    assert figure.high == pytest.approx(0.849961, abs=1e-6)


def test_ten_questions_that_differ_take_the_spread_between_them() -> None:
    # Five questions always, five never: ten rounds of each say no more than one.
    rows = [answer(f"Q{q}", mentioned=q % 2, round_=r) for q in range(10) for r in range(1, 11)]

    figure = report(rows).overall.figure("visibility")

    # Variance of the mean = 10/9 x 10 x 0.05^2 = 1/36, so 0.25 / (1/36) = 9 answers' worth.
    assert (figure.method, figure.thin) == (Method.WILSON_CLUSTER_T, False)
    assert figure.effective_n == pytest.approx(9.0)


def test_ranks_that_never_differ_have_no_interval_and_say_so() -> None:
    figure = report([answer(f"Q{q}", rank=2) for q in range(12)]).overall.figure("mean_rank")

    assert (figure.value, figure.low, figure.high) == (2.0, None, None)
    assert (figure.method, figure.na_reason) == (Method.NONE, NaReason.NO_SPREAD)


def test_the_seed_of_a_bootstrap_is_kept_and_repeats_it() -> None:
    rows = [answer(f"Q{q}", rank=1 + q * q % 17, mentioned=1) for q in range(40)]
    first, again, other = (
        brand_report("x", rows, [_plan(row) for row in rows], capabilities={}, versions=VERSIONS, seed=seed)
        for seed in (1, 1, 2)
    )

    assert first == again
    figures = [result.overall.figure("mean_rank") for result in (first, other)]
    assert [(figure.method, figure.seed) for figure in figures] == [
        (Method.CLUSTER_BOOTSTRAP, 1),
        (Method.CLUSTER_BOOTSTRAP, 2),
    ]
    assert (figures[0].low, figures[0].high) != (figures[1].low, figures[1].high)


def _plan(row: Observation) -> Planned:
    return Planned(question_id=row.question_id, platform=row.platform, scene_type=row.scene_type, count=1)


def test_metrics_of_an_invalid_row_are_never_counted() -> None:
    row = Observation(
        question_id="Q1",
        platform="kimi",
        scene_type="RISK",
        round=1,
        is_valid=0,
        invalid_reason="refused",
        is_mentioned=1,
        recommendation_rank=1,
    )

    part = report([row, answer("Q2", scene="RISK", mentioned=0)]).overall

    assert part.figure("visibility").value == 0.0
    assert part.figure("mean_rank").value is None


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (answer(rank=0), "ranks count from 1"),
        (answer(mentioned=2), "0, 1 or NULL"),
        (answer(cited=2), "0, 1 or NULL"),
        (answer(truncated=2), "0, 1 or NULL"),
        (answer(mentioned=1, tracked=0), "fewer tracked brands"),
    ],
)
def test_a_value_that_would_bend_a_figure_names_its_row(row: Observation, why: str) -> None:
    with pytest.raises(UsageError, match=rf"question Q1, platform kimi, round 1.*{why}"):
        report([answer(rank=1), row])


def test_more_answers_than_samples_are_refused() -> None:
    with pytest.raises(UsageError, match=r"Q1 .*2 answers of kimi but 1 stored"):
        brand_report("x", [answer(), answer(round_=2)], [_plan(answer())], capabilities={}, versions=VERSIONS)


def test_an_unknown_figure_names_those_that_exist() -> None:
    with pytest.raises(UsageError, match="no figure 'share'; there are valid_answer_rate"):
        report([]).overall.figure("share")


def test_every_figure_discloses_its_formula_and_versions() -> None:
    plain = report([answer(rank=1)]).to_dict()

    assert isinstance(plain["formulas"], dict)
    assert list(plain["formulas"]) == list(FIGURES)
    assert plain["versions"] == {
        "question_bank": ["3"],
        "lexicon": ["7"],
        "cleaner": ["1"],
        "metric": "m1",
        "weights": "equal-1",
        "mixed": False,
    }
