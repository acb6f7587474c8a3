"""From the sums of one figure to the published figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from answerwatch.figures.clusters import THIN_BELOW, Estimate, Method, Table, estimate_rate
from answerwatch.figures.definitions import Estimator, FigureDefinition
from answerwatch.figures.intervals import Bound
from answerwatch.figures.records import Figure, NaReason, SurfaceCapabilities
from answerwatch.figures.resampling import Draws, estimate_mean, estimate_ratio

BEST_RANK = 1.0
"""No mean of ranks can be better."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sums that one figure of one slice rests on."""

    table: Table
    platforms: Sequence[str]
    """Names of the table's rows."""
    valid: int
    """Valid answers of the slice."""
    looked_at: int
    """Answers that say anything about the figure."""
    draws: Draws


def publish(
    definition: FigureDefinition, evidence: Evidence, capabilities: Mapping[str, SurfaceCapabilities]
) -> Figure:
    """Return the figure, or N/A with the reason; platforms that cannot show it take no part."""
    able = [i for i, name in enumerate(evidence.platforms) if _exposes(definition, capabilities.get(name))]
    if evidence.platforms and not able:
        return _unknown(definition, _incapable(evidence.platforms, capabilities))
    table = evidence.table.part(np.array(able, dtype=np.intp), slice(None))
    if not table.x.any():
        return _unknown(definition, _nothing(definition, evidence))
    names = tuple(evidence.platforms[i] for i, out_of in zip(able, table.x.sum(axis=1), strict=True) if out_of > 0)
    return _figure(definition, table, names, evidence.draws)


def _exposes(definition: FigureDefinition, surface: SurfaceCapabilities | None) -> bool:
    """Tell whether a platform can show the figure at all."""
    return not definition.needs_citations or (surface is not None and surface.exposes_citations is True)


def _incapable(platforms: Sequence[str], capabilities: Mapping[str, SurfaceCapabilities]) -> NaReason:
    """Return why no platform shows citations: they do not, or nobody knows of one."""
    surfaces = [capabilities.get(name) for name in platforms]
    denied = all(surface is not None and surface.exposes_citations is False for surface in surfaces)
    return NaReason.NO_CITATIONS_EXPOSED if denied else NaReason.CAPABILITY_UNKNOWN


def _nothing(definition: FigureDefinition, evidence: Evidence) -> NaReason:
    """Return why there is nothing to count out of."""
    if definition.measure is None:
        return definition.empty
    if not evidence.valid:
        return NaReason.NO_VALID_ANSWERS
    return definition.empty if evidence.looked_at else NaReason.NOT_MEASURED


def _unknown(definition: FigureDefinition, reason: NaReason) -> Figure:
    """Return the figure that is N/A."""
    return Figure(
        name=definition.name,
        unit=definition.unit,
        best=definition.best,
        value=None,
        numerator=None,
        denominator=0,
        n_questions=0,
        n_rounds=0,
        na_reason=reason,
    )


def _estimate(definition: FigureDefinition, table: Table, draws: Draws) -> Estimate:
    """Return value and interval by the definition's way of adding up."""
    if definition.estimator is Estimator.MACRO:
        return estimate_rate(table.macro())
    if definition.estimator is Estimator.MEAN:
        return estimate_mean(table, draws, BEST_RANK)
    # Planned samples are a census of what was asked; their spread is judged as that of any rate.
    return estimate_rate(table) if definition.measure is None else estimate_ratio(table, draws)


def _whole(count: float) -> float:
    """Return a whole number as an integer, so that it is shown without a decimal point."""
    return int(count) if count.is_integer() else count


def _figure(definition: FigureDefinition, table: Table, platforms: tuple[str, ...], draws: Draws) -> Figure:
    """Return the figure that is known."""
    estimate = _estimate(definition, table, draws)
    interval = estimate.interval
    questions = int(np.count_nonzero(table.x.any(axis=0)))
    return Figure(
        name=definition.name,
        unit=definition.unit,
        best=definition.best,
        value=estimate.value,
        numerator=_whole(float(table.y.sum())),
        denominator=int(table.x.sum()),
        n_questions=questions,
        n_rounds=int(table.answers.max()),
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        bound=interval.bound if interval else Bound.TWO_SIDED,
        method=estimate.method,
        effective_n=estimate.effective_n,
        thin=questions < THIN_BELOW,
        na_reason=None if interval else NaReason.NO_SPREAD,
        platforms=platforms,
        seed=draws.seed if estimate.method is Method.CLUSTER_BOOTSTRAP else None,
    )
