"""Rows of planned samples turned into what figures are computed from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from answerwatch.domain.batches import UsageStatus
from answerwatch.domain.corrections import Correction, Seen, Spot, about, corrected, more_named
from answerwatch.figures.observations import Observation
from answerwatch.figures.records import Planned, Versions
from answerwatch.store.clean.observations import Row
from answerwatch.workspace.reports.observing import figures_seen, observed

_Place = tuple[str, str, str, str | None]
"""Question, platform, scene, and why there is no sample."""


class Gathered:
    """What one brand's report rests on; rows are taken one by one, then settled once lexicons are known."""

    def __init__(self, brand: str) -> None:
        """Begin empty."""
        self.brand = brand
        self.observations: list[Observation] = []
        self.tracked: dict[int, set[str]] = {}
        """Brands of each lexicon version that rows were read under."""
        self.lexicons: set[int] = set()
        self.cited: set[str] = set()
        """Platforms of which at least one answer has a source."""
        self.platforms: set[str] = set()
        self.first: datetime | None = None
        self.last: datetime | None = None
        self.unread = 0
        self.not_cleaned = 0
        self.corrected = 0
        self.said: dict[str, list[Correction]] = {}
        """What people set right, by sample: of any brand, and of answers as a whole."""
        self.spots: dict[tuple[str, str], set[Spot]] = {}
        """Where brands are mentioned in these answers, as they were read."""
        self._planned: Counter[_Place] = Counter()
        self._rows: list[Row] = []
        self._questions: set[tuple[str, int]] = set()
        self._cleaners: set[str] = set()

    def take(self, row: Row) -> None:
        """Count one planned sample."""
        self.platforms.add(row.platform)
        self._questions.add((row.question_id, row.question_version))
        self._planned[row.question_id, row.platform, row.scene_type, _reason(row)] += 1
        if row.collected_at is None:
            return
        self.first = row.collected_at if self.first is None else min(self.first, row.collected_at)
        self.last = row.collected_at if self.last is None else max(self.last, row.collected_at)
        self._rows.append(row)
        if row.lexicon_version is not None:
            self.lexicons.add(row.lexicon_version)
        if row.cleaner_version is not None:
            self._cleaners.add(row.cleaner_version)

    def settle(self) -> None:
        """Turn the rows into observations, now that it is known which lexicon held the brand."""
        for row in self._rows:
            read = self._seen(row)
            said = self.said.get(row.sub_task_id, ())
            counted = self._observation(row, read, row.tracked_mentions)
            if said:
                as_read = counted
                counted = self._set_right(row, read, said)
                self.corrected += counted != as_read
            self.observations.append(counted)
            if counted.has_citation == 1:
                self.cited.add(row.platform)
            if counted.is_valid is None:
                self.not_cleaned += 1
            elif counted.is_valid == 1 and counted.is_mentioned is None:
                self.unread += 1
        self._rows.clear()

    def _seen(self, row: Row) -> Seen:
        """Return an answer as it was read."""
        return Seen(
            is_valid=row.is_valid,
            invalid_reason=row.invalid_reason,
            has_citation=row.has_citation,
            figures=figures_seen(row.figures, looked_for=row.is_valid == 1 and self._was_read(row)),
            spots=frozenset(self.spots.get((row.sub_task_id, self.brand), ())),
        )

    def _set_right(self, row: Row, read: Seen, said: Sequence[Correction]) -> Observation:
        """Return an answer as people set it right; of one that was none before, nobody looked for other brands."""
        tracked = None
        if read.is_valid == 1:
            places = {one.brand_name: self.spots.get((row.sub_task_id, one.brand_name), set()) for one in said}
            tracked = row.tracked_mentions + more_named(places, said)
        return self._observation(row, corrected(read, about(said, self.brand)), tracked)

    def _observation(self, row: Row, seen: Seen, tracked: int | None) -> Observation:
        answer = {**row.sample, **row._asdict()} | {
            "is_valid": seen.is_valid, "invalid_reason": seen.invalid_reason, "has_citation": seen.has_citation
        }  # fmt: skip
        known = seen.is_valid == 1 and seen.figures.is_mentioned is not None
        return observed(answer, seen.figures, tracked_mentions=tracked if known else None)

    def _was_read(self, row: Row) -> bool:
        """Tell whether the reader looked for the brand: else its absence says nothing."""
        if row.figures is not None:
            return True
        return row.lexicon_version is not None and self.brand in self.tracked.get(row.lexicon_version, set())

    def planned(self) -> Iterator[Planned]:
        """Yield the planned samples by question, platform, scene and fate."""
        for (question, platform, scene, reason), count in self._planned.items():
            yield Planned(question_id=question, platform=platform, scene_type=scene, count=count, reason=reason)

    def versions(self) -> Versions:
        """Return the versions that the answers were asked and read under."""
        asked = ",".join(f"{question}@{version}" for question, version in sorted(self._questions))
        bank = (hashlib.sha256(asked.encode()).hexdigest()[:12],) if asked else ()
        lexicons = tuple(str(version) for version in sorted(self.lexicons))
        return Versions(question_bank=bank, lexicon=lexicons, cleaner=tuple(sorted(self._cleaners)))


def _reason(row: Row) -> str | None:
    if row.collected_at is not None:
        return None
    return row.error_type or str(row.status) if row.status == UsageStatus.FAILED else str(row.status)
