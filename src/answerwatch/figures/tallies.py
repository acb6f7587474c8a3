"""Rows of answers turned into sums by platform and question, once for all parts of a report."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from answerwatch.errors import UsageError
from answerwatch.figures.clusters import Matrix, Table
from answerwatch.figures.definitions import FIGURES
from answerwatch.figures.observations import Column, Columns, Observation
from answerwatch.figures.records import Planned

NOT_CLEANED = "not_cleaned"
"""Reason of a stored sample that has no verdict (yet)."""
UNKNOWN_REASON = "unknown"
"""Reason of an invalid answer that came without one."""

Place = tuple[str, str, str]
"""Platform, scene and question."""
Positions = npt.NDArray[np.intp]
"""Where each of many rows stands in a matrix, counted row by row."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums of one figure."""

    table: Table
    looked_at: Matrix
    """Answers that say anything about the figure, also those with nothing to count."""


@dataclass(frozen=True, slots=True)
class Grid:
    """All sums of a report: rows are platforms, columns questions (a question counts once in each of its scenes)."""

    platforms: tuple[str, ...]
    scenes: tuple[str, ...]
    """Scene of each column."""
    tallies: Mapping[str, Tally]
    """By name of the figure."""
    valid: Matrix
    planned: Matrix
    collected: Matrix
    losses: Mapping[tuple[str, str], Counter[str]]
    """Planned samples without a valid answer, by platform and scene, then by reason."""


@dataclass(frozen=True, slots=True)
class _Axes:
    """Where each place stands in the matrices."""

    row: Mapping[str, int]
    column: Mapping[tuple[str, str], int]

    @classmethod
    def of(cls, places: Iterable[Place]) -> _Axes:
        """Sort platforms and questions, so that the order of rows never matters."""
        places = set(places)
        platforms = sorted({platform for platform, _, _ in places})
        questions = sorted({(scene, question) for _, scene, question in places})
        return cls({name: i for i, name in enumerate(platforms)}, {name: i for i, name in enumerate(questions)})

    def at(self, place: Place) -> int:
        """Return where a place stands, counted row by row."""
        platform, scene, question = place
        return self.row[platform] * len(self.column) + self.column[scene, question]

    def sums(self, at: Positions, values: Column) -> Matrix:
        """Return the matrix that holds at each place the sum of the values that stand there."""
        size = len(self.row) * len(self.column)
        total: Matrix = np.bincount(at, weights=values, minlength=size).astype(np.float64)
        return total.reshape(len(self.row), len(self.column))


def tally(observations: Iterable[Observation], planned: Iterable[Planned]) -> Grid:
    """Return the sums of every figure; raises UsageError when more answers came than were planned at some place."""
    answers: defaultdict[Place, list[Observation]] = defaultdict(list)
    for answer in observations:
        answers[_place(answer)].append(answer)
    plans: defaultdict[Place, list[Planned]] = defaultdict(list)
    for plan in planned:
        plans[_place(plan)].append(plan)
    axes = _Axes.of([*answers, *plans])
    planned_sums, collected, losses = _count_plans(axes, answers, plans)
    valid_answers = [answer for rows in answers.values() for answer in rows if answer.is_valid == 1]
    # Fractions are added in one fixed order, so that the order of rows never shows in a last digit.
    valid_answers.sort(key=lambda answer: answer.recommendation_rank or 0)
    columns = Columns.of(valid_answers)
    at = np.array([axes.at(_place(answer)) for answer in valid_answers], dtype=np.intp)
    valid = axes.sums(at, np.ones(len(at)))
    tallies = {
        name: Tally(Table(valid, planned_sums, planned_sums), planned_sums)
        if definition.measure is None
        else _measure(axes, at, *definition.measure(columns))
        for name, definition in FIGURES.items()
    }
    scenes = tuple(scene for scene, _ in axes.column)
    return Grid(tuple(axes.row), scenes, tallies, valid, planned_sums, collected, losses)


def _measure(axes: _Axes, at: Positions, over: Column, under: Column) -> Tally:
    """Return the sums of one figure from what each answer adds; `at` is where it stands."""
    known = ~np.isnan(over)
    at, over, under = at[known], over[known], under[known]
    table = Table(axes.sums(at, over), axes.sums(at, under), axes.sums(at, (under > 0).astype(np.float64)))
    return Tally(table, axes.sums(at, np.ones(len(at))))


def _count_plans(
    axes: _Axes, answers: Mapping[Place, Sequence[Observation]], plans: Mapping[Place, Sequence[Planned]]
) -> tuple[Matrix, Matrix, dict[tuple[str, str], Counter[str]]]:
    """Return planned samples, stored samples, and the losses between planned and valid by reason."""
    places = [*{**answers, **plans}]
    losses: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    planned, collected = [], []
    for place in places:
        rows, parts = answers.get(place, ()), plans.get(place, ())
        stored = sum(part.count for part in parts if part.reason is None)
        if len(rows) > stored:
            raise _too_many(place, len(rows), stored)
        planned.append(sum(part.count for part in parts))
        collected.append(stored)
        lost = losses[place[0], place[1]]
        lost.update({NOT_CLEANED: stored - len(rows)})
        for part in parts:
            lost.update({part.reason: part.count} if part.reason is not None else {})
        lost.update(_reason(answer) for answer in rows if answer.is_valid != 1)
    at = np.array([axes.at(place) for place in places], dtype=np.intp)
    return (
        axes.sums(at, np.array(planned, dtype=np.float64)),
        axes.sums(at, np.array(collected, dtype=np.float64)),
        dict(losses),
    )


def _place(row: Observation | Planned) -> Place:
    """Return where a row belongs."""
    return row.platform, row.scene_type, row.question_id


def _reason(answer: Observation) -> str:
    """Return why an answer is not valid."""
    return NOT_CLEANED if answer.is_valid is None else answer.invalid_reason or UNKNOWN_REASON


def _too_many(place: Place, answers: int, stored: int) -> UsageError:
    """Return the error of a place that has more answers than samples."""
    platform, scene, question = place
    return UsageError(
        "figures_input",
        f"Question {question} (scene {scene}) has {answers} answers of {platform} but {stored} stored samples; "
        "recount the batch before reporting it.",
        question=question,
        platform=platform,
        scene=scene,
        answers=answers,
        stored=stored,
    )
