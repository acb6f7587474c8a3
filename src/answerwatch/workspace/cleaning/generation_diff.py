"""What changed between two generations: which answers, in what, and which matches came or went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from answerwatch.domain.lexicons import names_in
from answerwatch.errors import UsageError
from answerwatch.figures.observations import Observation
from answerwatch.figures.records import Planned, Versions
from answerwatch.figures.report import brand_report
from answerwatch.store.bank import lexicons
from answerwatch.store.clean import generation_pairs, matches
from answerwatch.store.clean.generation_pairs import Pair, Values
from answerwatch.store.clean.matches import MatchRow
from answerwatch.store.database import Read
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.cleaning.views import (
    AnswerChange,
    Changed,
    CleanDiff,
    DiffRequest,
    Made,
    MatchChange,
    RateChange,
    ResultChange,
    Step,
)
from answerwatch.workspace.filters import known_batches, known_generation
from answerwatch.workspace.reports.observing import figures_seen, observed

RATES = ("visibility", "recommendation_rate")
"""Figures that are shown before and after."""


_FIELDS: Mapping[Changed, tuple[str, ...]] = {
    Changed.VALID: ("is_valid", "invalid_reason"),
    Changed.MENTIONED: ("is_mentioned",),
    Changed.MENTIONS: ("mention_count",),
    Changed.RECOMMENDED: ("is_recommended",),
    Changed.RANK: ("recommendation_rank",),
    Changed.CITED: ("has_citation",),
}


def changes(read: Read, request: DiffRequest) -> Iterator[AnswerChange]:
    """Yield every changed answer by id."""
    for _, change in _compared(read, request):
        if change.fields or change.matches:
            yield change


def summary(read: Read, request: DiffRequest, *, most: int) -> CleanDiff:
    """Return counts and figures over all compared answers, and the first that changed."""
    kinds: Counter[Changed] = Counter()
    steps: Counter[tuple[Made, Made]] = Counter()
    first: list[AnswerChange] = []
    sides: dict[str, _Sides] = {}
    changed = 0
    for pair, change in _compared(read, request):
        steps[change.before, change.after] += 1
        sides.setdefault(change.brand_name, _Sides()).take(pair)
        if change.kinds:
            changed += 1
            kinds.update(change.kinds)
            if len(first) < most:
                first.append(change)
    ordered = sorted(steps.items(), key=lambda item: (item[0][0].generation, item[0][1].generation))
    return CleanDiff(
        compared=sum(steps.values()),
        changed=changed,
        kinds=tuple((kind, kinds[kind]) for kind in Changed),
        steps=tuple(Step(before=before, after=after, answers=count) for (before, after), count in ordered),
        rates=tuple(rate for name in sorted(sides) if name for rate in sides[name].rates(name)),
        answers=tuple(first),
    )


def _compared(read: Read, request: DiffRequest) -> Iterator[tuple[Pair, AnswerChange]]:
    """Yield every answer of both generations with what changed in it."""
    brand = None if request.brand is None else pick_brand(read, request.brand).standard_name
    tracked: dict[int, set[str]] = {}
    for page in generation_pairs.pages(read, _wanted(read, request)):
        tasks = [side["clean_task_id"] for pair in page for side in (pair.before, pair.after)]
        found = matches.of_tasks(read, tasks)
        if brand is not None:
            _see_as(read, brand, page, tracked)
        for pair in page:
            yield pair, _change(pair, found, brand)


def _wanted(read: Read, request: DiffRequest) -> generation_pairs.Wanted:
    for number in (request.older, request.newer):
        if number is not None:
            known_generation(read, number)
    if request.older is not None and request.newer is not None and request.older >= request.newer:
        raise UsageError("generations_order", "--from must be older than --to: give the smaller number to --from.")
    batch_ids = None if request.batch is None else known_batches(read, [request.batch])
    return generation_pairs.Wanted(batch_ids=batch_ids, older=request.older, newer=request.newer)


def _see_as(read: Read, brand: str, page: Sequence[Pair], tracked: dict[int, set[str]]) -> None:
    """Put the figures of one brand in place of the focal brand's: 0 where it was looked for and not found."""
    sides = [side for pair in page for side in (pair.before, pair.after)]
    missing = {side["lexicon_version"] for side in sides} - tracked.keys()
    tracked |= {version: set() for version in missing}
    tracked |= {version: names_in(one.content) for version, one in lexicons.of_versions(read, missing).items()}
    found = generation_pairs.brand_figures(read, [side["clean_task_id"] for side in sides], brand)
    for side in sides:
        looked_for = side["is_valid"] == 1 and brand in tracked[side["lexicon_version"]]
        figures = figures_seen(found.get(side["clean_task_id"]), looked_for=looked_for)
        side.update(figures._asdict(), brand_name=brand)


