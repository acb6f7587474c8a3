"""Figures of one brand with everything they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from answerwatch.figures.report import BrandReport
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.plain import Plain, to_plain


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

    def to_dict(self) -> dict[str, Plain]:
        """Return everything as JSON values; the keys of the report itself come first."""
        own = {name: to_plain(getattr(self, name)) for name in _OWN}
        return {**self.report.to_dict(), **own}


_OWN = ("basis", "batches", "since", "until", "collected_from", "collected_to", "unread", "not_cleaned")


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
    ) -> ReportView:
        """Return all figures of a brand over the sub-tasks created from `since` until before `until`.

        Raises UsageError when the brand is not tracked, or a batch or platform is unknown.
        """
        raise NotImplementedError
