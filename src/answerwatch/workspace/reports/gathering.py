"""Rows of planned samples turned into what figures are computed from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from answerwatch.domain.answers import ABSENT, UNKNOWN
from answerwatch.domain.batches import UsageStatus
from answerwatch.domain.corrections import Correction, Seen, Spot, corrected
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
        """What people set right, by sample: of the brand and of answers as a whole."""
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
        row = self._set_right(row)
        self._rows.append(row)
        if row.has_citation == 1:
            self.cited.add(row.platform)
        if row.lexicon_version is not None:
            self.lexicons.add(row.lexicon_version)
        if row.cleaner_version is not None:
            self._cleaners.add(row.cleaner_version)

    def _set_right(self, row: Row) -> Row:
        """Return a row as people set it right."""
        said = self.said.get(row.sub_task_id)
        if said is None:
            return row
        read = Seen(
            is_valid=row.is_valid,
            invalid_reason=row.invalid_reason,
            has_citation=row.has_citation,
            figures=row.figures or (ABSENT if row.is_valid == 1 else UNKNOWN),
            spots=frozenset(self.spots.get((row.sub_task_id, self.brand), set())),
        )
        right = corrected(read, said)
        if right == read:
            return row
        self.corrected += 1
        more = (right.figures.is_mentioned or 0) - (read.figures.is_mentioned or 0)
        unsaid = right.figures == read.figures or right.is_valid != 1
        return row._replace(
            is_valid=right.is_valid,
            invalid_reason=right.invalid_reason,
            has_citation=right.has_citation,
            figures=row.figures if unsaid else right.figures,
            tracked_mentions=row.tracked_mentions + more,
        )

    def settle(self) -> None:
        """Turn the rows into observations, now that it is known which lexicon held the brand."""
        for row in self._rows:
            self.observations.append(self._observation(row))
            if row.is_valid is None:
                self.not_cleaned += 1
            elif row.is_valid == 1 and not self._was_read(row):
                self.unread += 1
        self._rows.clear()

    def _was_read(self, row: Row) -> bool:
        """Tell whether the reader looked for the brand: else its absence says nothing."""
        if row.figures is not None:
            return True
        return row.lexicon_version is not None and self.brand in self.tracked.get(row.lexicon_version, set())

    def _observation(self, row: Row) -> Observation:
        known = row.is_valid == 1 and self._was_read(row)
        return observed(
            row._asdict(),
            figures_seen(row.figures, looked_for=known),
            tracked_mentions=row.tracked_mentions if known else None,
        )

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
