"""What similarity jobs are to those who look at them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from answerwatch.domain.said import Said
from answerwatch.domain.similarity import JobStatus, Roles, Shape, Side, Way
from answerwatch.similarity.planning import TOP_K, Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSource:
    """Where the texts of a list come from: a file, or texts that are there already."""

    file: Path | None = None
    texts: tuple[str, ...] | None = None
    column: str | None = None
    """Of a table; None: the one that is called text, or the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest:
    """What is asked for."""

    left: ListSource
    right: ListSource | None = None
    """None: every unordered pair of the left list."""
    is_pairs: bool = False
    """The left list is a table of pairs; `column` and `right_column` name its columns."""
    right_column: str | None = None
    scorer: str | None = None
    """None: `use` where it is installed, else `lexical`."""
    finder: str | None = None
    """Vector scorer that finds candidates for a pair scorer; None: the default one."""
    roles: Roles = Roles.SAME
    every_pair: bool = False
    """A pair scorer looks at every pair however many there are."""
    top_k: int = TOP_K
    too_long: str = "skip"
    """What becomes of texts that are too long for the scorer: skip, truncate or refuse."""
    priority: int = 0
    idempotency_key: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineProblem:
    """A line without a score, or cut, and why."""

    side: str
    line: int
    reason: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPlan:
    """What a job would do; nothing was stored."""

    plan: Plan
    scorer: str
    finder: str | None
    problems: int
    """Lines without a score, or cut."""
    first_problems: tuple[LineProblem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobView:
    """One job and how far it is."""

    job_id: str
    status: JobStatus
    scorer: str
    scorer_id: str
    finder_id: str | None
    shape: Shape
    way: Way
    priority: int
    left_lines: int
    right_lines: int
    total: int
    processed: int
    pending: int
    failed: int
    progress: float
    """Percent of the pairs that are at their end."""
    encoded: float | None
    """Percent of the characters that are encoded; None where no vectors are needed."""
    cache_hits: float | None
    """Share of the characters whose vectors were remembered; None before anything was looked for."""
    pair_hits: float | None
    """Share of the distinct pairs for a pair scorer whose score was remembered; None before the first."""
    rate: float | None
    """Pairs a second, over the time in which workers worked on it; None before the first."""
    chars_rate: float | None
    """Characters that were encoded a second; None before the first."""
    eta_seconds: float | None
    """Seconds of work that are left at the speed so far; None: not known."""
    warning: str | None
    note: str
    created_at: datetime
    created_by: str
    started_at: datetime | None
    finished_at: datetime | None
    is_new: bool = field(default=True)
    """False: the idempotency key was used before, and this is the job that was made then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairView:
    """One pair of lines."""

    pair_id: str
    status: str
    """pending, processing, success or failed."""
    score: float | None
    reason: str | None
    """Why there is no score; None: there is one, or it is not at its end."""
    source: str | None
    """`vector` or `pair`: which scorer it is from; None where there is none."""
    vector_score: float | None
    """Of the finder, where a pair scorer looked at the pair too."""
    left: str
    right: str
    scorer_id: str
    process_time: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A pair in the results."""

    left_line: int
    right_line: int
    score: float
    source: str
    """`vector` or `pair`: which sort of scorer it is from."""
    left: str
    right: str
    scorer_id: str
    """Of the scorer that it is from, with the revision of its model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """How many pairs of lines have which score."""

    edges: tuple[float, ...]
    """Lower edges of the bins."""
    counts: tuple[int, ...]
    unscored: int
    quantiles: tuple[tuple[float, float], ...]
    """Share of the pairs and the score below which they lie, to the width of a bin; empty where nothing is scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerView:
    """A scorer of the workspace."""

    name: str
    kind: str
    takes: str | None
    """vector or pair; this and what follows is None where it cannot be used here."""
    model: str | None
    revision: str | None
    """None: unknown, so what it said is used again in the same job only."""
    scorer_id: str | None
    is_default: bool
    problem: Said | None
    """Why it cannot be used here, and what to do; None: it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationView:
    """Thresholds of a scorer for one purpose."""

    scorer_name: str
    scorer_id: str
    purpose: str
    """relevance (questions and answers) or sameness (sentences)."""
    irrelevant_below: float
    """A hundredth of what belongs together scores below."""
    suspect_below: float
    """A twentieth of it scores below."""
    auc: float
    """Chance that what belongs together scores above what was shuffled."""
    pairs: int
    is_usable: bool
    """False: both overlap too much, and nothing is decided by it."""
    created_at: datetime | None
    """None: measured for everybody, not here."""
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinView:
    """A question that says the same as an earlier one."""

    question_id: str
    query_text: str
    scene_type: str
    kept_id: str
    kept_text: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeQuestions:
    """Near duplicates in the question bank."""

    scorer_id: str
    above: float
    """Score from which two questions say the same."""
    questions: int
    twins: tuple[TwinView, ...]
    share: float
    is_doubtful: bool
    """More than 30 % would go: the threshold is too low for this bank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceCount:
    """How the answers of a batch go with their questions."""

    batch_id: str
    scorer_id: str
    questions: int
    relevant: int
    suspect: int
    irrelevant: int
    unknown: int


ShowJob = Callable[[JobView], None]
"""Takes how far a job is, again and again."""

SIDES = (Side.LEFT, Side.RIGHT)