def _change(pair: Pair, found: Mapping[str, Sequence[MatchRow]], brand: str | None) -> AnswerChange:
    before, after = pair.before, pair.after
    fields = tuple(
        ResultChange(kind=kind, column=column, before=before[column], after=after[column])
        for kind, columns in _FIELDS.items()
        for column in columns
        if before[column] != after[column]
    )
    return AnswerChange(
        source_task_id=after["source_task_id"],
        batch_id=after["batch_id"],
        platform=after["platform"],
        brand_name=after["brand_name"],
        before=_made(before),
        after=_made(after),
        fields=fields,
        matches=tuple(_match_changes(found[before["clean_task_id"]], found[after["clean_task_id"]], brand)),
    )


def _made(side: Values) -> Made:
    return Made(
        generation=side["generation"],
        lexicon_version=side["lexicon_version"],
        cleaner_version=side["cleaner_version"],
    )


def _match_changes(before: Iterable[MatchRow], after: Iterable[MatchRow], brand: str | None) -> Iterator[MatchChange]:
    """Yield the candidates that are not judged as before, in the order of the text."""
    old, new = _by_place(before, brand), _by_place(after, brand)
    for place in sorted(old.keys() | new.keys()):
        was, now = old.get(place), new.get(place)
        if was is None or now is None or was.reason != now.reason:
            yield MatchChange(
                standard_name=place[1],
                matched_alias=place[2],
                match_position=place[0],
                reason_before=None if was is None else was.reason,
                reason_after=None if now is None else now.reason,
                covered_by=None if now is None else now.covered_by,
            )


def _by_place(rows: Iterable[MatchRow], brand: str | None) -> dict[tuple[int, str, str], MatchRow]:
    return {
        (row.match_position, row.standard_name, row.matched_alias): row
        for row in rows
        if brand is None or row.standard_name == brand
    }


@dataclass(slots=True)
class _Sides:
    """The compared answers of one brand as figures take them, before and after."""

    before: list[Observation] = field(default_factory=list)
    after: list[Observation] = field(default_factory=list)
    planned: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    lexicons: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))
    cleaners: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))

    def take(self, pair: Pair) -> None:
        """Count one answer."""
        for number, (side, into) in enumerate(((pair.before, self.before), (pair.after, self.after))):
            into.append(observed({**side, **pair.asked}))
            self.lexicons[number].add(str(side["lexicon_version"]))
            self.cleaners[number].add(side["cleaner_version"])
        self.planned[pair.asked["question_id"], pair.after["platform"], pair.after["scene_type"]] += 1

    def rates(self, brand: str) -> Iterator[RateChange]:
        """Yield the figures before and after, over the same answers."""
        old, new = (
            brand_report(
                brand,
                observations,
                [
                    Planned(question_id=question, platform=platform, scene_type=scene, count=count)
                    for (question, platform, scene), count in self.planned.items()
                ],
                capabilities={},
                versions=Versions(
                    question_bank=(),
                    lexicon=tuple(sorted(self.lexicons[number])),
                    cleaner=tuple(sorted(self.cleaners[number])),
                ),
            )
            for number, observations in enumerate((self.before, self.after))
        )
        for name in RATES:
            yield RateChange(brand_name=brand, before=old.overall.figure(name), after=new.overall.figure(name))
