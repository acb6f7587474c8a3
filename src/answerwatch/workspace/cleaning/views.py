"""What is shown of cleaning. Records only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from answerwatch.domain.clean_states import CleanState, Transition
from answerwatch.domain.plain import Plain
from answerwatch.domain.relevance import Fit
from answerwatch.figures.records import Figure
from answerwatch.reading import Via
from answerwatch.store.clean.redo import Behind


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanStatus:
    """Where cleaning stands."""

    states: tuple[tuple[CleanState, int], ...]
    """Tasks by state, every state named."""
    outstanding: int
    """Tasks that are not at their end."""
    stuck: int
    dead: int
    """Open dead letters of cleaning."""
    oldest_s: float | None
    """For how long the oldest task that could start has been due; None where there is none."""
    generation: int | None
    """The newest; None before the first."""
    lexicon_version: int | None
    cleaner_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanRun:
    """What came of cleaning until nothing was left."""

    cleaned: int
    """Results that were stored meanwhile, whoever stored them; of a redo those of answers that waited for it."""
    valid: int
    invalid: int
    failed: int
    renewed: int
    """Tasks that waited with an older lexicon or reader, and were given the newest first."""
    outstanding: int
    """Above 0 when it was stopped."""
    seconds: float

    @property
    def succeeded(self) -> bool:
        """Tell whether every answer was read."""
        return self.failed == 0 and self.outstanding == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RedoPlan:
    """What a redo would do."""

    generation: int
    """That the answers go to."""
    lexicon_version: int
    cleaner_version: str
    answers: int
    """Answers that are not there yet."""
    behind: tuple[Behind, ...]
    """The same answers by what their present results were made with."""
    waiting: int
    """Answers of an earlier redo that still wait: it is gone on with."""

    @property
    def nothing_to_do(self) -> bool:
        """Tell whether all answers were read with the newest versions."""
        return self.answers == 0 and self.waiting == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone(CleanRun):
    """What came of cleaning stored answers anew."""

    generation: int
    lexicon_version: int
    cleaner_version: str
    queued: int
    """Answers that were put to work by this call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """One candidate or pronoun and what became of it."""

    standard_name: str
    matched_alias: str
    text: str
    """The characters of the answer."""
    match_position: int
    match_length: int
    is_valid_match: bool
    reason: str
    """`accepted`, `stands_for` (a pronoun), or the rule that rejected it."""
    covered_by: str | None
    """What won over a rejected candidate: a longer name, an exclude phrase or another word; None where nothing did."""
    region: str
    via: str

    @property
    def counts(self) -> bool:
        """Tell whether it is a mention: pronouns stand for a brand and are never counted."""
        return self.is_valid_match and self.via != Via.PRONOUN


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandFinding:
    """The figures of one brand in one answer."""

    brand_name: str
    is_focal: bool
    is_mentioned: bool | None
    mention_count: int | None
    is_recommended: bool | None
    recommendation_rank: int | None
    rank_basis: str | None
    cites_near: bool | None
    """A sentence that names it has a source."""
    own_site_cited: bool | None
    """A source is on a domain of it; None: no domain is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionView:
    """What a person set right in the reading of an answer."""

    correction_id: int
    source_task_id: str
    brand_name: str | None
    """None: it is about the answer as a whole."""
    field: str
    value: str
    read_value: str | None
    """What the reader had said when it was corrected; None: nothing."""
    reads_now: str | None
    """What the reading in force says, which may be a newer one."""
    agrees_now: bool
    """That is what was set right: the reader has learnt it."""
    start: int | None
    """Of a mention, code points of the answer; None: no mention."""
    end: int | None
    text: str | None
    note: str
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceView:
    """Whether an answer belongs to its question, by a similarity scorer."""

    score: float | None
    """None: could not be scored."""
    verdict: Fit
    scorer_id: str
    rank: int | None
    """Place of its own question among those of the batch, from 1; None: not ranked."""
    questions: int | None
    """Questions it was ranked among."""
    judged_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why an answer was read as it was."""

    clean_task_id: str
    source_task_id: str
    generation: int
    generations: tuple[int, ...]
    """All in which this answer has a task, the newest first."""
    taken_from: str | None
    """Task whose result this one took over, because nothing in the answer had changed; None: the answer was read."""
    state: CleanState
    history: tuple[Transition, ...]
    last_error: str | None
    platform: str
    scene_type: str
    query_text: str
    raw_response: str
    is_valid: bool | None
    invalid_reason: str | None
    invalid_note: str | None
    """The phrase or fact that decided."""
    truncated: bool | None
    has_citation: bool | None
    lexicon_version: int | None
    cleaner_version: str | None
    brands: tuple[BrandFinding, ...]
    not_found: tuple[str, ...]
    """Brands of that lexicon without any candidate in the answer."""
    matches: tuple[MatchView, ...]
    relevance: RelevanceView | None
    """None: nobody asked."""
    corrections: tuple[CorrectionView, ...]
    """What people set right, whichever generation they looked at; everything above is as it was read."""


class Changed(StrEnum):
    """In what an answer changed."""

    VALID = "valid"
    MENTIONED = "mentioned"
    MENTIONS = "mentions"
    RECOMMENDED = "recommended"
    RANK = "rank"
    CITED = "cited"
    MATCHES = "matches"
    """A candidate came or went, or is judged otherwise, of whichever brand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRequest:
    """What is to be compared; None as in `Cleaning.diff`."""

    batch: str | None = None
    brand: str | None = None
    older: int | None = None
    newer: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a result was made with."""

    generation: int
    lexicon_version: int
    cleaner_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultChange:
    """One value before and after; None is unknown."""

    kind: Changed
    column: str
    before: Plain
    after: Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchChange:
    """One candidate before and after."""

    standard_name: str
    matched_alias: str
    match_position: int
    reason_before: str | None
    """None: it was no candidate."""
    reason_after: str | None
    """None: it is no candidate any more."""
    covered_by: str | None
    """What wins over it now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChange:
    """One answer that is read otherwise."""

    source_task_id: str
    batch_id: str
    platform: str
    brand_name: str
    """Whose figures are compared; '' where there is none."""
    before: Made
    after: Made
    fields: tuple[ResultChange, ...]
    matches: tuple[MatchChange, ...]

    @property
    def kinds(self) -> frozenset[Changed]:
        """Return in what it changed."""
        return frozenset(one.kind for one in self.fields) | ({Changed.MATCHES} if self.matches else frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """So many answers went from these versions to those."""

    before: Made
    after: Made
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RateChange:
    """A figure of one brand over the compared answers, before and after; published as in reports."""

    brand_name: str
    before: Figure
    after: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanDiff:
    """What changed between two generations."""

    compared: int
    """Answers that have a result in both."""
    changed: int
    kinds: tuple[tuple[Changed, int], ...]
    """Changed answers by what changed in them; one may be in several."""
    steps: tuple[Step, ...]
    rates: tuple[RateChange, ...]
    answers: tuple[AnswerChange, ...]
    """The first of them."""
