"""How right the reader is: what it said of labelled answers, counted against their labels.

A measure is a share (right ones of those looked at) or an F1 (2 x found / (2 x found + invented + missed)). What a
label leaves open is not counted, and an answer on which the reader failed is wrong everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from answerwatch.figures.accuracy.records import (
    F1,
    NOT_SAID,
    Accuracy,
    BrandLabel,
    Label,
    Measure,
    Miss,
    Prediction,
    Scored,
)
from answerwatch.figures.intervals import Interval, wilson


@dataclass(slots=True)
class Tally:
    """Counts behind one measure."""

    found: int = 0
    """Right ones."""
    invented: int = 0
    """Said, and not so; stays 0 for shares."""
    missed: int = 0
    """So, and not said; for shares everything that is wrong."""

    def add(self, *, said: bool, so: bool) -> None:
        """Count one case of an F1."""
        self.found += said and so
        self.invented += said and not so
        self.missed += so and not said

    def judge(self, *, right: bool) -> bool:
        """Count one case of a share and return whether it was right."""
        self.found += right
        self.missed += not right
        return right


@dataclass(slots=True)
class Score:
    """Counts predictions against labels, one text after the other."""

    tallies: dict[Measure, Tally] = field(default_factory=lambda: {measure: Tally() for measure in Measure})
    rows: int = 0
    invalid: int = 0
    """Rows that are not valid by label."""

    def add(self, label: Label, said: Prediction) -> list[Miss]:
        """Count one text and return what was wrong about it, in the order of the measures' reading."""
        self.rows += 1
        self.invalid += not label.is_valid
        misses = [*self._validity(label, said)]
        if label.is_valid:
            misses += self._citation(label, said)
            for brand in label.brands:
                misses += self._mentions(label, brand, said)
                misses += self._advice(label, brand, said)
            misses += self._pronouns(label, said)
        return misses

    def _validity(self, label: Label, said: Prediction) -> Iterator[Miss]:
        right = said.is_valid is not None and said.is_valid in label.validity_alt | {label.is_valid}
        called_invalid = said.is_valid is False and not (label.is_valid and right)
        self.tallies[Measure.VALIDITY].judge(right=right)
        self.tallies[Measure.VALIDITY_F1_INVALID].add(said=called_invalid, so=not label.is_valid)
        if not right:
            yield Miss(row_id=label.row_id, measure=Measure.VALIDITY, expected=label.is_valid, got=said.is_valid)

    def _citation(self, label: Label, said: Prediction) -> Iterator[Miss]:
        if label.has_citation is None:
            return
        right = said.error is None and said.has_citation == label.has_citation
        if not self.tallies[Measure.CITATION].judge(right=right):
            yield Miss(
                row_id=label.row_id, measure=Measure.CITATION, expected=label.has_citation, got=said.has_citation
            )

    def _mentions(self, label: Label, brand: BrandLabel, said: Prediction) -> Iterator[Miss]:
        got = said.brands.get(brand.brand, NOT_SAID).spans
        tally = self.tallies[Measure.MENTION_F1]
        tally.found += len(brand.spans & got)
        tally.invented += len(got - brand.spans)
        tally.missed += len(brand.spans - got)
        self.tallies[Measure.NAMED_F1].add(said=bool(got), so=bool(brand.spans))
        self.tallies[Measure.COUNT_EXACT].judge(right=said.error is None and len(got) == len(brand.spans))
        for span in sorted(brand.spans ^ got):
            is_missed = span in brand.spans
            yield Miss(
                row_id=label.row_id,
                measure=Measure.MENTION_F1,
                brand=brand.brand,
                expected=span if is_missed else None,
                got=None if is_missed else span,
                span=span,
            )

    def _advice(self, label: Label, brand: BrandLabel, said: Prediction) -> Iterator[Miss]:
        if brand.is_recommended is None:
            return
        got = said.brands.get(brand.brand, NOT_SAID)
        where = min(brand.spans | got.spans, default=None)
        recommended = bool(got.is_recommended)
        self.tallies[Measure.RECOMMENDED_F1].add(said=recommended, so=brand.is_recommended)
        if recommended != brand.is_recommended:
            yield Miss(
                row_id=label.row_id,
                measure=Measure.RECOMMENDED_F1,
                brand=brand.brand,
                expected=brand.is_recommended,
                got=got.is_recommended,
                span=where,
            )
        measure = Measure.NO_RANK if brand.recommendation_rank is None else Measure.RANK
        right = got.recommendation_rank in (brand.recommendation_rank, *brand.rank_alt)
        if not self.tallies[measure].judge(right=said.error is None and right):
            yield Miss(
                row_id=label.row_id,
                measure=measure,
                brand=brand.brand,
                expected=brand.recommendation_rank,
                got=got.recommendation_rank,
                span=where,
            )

    def _pronouns(self, label: Label, said: Prediction) -> Iterator[Miss]:
        for pronoun in label.pronouns:
            got = said.pronouns.get(pronoun.span)
            if not self.tallies[Measure.PRONOUNS].judge(right=said.error is None and got == pronoun.brand):
                yield Miss(
                    row_id=label.row_id,
                    measure=Measure.PRONOUNS,
                    expected=pronoun.brand,
                    got=got,
                    span=pronoun.span,
                )

    def measures(self) -> tuple[Accuracy, ...]:
        """Return every measure so far, in the order of `Measure`."""
        return tuple(_accuracy(measure, self.tallies[measure]) for measure in Measure)

    def scored(self) -> Scored:
        """Return how much was scored so far."""
        spans = self.tallies[Measure.MENTION_F1]
        rank, no_rank = _cases(self.tallies[Measure.RANK]), _cases(self.tallies[Measure.NO_RANK])
        return Scored(
            rows=self.rows,
            labels=_cases(self.tallies[Measure.COUNT_EXACT]),
            spans=spans.found + spans.missed,
            recommended=rank + no_rank,
            rank=rank,
            no_rank=no_rank,
            citation=_cases(self.tallies[Measure.CITATION]),
            invalid=self.invalid,
            pronouns=_cases(self.tallies[Measure.PRONOUNS]),
        )


def _cases(tally: Tally) -> int:
    return tally.found + tally.invented + tally.missed


def _accuracy(measure: Measure, tally: Tally) -> Accuracy:
    cases, twice = _cases(tally), measure in F1
    if not cases:
        return Accuracy(measure=measure, numerator=0, denominator=0, value=None, interval=None)
    numerator, denominator = (2 * tally.found, cases + tally.found) if twice else (tally.found, cases)
    interval = wilson(tally.found / cases, cases)
    if twice:
        # Of all cases the found ones are a share p, which has an interval; F1 = 2p / (1 + p) grows with p.
        interval = Interval(_f1(interval.low), _f1(interval.high), interval.bound)
    return Accuracy(
        measure=measure,
        numerator=numerator,
        denominator=denominator,
        value=numerator / denominator,
        interval=interval,
    )


def _f1(share: float) -> float:
    return 2 * share / (1 + share)
