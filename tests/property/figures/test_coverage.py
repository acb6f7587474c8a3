"""Nominal 95 % intervals cover the truth in simulations of correlated rounds (statistics, section 3)."""

import itertools

import numpy as np
import numpy.typing as npt
import pytest

from answerwatch.figures.clusters import Estimate, Table, estimate_rate
from answerwatch.figures.precision import plan_precision
from answerwatch.figures.resampling import Draws, estimate_mean, estimate_ratio

RATES = (0.1, 0.3, 0.5, 0.9)
CORRELATIONS = (0.0, 0.3, 0.6)
ROUNDS = (1, 3, 5)
Counts = npt.NDArray[np.float64]


def simulate(rate: float, correlation: float, shape: tuple[int, int], rounds: int, seed: int) -> Counts:
    """Draw mentions per question (column) in repeated studies (row); rounds of a question share its own rate."""
    rng = np.random.default_rng(seed)
    own: float | Counts = rate
    if correlation:
        spread = (1 - correlation) / correlation
        own = rng.beta(rate * spread, (1 - rate) * spread, size=shape)
    return rng.binomial(rounds, own, size=shape).astype(np.float64)


def estimates(counts: Counts, rounds: int) -> list[Estimate]:
    """Return the estimate of each study."""
    out_of = np.full((1, counts.shape[1]), float(rounds))
    return [estimate_rate(Table(row[None, :], out_of, out_of).macro()) for row in counts]


def coverage(rate: float, correlation: float, questions: int, rounds: int, studies: int) -> float:
    """Return the share of studies whose interval holds the truth."""
    seed = int(rate * 10) + 100 * int(correlation * 10) + 10_000 * questions + 10_000_000 * rounds
    found = estimates(simulate(rate, correlation, (studies, questions), rounds, seed), rounds)
    hits = [e.interval is not None and e.interval.low <= rate <= e.interval.high for e in found]
    return sum(hits) / studies


@pytest.mark.parametrize(("rate", "correlation"), [(0.1, 0.6), (0.5, 0.3), (0.9, 0.0)])
def test_a_sample_of_designs_covers(rate: float, correlation: float) -> None:
    # 400 studies: Monte-Carlo error about 1.1 points, so three of them below the target of 92 %.
    assert coverage(rate, correlation, questions=40, rounds=3, studies=400) >= 0.887
    assert coverage(rate, correlation, questions=12, rounds=5, studies=400) >= 0.887


@pytest.mark.slow
@pytest.mark.parametrize("questions", [12, 40, 120])
@pytest.mark.parametrize("rate", RATES)
def test_every_design_covers(rate: float, questions: int) -> None:
    designs = itertools.product(CORRELATIONS, ROUNDS)
    found = {(rho, rounds): coverage(rate, rho, questions, rounds, studies=2_000) for rho, rounds in designs}

    highest = 0.98 if questions >= 40 else 1.0
    assert all(0.92 <= share <= highest for share in found.values()), found


@pytest.mark.parametrize(("questions", "rounds", "correlation"), [(40, 3, 0.3), (120, 5, 0.6), (60, 1, 0.0)])
def test_a_promised_half_width_is_reached_within_15_percent(questions: int, rounds: int, correlation: float) -> None:
    promised = plan_precision(questions, rounds, correlation=correlation).half_width
    found = estimates(simulate(0.5, correlation, (300, questions), rounds, seed=7), rounds)

    reached = np.mean([e.interval.half_width for e in found if e.interval is not None])
    assert reached == pytest.approx(promised, rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_the_mean_over_platforms_covers_although_they_share_questions(correlation: float) -> None:
    rates, studies, questions, rounds = np.array([0.2, 0.4, 0.7]), 1_000, 40, 3
    rng = np.random.default_rng(11)
    out_of = np.full((3, questions), float(rounds))
    hits = 0
    for _ in range(studies):
        # Easy questions are easy on every platform: one draw decides for all three.
        shared = rng.uniform(size=(1, questions)) < rates[:, None]
        own = np.where(rng.uniform(size=(3, questions)) < correlation, shared, np.nan)
        fresh = rng.binomial(rounds, np.broadcast_to(rates[:, None], own.shape)).astype(np.float64)
        counts = np.where(np.isnan(own), fresh, own * rounds)
        interval = estimate_rate(Table(counts, out_of, out_of).macro()).interval
        assert interval is not None
        hits += interval.low <= rates.mean() <= interval.high
    assert hits / studies >= 0.92


@pytest.mark.slow
@pytest.mark.parametrize("questions", [12, 40, 120])
def test_a_mean_rank_and_a_share_of_mentions_cover(questions: int) -> None:
    rng = np.random.default_rng(questions)
    draws, studies = Draws.of(["A"] * questions), 500
    covered = {"mean": 0, "ratio": 0}
    for _ in range(studies):
        ranked = rng.binomial(5, 0.6, size=(1, questions)).astype(np.float64)
        own = rng.normal(0.0, 0.5, size=(1, questions))
        ranks = ranked * (3.0 + own)
        mean = estimate_mean(Table(ranks, ranked, ranked), draws, floor=1.0).interval
        recommended = rng.binomial(ranked.astype(int), rng.beta(1.4, 0.98, size=(1, questions)))
        ratio = estimate_ratio(Table(recommended.astype(np.float64), ranked, ranked), draws).interval
        assert mean is not None
        assert ratio is not None
        covered["mean"] += mean.low <= 3.0 <= mean.high
        covered["ratio"] += ratio.low <= 1.4 / 2.38 <= ratio.high
    assert min(covered.values()) / studies >= 0.92, covered
