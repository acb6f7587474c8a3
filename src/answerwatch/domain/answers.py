"""What is asked of a platform and what came back."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from answerwatch.domain.failures import Failure


class CitationKind(StrEnum):
    """How a source relates to the answer."""

    CITED = "cited"
    """Attached to a span of the answer."""
    RETRIEVED = "retrieved"
    """Returned by the platform's search, perhaps unused."""
    LINKED = "linked"
    """A link in the text of the answer."""


class CitationOrigin(StrEnum):
    """Who says that it is a source."""

    PLATFORM = "platform"
    TEXT = "text"


LIMIT_REASONS = frozenset(
    {
        "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "token_limit",
        "incomplete",
    }
)  # fmt: skip
"""Finish reasons, in lower case, by which a platform says that an answer stopped at a limit."""

FILTER_REASONS = frozenset(
    {"content_filter", "content-filter", "contentfilter", "safety", "sensitive", "risk_control", "refusal"}
)
"""Finish reasons, in lower case, by which a platform says that its content filter answered."""


def stopped_at_limit(finish_reason: str | None) -> bool:
    """Tell whether a finish reason, however it is capitalised, says that the answer was cut off at a limit."""
    return (finish_reason or "").lower() in LIMIT_REASONS


def stopped_by_filter(finish_reason: str | None) -> bool:
    """Tell whether a finish reason, however it is capitalised, says that the content filter answered."""
    return (finish_reason or "").lower() in FILTER_REASONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """One source of an answer."""

    position: int
    """Order within the answer, from 1."""
    url: str
    canonical_url: str
    domain: str
    title: str | None = None
    kind: CitationKind
    origin: CitationOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One call to make."""

    sub_task_id: str
    query_text: str
    attempt: int
    """From 1; every request sent has a number of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFacts:
    """Short facts that are told of an answer beside its text; None: not told.

    Each is a column of `answer_sample` by the same name: what is added here, and there, is stored and shown.
    """

    model_served: str | None = None
    finish_reason: str | None = None
    """As the platform spells it."""
    truncated: bool | None = None
    """The platform says that it stopped at a limit."""
    filtered: bool | None = None
    """The platform's content filter answered, not the model."""
    search_asked: bool | None = None
    searched: bool | None = None
    """Proof that a search ran; None where the platform cannot tell."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    request_id: str | None = None


def facts_of(told: AnswerFacts) -> dict[str, Any]:
    """Return the facts by name, for another record that has them."""
    return {field.name: getattr(told, field.name) for field in fields(AnswerFacts)}


class Figures(NamedTuple):
    """What one answer says about one brand, as stored; None: not known, never 0.

    Each is a column of `clean_result` and `brand_result`, and told by `BrandReading`, by the same name: what is added
    in these places is stored, compared and, where `Observation` has it too, counted.
    """

    is_mentioned: int | None = None
    mention_count: int | None = None
    is_recommended: int | None = None
    polarity: str | None = None
    recommendation_rank: int | None = None
    rank_basis: str | None = None
    is_top_pick: int | None = None
    mention_order: int | None = None
    own_site_cited: int | None = None
    cites_near: int | None = None


UNKNOWN = Figures()
"""Of a brand that nobody looked for."""

ABSENT = Figures(is_mentioned=0, mention_count=0, is_recommended=0, is_top_pick=0)
"""Of a brand that was looked for in a valid answer and not found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAnswer(AnswerFacts):
    """An answer as a platform gave it, with everything that is known about how it was made."""

    text: str
    """The answer's text as received, thinking marks included; may be empty."""
    response_format: str = "markdown"
    """`markdown`, `json` or `text`."""
    reasoning: str | None = None
    """Thinking that the platform keeps apart from the answer; never read for mentions."""
    truncated: bool = False
    filtered: bool = False
    search_asked: bool = False
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One HTTP exchange as it happened: what is kept as evidence."""

    started_at: datetime
    ended_at: datetime
    status: int | None
    """None when nothing came back."""
    headers: tuple[tuple[str, str], ...]
    """Lower-case names, order kept; never the request's."""
    body: bytes
    error: str | None = None
    """Name of the transport fault: `connect`, `reset`, `timeout`, `too_large`, `tls`, `dns`, `decode`; None: whole."""
    error_text: str = ""
    """What the transport said about its fault, for people."""
    redacted: bool = False
    """Our own secret was found in the reply and taken out."""

    @property
    def response_time_ms(self) -> int:
        """Return the milliseconds from sending to the last byte."""
        return round((self.ended_at - self.started_at).total_seconds() * 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """An exchange that a platform adapter has read: an answer or a classified failure.

    Both only for `error_type` `empty`: the failure is retried as its policy says, and when retries are used up
    the empty answer is stored as a sample, so that it is judged and counted.
    """

    reply: Reply
    answer: RawAnswer | None = None
    failure: Failure | None = None
