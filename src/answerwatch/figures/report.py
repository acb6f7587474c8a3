"""The report of one brand: every figure over all platforms, by platform, by scene and by both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from answerwatch.domain.plain import Plain, to_plain
from answerwatch.errors import UsageError
from answerwatch.figures.clusters import Matrix
from answerwatch.figures.definitions import FIGURES, OVERALL_FORMULA, FigureDefinition
from answerwatch.figures.estimates import Evidence, publish
from answerwatch.figures.observations import Observation
from answerwatch.figures.records import Figure, Planned, SurfaceCapabilities, Versions
from answerwatch.figures.resampling import SEED, Draws
from answerwatch.figures.tallies import Grid, tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """All figures of one part of the answers."""

    platform: str | None
    """None: all platforms, each with the same weight."""
    scene_type: str | None
    """None: all scenes."""
    planned: int
    collected: int
    valid: int
    losses: tuple[tuple[str, int], ...]
    """Planned samples without a valid answer by reason, most frequent first."""
    figures: tuple[Figure, ...]

    def figure(self, name: str) -> Figure:
        """Return a figure by name; raises UsageError for a name that is not published."""
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise UsageError("figure_unknown", f"There is no figure {name!r}; there are {', '.join(FIGURES)}.", name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandReport:
    """What the answers say about one brand, with the versions that it rests on."""

    brand: str
    versions: Versions
    overall: Slice
    by_platform: tuple[Slice, ...]
    by_scene: tuple[Slice, ...]
    cells: tuple[Slice, ...]
    """Platform by scene, where anything was planned."""

    def to_dict(self) -> dict[str, Plain]:
        """Return the report as strict JSON values: no NaN, None where a value is not known."""
        return {
            "brand": self.brand,
            "versions": to_plain(self.versions),
            "overall": to_plain(self.overall),
            "by_platform": to_plain(self.by_platform),
            "by_scene": to_plain(self.by_scene),
            "cells": to_plain(self.cells),
            "formulas": {name: definition.formula for name, definition in FIGURES.items()},
            "overall_formula": OVERALL_FORMULA,
        }


def brand_report(
    brand: str,
    observations: Iterable[Observation],
    planned: Iterable[Planned],
    *,
    capabilities: Mapping[str, SurfaceCapabilities],
    versions: Versions,
    seed: int = SEED,
) -> BrandReport:
    """Return all figures of a brand; the same rows in any order give the same report.

    Every answer needs its planned sample: UsageError names the place where more answers came than were stored.
    """
    grid = tally(observations, planned)
    cutter = _Cutter(grid, Draws.of(grid.scenes, seed), capabilities)
    scenes = sorted(set(grid.scenes))
    cells = [cutter.cut(platform, scene) for platform, scene in product(grid.platforms, scenes)]
    return BrandReport(
        brand=brand,
        versions=versions,
        overall=cutter.cut(None, None),
        by_platform=tuple(cutter.cut(platform, None) for platform in grid.platforms),
        by_scene=tuple(cutter.cut(None, scene) for scene in scenes),
        cells=tuple(cell for cell in cells if cell.planned),
    )


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Cuts slices out of the sums of a report."""

    grid: Grid
    draws: Draws
    capabilities: Mapping[str, SurfaceCapabilities]

    def cut(self, platform: str | None, scene: str | None) -> Slice:
        """Return the slice of a platform and a scene; None means all."""
        rows = [i for i, name in enumerate(self.grid.platforms) if platform in {None, name}]
        columns = _run_of(self.grid.scenes, scene)
        draws = self.draws.part(columns)
        valid = _sum(self.grid.valid, rows, columns)
        figures = (
            publish(definition, self._evidence(definition, rows, columns, draws=draws, valid=valid), self.capabilities)
            for definition in FIGURES.values()
        )
        return Slice(
            platform=platform,
            scene_type=scene,
            planned=_sum(self.grid.planned, rows, columns),
            collected=_sum(self.grid.collected, rows, columns),
            valid=valid,
            losses=_losses(self.grid, platform, scene),
            figures=tuple(figures),
        )

    def _evidence(
        self, definition: FigureDefinition, rows: Sequence[int], columns: slice, *, draws: Draws, valid: int
    ) -> Evidence:
        """Return what one figure of a slice rests on."""
        sums = self.grid.tallies[definition.name]
        return Evidence(
            table=sums.table.part(np.array(rows, dtype=np.intp), columns),
            platforms=[self.grid.platforms[i] for i in rows],
            valid=valid,
            looked_at=_sum(sums.looked_at, rows, columns),
            draws=draws,
        )


def _run_of(scenes: Sequence[str], scene: str | None) -> slice:
    """Return the columns of a scene; they stand side by side."""
    if scene is None:
        return slice(None)
    start = scenes.index(scene)
    return slice(start, start + scenes.count(scene))


def _sum(matrix: Matrix, rows: Sequence[int], columns: slice) -> int:
    """Return the sum of a part of a matrix of counts."""
    return int(matrix[rows, columns].sum())


def _losses(grid: Grid, platform: str | None, scene: str | None) -> tuple[tuple[str, int], ...]:
    """Return the reasons of a slice with their counts, most frequent first, then by name."""
    total: Counter[str] = Counter()
    for (lost_platform, lost_scene), reasons in grid.losses.items():
        if platform in {None, lost_platform} and scene in {None, lost_scene}:
            total.update(reasons)
    return tuple(sorted((+total).items(), key=lambda item: (-item[1], item[0])))
