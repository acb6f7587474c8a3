"""Words of similarity jobs: what is compared with what, on which way, and how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b

from answerwatch.errors import UsageError


class Shape(StrEnum):
    """Which pairs a job has."""

    MATRIX = "matrix"
    """Every text of the left list with every one of the right."""
    TRIANGLE = "triangle"
    """Every unordered pair of lines of one list."""
    PAIRS = "pairs"
    """The pairs that a file names."""


class Way(StrEnum):
    """How a job comes to its scores."""

    VECTORS = "vectors"
    """Texts are encoded once, scores are products of vectors."""
    EACH_PAIR = "each_pair"
    """A pair scorer looks at every pair."""
    RERANK = "rerank"
    """A vector scorer finds candidates for each text of the left list, a pair scorer scores these."""


class JobStatus(StrEnum):
    """How far a job is."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    """Every pair has a score."""
    PARTIAL = "partial"
    """It is at its end; some pairs have no score, and `similarity_error` or a dead letter says why."""
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Tell whether nothing of the job will be worked on any more."""
        return self in (JobStatus.COMPLETED, JobStatus.PARTIAL, JobStatus.CANCELLED)


class Warned(StrEnum):
    """What a reader of a job's results must know."""

    SCORER_CHANGED = "scorer_changed"
    """The scorer became another one than it began with; the rest was not scored."""
    REVISION_UNKNOWN = "revision_unknown"
    """Nobody says which revision of the model it is: scores are comparable within the job, and not remembered."""
    SILENT_CHANGE = "silent_change"
    """The same model by name, of no known revision, gives other numbers than it gave to the last job."""


class BlockStatus(StrEnum):
    """How far the pairs of a block are; that of a pair is the one of its block."""

    PENDING = "pending"
    PROCESSING = "processing"
    SUCCESS = "success"
    """Scored; single pairs in it may be refused, these have no score."""
    FAILED = "failed"


class Side(StrEnum):
    """Of which list a text is; a job of one list has the left one alone."""

    LEFT = "left"
    RIGHT = "right"


class Roles(StrEnum):
    """What the two lists are to each other, for models that tell questions from what answers them."""

    SAME = "same"
    """Sentences are compared with sentences."""
    SEARCH = "search"
    """The left list holds questions, the right one what may answer them."""


NORMAL, HIGH = 0, 1
"""Priorities; a high job overtakes normal ones at the next block."""

BLOCK_ROWS = 256
"""Texts of the left list in a block at most."""
BLOCK_COLS = 4_096
"""Texts of the right list in a block at most: bounds the memory of a worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a block lies on the axes of its job: distinct texts of the left list by those of the right one.

    Of a job of pairs rows are distinct pairs, and there is one column.
    """

    row_start: int
    rows: int
    col_start: int
    cols: int


class TaskKind(StrEnum):
    """What a task of a similarity job does; the letter stands in its id."""

    UNIT = "u"
    """Encodes some texts."""
    BLOCK = "b"
    """Scores some rows and columns, or pairs."""
    RERANK = "r"
    """Lets a pair scorer look at the candidates of some rows."""
    TEXT = "t"
    """No task, but a text that the model can never take: only dead letters have such ids."""
    PAIR = "p"
    """The same of a pair."""


@dataclass(frozen=True, slots=True)
class TaskName:
    """What the id of a task says."""

    job_id: str
    kind: TaskKind
    at: tuple[int, ...]
    """First text of a unit, first row (and column) of what is scored; the text; row and column of a pair."""

    def __str__(self) -> str:
        """Return the id."""
        return ":".join((self.job_id, self.kind, *map(str, self.at)))

    @classmethod
    def of(cls, task_id: str) -> TaskName:
        """Return what an id says; raises ValueError for one that is none of ours."""
        job_id, kind, *at = task_id.split(":")
        return cls(job_id, TaskKind(kind), tuple(map(int, at)))


REVISION_UNKNOWN_PART = "rev=unknown"
"""Part of the id of a scorer whose revision nobody knows."""
CANARY_PART = ";canary="
"""What follows in such an id names the numbers that the scorer gave for fixed texts."""


def memory_of(scorer_id: str, job_id: str) -> str:
    """Return under which name scores of pairs are remembered: for one job alone where nobody knows the revision."""
    return f"{scorer_id};job={job_id}" if REVISION_UNKNOWN_PART in scorer_id.split(";") else scorer_id


def standing_warning(*scorer_ids: str | None) -> Warned | None:
    """Return what must be known of results from the start, by the ids of the scorers that they are from."""
    is_unknown = any(REVISION_UNKNOWN_PART in (one or "").split(";") for one in scorer_ids)
    return Warned.REVISION_UNKNOWN if is_unknown else None


def changed_silently(before: str, now: str) -> bool:
    """Tell whether two ids of scorers differ in nothing but the numbers for fixed texts."""
    return before != now and before.partition(CANARY_PART)[0] == now.partition(CANARY_PART)[0]


def pair_id(job_id: str, left_line: int, right_line: int) -> str:
    """Return the id of a pair: `JOB:i:j`, lines counted from 1."""
    return f"{job_id}:{left_line}:{right_line}"


def split_pair_id(text: str) -> tuple[str, int, int]:
    """Return job, left line and right line of a pair's id; raises UsageError for what is none."""
    job, *lines = text.rsplit(":", 2)
    if not job or len(lines) != 2 or not all(one.isascii() and one.isdigit() and len(one) < 19 for one in lines):
        raise UsageError(
            "pair_id_bad", f"{text[:80]!r} is no pair; write JOB:LEFT:RIGHT with two lines.", pair=text[:80]
        )
    return job, int(lines[0]), int(lines[1])


def scorer_key(scorer_id: str) -> str:
    """Return the short key of a scorer's id: BLAKE2b-64 in hexadecimal digits."""
    return blake2b(scorer_id.encode(), digest_size=8).hexdigest()
