"""Figures of one brand with everything they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from answerwatch.domain.corrections import by_sample
from answerwatch.domain.lexicons import names_in
from answerwatch.domain.plain import Plain, to_plain
from answerwatch.errors import UsageError
from answerwatch.figures.records import SurfaceCapabilities
from answerwatch.figures.report import BrandReport, brand_report
from answerwatch.platforms.workspace_file import Platforms
from answerwatch.store.bank import lexicons
from answerwatch.store.batch import batches as stored_batches
from answerwatch.store.batch import recollection
from answerwatch.store.clean import corrections, in_force, observations
from answerwatch.store.clean.observations import Scope
from answerwatch.store.database import Read
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.filters import known_batches, known_platform, known_scene
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.reports.gathering import Gathered


class Basis(StrEnum):
    """Whose answers a report counts."""

    OWN = "own"
    """Batches whose focal brand it is, and imports without a focal brand."""
    ALL = "all"
    """Every batch in which the brand was tracked; used when it has none of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """A report and the answers it was made of."""

    report: BrandReport
    basis: Basis
    batches: tuple[str, ...]
    since: datetime | None
    until: datetime | None
    collected_from: datetime | None
    """Time of the first sample counted; None where there is none."""
    collected_to: datetime | None
    unread: int
    """Valid answers read under a lexicon that did not hold the brand: N/A, never 0."""
    not_cleaned: int
    """Samples that wait for cleaning or failed there."""
    corrected: int
    """Answers that count otherwise than they were read, because people set them right."""

    def to_dict(self) -> dict[str, Plain]:
        """Return everything as JSON values; the keys of the report itself come first."""
        own = {name: to_plain(getattr(self, name)) for name in _OWN}
        return {**self.report.to_dict(), **own}


_OWN = ("basis", "batches", "since", "until", "collected_from", "collected_to", "unread", "not_cleaned", "corrected")


class Reports:
    """Verbs on figures."""

    def __init__(self, parts: Parts) -> None:
        """Work with the parts of a workspace."""
        self._parts = parts

    def report(
        self,
        brand: str,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        batches: Sequence[str] = (),
        platforms: Sequence[str] = (),
        scenes: Sequence[str] = (),
        as_read: bool = False,
    ) -> ReportView:
        """Return all figures of a brand over the answers collected from `since` until before `until`.

        What people set right counts as they said it; with `as_read` everything counts as it was read.

        Raises UsageError when the brand is not tracked, or a batch, platform or scene is unknown, or the time
        ends before it begins.
        """
        if since is not None and until is not None and until <= since:
            raise UsageError("window_empty", "Nothing lies between --since and --until: the end comes first.")
        known = self._parts.platforms()
        with self._parts.store().reading() as read:
            name = pick_brand(read, brand).standard_name
            basis, ids = _basis(read, name, batches)
            named = [known_platform(read, known, platform) for platform in platforms] or None
            of_scenes = [known_scene(read, scene) for scene in scenes] or None
            scope = Scope(batch_ids=ids, platforms=named, scenes=of_scenes, since=since, until=until)
            gathered = _gather(read, name, scope, as_read=as_read)
        return ReportView(
            report=_figures(known, gathered),
            basis=basis,
            batches=tuple(ids),
            since=since,
            until=until,
            collected_from=gathered.first,
            collected_to=gathered.last,
            unread=gathered.unread,
            not_cleaned=gathered.not_cleaned,
            corrected=gathered.corrected,
        )


def _figures(known: Platforms, gathered: Gathered) -> BrandReport:
    return brand_report(
        gathered.brand,
        gathered.observations,
        gathered.planned(),
        capabilities={platform: _capability(known, platform, gathered) for platform in gathered.platforms},
        versions=gathered.versions(),
    )


def _basis(read: Read, name: str, wanted: Sequence[str]) -> tuple[Basis, list[str]]:
    """Return whose answers are counted, and the batches they are in: a batch counts with its re-collections."""
    own = stored_batches.own(read, name)
    if not wanted:
        return (Basis.OWN, own) if own else (Basis.ALL, stored_batches.every_id(read))
    chosen = sorted(recollection.family(read, known_batches(read, wanted)))
    return (Basis.OWN if set(chosen) <= set(own) else Basis.ALL), chosen


def _capability(known: Platforms, platform: str, gathered: Gathered) -> SurfaceCapabilities:
    """Return whether a surface shows citations: by its entry, else yes once an answer has one, else nobody knows."""
    surface = known.surfaces.get(platform) or known.catalogue.surfaces.get(platform)
    if surface is not None:
        return SurfaceCapabilities(exposes_citations=surface.exposes_citations)
    return SurfaceCapabilities(exposes_citations=True if platform in gathered.cited else None)


def _gather(read: Read, name: str, scope: Scope, *, as_read: bool) -> Gathered:
    gathered = Gathered(name)
    if not as_read:
        gathered.said = by_sample(corrections.find(read, batch_ids=scope.batch_ids))
        results = in_force.results(read, sorted(gathered.said))
        gathered.spots = in_force.spots(read, {one.clean_task_id: sample for sample, one in results.items()})
    for row in observations.rows(read, name, scope):
        gathered.take(row)
    missing = [version for version in gathered.lexicons if version not in gathered.tracked]
    for version, lexicon in lexicons.of_versions(read, missing).items():
        gathered.tracked[version] = names_in(lexicon.content)
    gathered.settle()
    return gathered
