"""Answers as they are read now and as people set them right, many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from answerwatch.domain.answers import ABSENT, UNKNOWN, Figures
from answerwatch.domain.corrections import Correction, Seen, Spot, about, corrected
from answerwatch.domain.lexicons import names_in
from answerwatch.store.bank import lexicons
from answerwatch.store.clean import corrections, in_force
from answerwatch.store.clean.in_force import InForce
from answerwatch.store.database import Read

_NOT_READ = Seen(is_valid=None, invalid_reason=None, has_citation=None, figures=UNKNOWN, spots=frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """The readings in force of some answers, and the corrections that hold."""

    results: dict[str, InForce]
    said: dict[str, list[Correction]]
    """The corrections by sample, the oldest first."""
    spots: dict[tuple[str, str], set[Spot]]
    """Where brands are mentioned, by sample and brand."""
    figures: dict[tuple[str, str], Figures]
    looked_for: dict[int, set[str]]
    """Brands by the version of the lexicon that holds them."""

    @classmethod
    def of(cls, read: Read, sub_task_ids: Sequence[str]) -> Readings:
        """Return those of samples; a correction of a sample without a reading is there too."""
        results = in_force.results(read, sub_task_ids)
        versions = {one.lexicon_version for one in results.values()}
        return cls(
            results=results,
            said=corrections.of_samples(read, sub_task_ids),
            spots=in_force.spots(read, {one.clean_task_id: sample for sample, one in results.items()}),
            figures=in_force.figures(read, sub_task_ids),
            looked_for={
                version: names_in(one.content) for version, one in lexicons.of_versions(read, versions).items()
            },
        )

    def read(self, sub_task_id: str, brand: str) -> Seen:
        """Return an answer as one brand sees it, as it was read; '' for no brand."""
        one = self.results.get(sub_task_id)
        if one is None:
            return _NOT_READ
        return Seen(
            is_valid=one.is_valid,
            invalid_reason=one.invalid_reason,
            has_citation=one.has_citation,
            figures=self._read_figures(sub_task_id, brand, one),
            spots=frozenset(self.spots.get((sub_task_id, brand), ())),
        )

    def _read_figures(self, sub_task_id: str, brand: str, one: InForce) -> Figures:
        looked_for = one.is_valid == 1 and brand in self.looked_for.get(one.lexicon_version, ())
        return self.figures.get((sub_task_id, brand), ABSENT if looked_for else UNKNOWN)

    def right(self, sub_task_id: str, brand: str) -> Seen:
        """Return the same as people set it right."""
        return corrected(self.read(sub_task_id, brand), self.about(sub_task_id, brand))

    def about(self, sub_task_id: str, brand: str) -> list[Correction]:
        """Return the corrections of an answer as a whole and of a brand in it."""
        return about(self.said.get(sub_task_id, ()), brand)
