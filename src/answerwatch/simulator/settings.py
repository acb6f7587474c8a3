"""What a script can set: the behaviour of one platform profile as plain records."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Language(StrEnum):
    """Language of an answer."""

    # The question's own: Chinese as soon as it holds a Chinese character.
    AUTO = "auto"
    ZH = "zh"
    EN = "en"


class AnswerMode(StrEnum):
    """What the text of an answer depends on, beside the seed and the profile."""

    # The turn, too: every further call for a question gets another answer.
    BY_COUNT = "by_count"
    # The caller's X-Sim-Key (or else the question and the model), whatever the turn: retries repeat the answer.
    BY_KEY = "by_key"
    # Question and model only: all calls for a question get the same answer.
    BY_QUESTION = "by_question"


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """A fault by name, with the number after the colon when one was given (`slow_first_byte:2`)."""

    name: str
    amount: float | None = None


@dataclass(frozen=True, slots=True)
class Latency:
    """How long a written answer takes; milliseconds, log-normal, fixed when both numbers agree."""

    median_ms: float = 0.0
    p95_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Slow:
    """A share of the answers takes this many seconds instead of the usual time."""

    share: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class BucketSize:
    """A strict limit: calls per second, burst, and calls forgiven on top."""

    rate: float
    capacity: float
    slack: float = 0.0


class BrandOdds(NamedTuple):
    """A brand and the probability that an answer names it; None means one is made up from the place in the list.

    A named tuple, because lists of them are looked up in a cache at every answer, and tuples hash faster.
    """

    name: str
    probability: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a platform profile does; field names are the names in the script file."""

    latency: Latency = Latency()
    slow: Slow = Slow()
    bucket: BucketSize | None = None
    # More calls than this at once are turned away with 429; None is no limit.
    max_in_flight: int | None = None
    # Probability per fault; the rest of the calls is answered.
    faults: tuple[tuple[FaultSpec, float], ...] = ()
    # Fault of the first, second, ... turn of every question; afterwards the probabilities decide.
    sequence: tuple[FaultSpec, ...] = ()
    # Part of a question, or the beginning of its SHA-256, and the faults of its turns; the last one stays.
    per_question: tuple[tuple[str, tuple[FaultSpec, ...]], ...] = ()
    retry_after_s: float = 2.0
    # Pause between the blank lines of the keep-alive faults.
    blank_every_s: float = 1.0
    # Accepted API keys; empty accepts any caller.
    keys: frozenset[str] = frozenset()
    # Models offered; empty offers `sim-answer` and accepts any name.
    models: tuple[str, ...] = ()
    # Model named in the reply; None repeats the asked one.
    served_model: str | None = None
    language: Language = Language.AUTO
    # Brands by language; a missing language takes the simulator's invented ones by topic of the question.
    brands: Mapping[Language, tuple[BrandOdds, ...]] = field(default_factory=dict)
    # How far a brand's probability moves from question to question (rounds of one question resemble each other).
    question_spread: float = 0.1
    # Share of the plain answers that cite sources.
    sources_share: float = 0.2
    answers: AnswerMode = AnswerMode.BY_COUNT
