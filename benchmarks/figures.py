"""Figures of a large brand report: sums, intervals and resamples."""

from __future__ import annotations

import random
from functools import partial

from answerwatch.figures.observations import Observation
from answerwatch.figures.records import Planned, SurfaceCapabilities, Versions
from answerwatch.figures.report import BrandReport, brand_report
from benchmarks.frame import Better, Options, Row, median_seconds

NAME = "figures"
PLATFORMS = ("deepseek", "doubao", "kimi", "qwen")
SCENES = ("COMPARE", "EVALUATE", "RECOMMEND", "RISK")
QUESTIONS = 200
VERSIONS = Versions(question_bank=("1",), lexicon=("1",), cleaner=("1",))
SURFACES = {name: SurfaceCapabilities(exposes_citations=True) for name in PLATFORMS}


def run(options: Options) -> list[Row]:
    """Report 100,000 answers to 200 questions with 2,000 resamples an interval."""
    answers = make_answers(options.size(100_000, 5_000), seed=1)
    plan = make_plan(answers)
    report = partial(_report, answers, plan)
    assert report().overall.planned == len(answers)
    slices = 1 + len(PLATFORMS) + len(SCENES) + len(PLATFORMS) * len(SCENES)
    spent = median_seconds(report, options.size(5, 1))
    note = f"{len(answers):,} answers x {QUESTIONS} questions, {slices} slices x 11 figures, 2,000 draws"
    return [Row(name="brand report", measured=spent, unit="s", target=1.0, better=Better.LOWER, note=note)]


def make_answers(count: int, seed: int) -> list[Observation]:
    """Return made-up answers, spread evenly over questions and platforms."""
    rng = random.Random(seed)
    chance = [rng.betavariate(0.7, 0.7) for _ in range(QUESTIONS)]
    return [_answer(rng, number, chance[number % QUESTIONS]) for number in range(count)]


def _answer(rng: random.Random, number: int, chance: float) -> Observation:
    """Return one answer; one in twelve is not valid."""
    question, turn = number % QUESTIONS, number // QUESTIONS
    row = partial(
        Observation,
        question_id=f"Q{question:04}",
        platform=PLATFORMS[turn % len(PLATFORMS)],
        scene_type=SCENES[question % len(SCENES)],
        round=1 + turn // len(PLATFORMS),
    )
    if rng.random() < 1 / 12:
        return row(is_valid=0, invalid_reason="refused")
    mentioned = int(rng.random() < chance)
    return row(
        is_valid=1,
        is_mentioned=mentioned,
        is_recommended=int(mentioned and rng.random() < 0.6),
        recommendation_rank=rng.randint(1, 8) if mentioned and rng.random() < 0.5 else None,
        has_citation=rng.randint(0, 1),
        truncated=0,
        tracked_mentions=mentioned + rng.randint(0, 4),
    )


def make_plan(answers: list[Observation]) -> list[Planned]:
    """Return the plan in which every answer was stored."""
    counts: dict[tuple[str, str, str], int] = {}
    for answer in answers:
        place = answer.question_id, answer.platform, answer.scene_type
        counts[place] = counts.get(place, 0) + 1
    return [
        Planned(question_id=question, platform=platform, scene_type=scene, count=count)
        for (question, platform, scene), count in counts.items()
    ]


def _report(answers: list[Observation], plan: list[Planned]) -> BrandReport:
    """Return the report."""
    return brand_report("brand", answers, plan, capabilities=SURFACES, versions=VERSIONS)
