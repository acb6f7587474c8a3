"""What the reader is given and what it says: records only, no rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from answerwatch.domain.answers import Citation
from answerwatch.domain.clean_states import InvalidReason


class Region(StrEnum):
    """Where in the answer a piece of text stands."""

    PROSE = "prose"
    HEADING = "heading"
    ITEM_HEAD = "item_head"
    """The part of a list item that names what the item is about."""
    ITEM_BODY = "item_body"
    TABLE = "table"
    CODE = "code"
    ADDRESS = "address"
    """The target of a link, or an address that stands in the text by itself."""
    MARKUP = "markup"
    """HTML tags, comments and the marks of citations."""
    SOURCES = "sources"
    """A list of sources or the text of a footnote."""
    THINKING = "thinking"
    """Reasoning that stands inside the answer's text."""
    QUESTION = "question"
    """The question, repeated word for word."""
    FURNITURE = "furniture"
    """Texts of the page around the answer (feedback buttons, notices)."""


class Polarity(StrEnum):
    """What an answer says to somebody who thinks of taking a brand."""

    RECOMMENDED = "recommended"
    CONDITIONAL = "conditional"
    """Recommended for some need or under a condition; counts as recommended."""
    NEUTRAL = "neutral"
    """Named, without advice for or against."""
    WARNED = "warned"
    """Stands in a list of warnings."""
    DISCOURAGED = "discouraged"
    """Advised against in so many words."""


class RankBasis(StrEnum):
    """What a recommendation rank was read from."""

    EXPLICIT_ORDER = "explicit_order"
    """A stated order: A > B > C, 第1名, TOP1, a rank column, 首选 and 次选."""
    ORDERED_LIST = "ordered_list"
    BULLETS = "bullets"
    HEADINGS = "headings"
    TABLE = "table"
    PROSE = "prose"


class Via(StrEnum):
    """How a match names its brand."""

    ALIAS = "alias"
    PRONOUN = "pronoun"


STANDS_FOR = "stands_for"
"""Reason of a match by a pronoun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer as the reader is given it."""

    text: str
    """As the platform gave it; every position counts its code points."""
    question: str | None = None
    scene: str | None = None
    """Intent class of the question (`RECOMMEND`, `COMPARE`, `EVALUATE`, ...); None: judged from the question."""
    finish_reason: str | None = None
    """As the platform spells it."""
    truncated: bool = False
    """The platform says that it stopped at a limit."""
    filtered: bool = False
    """The platform's content filter answered, not the model."""
    citations: tuple[Citation, ...] = ()
    """Sources given by the platform beside the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a text is an answer at all."""

    is_valid: bool
    invalid_reason: InvalidReason | None = None
    """None where valid."""
    truncated: bool = False
    """The text stops in mid-sentence, or the platform says so; a valid answer may be truncated."""
    note: str | None = None
    """The phrase or fact that decided, for people."""
    suspect: bool = False
    """Valid, but it may not belong to its question: a scorer doubts it and no tracked brand is named."""


class Match(NamedTuple):
    """One place where a name of a tracked brand stands, counted or not.

    `raw[match_position : match_position + match_length]` is exactly what was matched. Answers have dozens of them, so
    it is the record that Python makes fastest.
    """

    standard_name: str
    matched_alias: str
    """The alias as the lexicon spells it; for a pronoun, the pronoun."""
    match_position: int
    """First code point in the raw answer."""
    match_length: int
    """Code points."""
    is_valid_match: bool
    reason: str
    """`accepted`, `stands_for` (a pronoun), or the code of the rule that rejected it; `reading.matching.RULES`
    explains each."""
    via: Via = Via.ALIAS
    region: Region = Region.PROSE
    covered_by: str | None = None
    """The longer name, phrase or word that covers a rejected candidate."""

    @property
    def end(self) -> int:
        """Return the position after the last code point."""
        return self.match_position + self.match_length

    @property
    def counts(self) -> bool:
        """Tell whether it is a mention: pronouns stand for a brand and are never counted."""
        return self.is_valid_match and self.via is not Via.PRONOUN


class PronounRef(NamedTuple):
    """A pronoun and the brand it stands for; never added to a count."""

    start: int
    end: int
    text: str
    standard_name: str | None
    """None where it stands for no tracked brand or nobody can tell."""
    region: Region = Region.PROSE

    def stand_in(self, standard_name: str) -> Match:
        """Return it as a match of its brand, which names the brand and adds nothing to a count."""
        return Match(
            standard_name=standard_name,
            matched_alias=self.text,
            match_position=self.start,
            match_length=self.end - self.start,
            is_valid_match=True,
            reason=STANDS_FOR,
            via=Via.PRONOUN,
            region=self.region,
        )


class BrandReading(NamedTuple):
    """What one valid answer says about one brand."""

    standard_name: str
    is_mentioned: bool = False
    mention_count: int = 0
    first_position: int | None = None
    """Position of the first counted mention."""
    mention_order: int | None = None
    """Place among the mentioned brands by first mention, from 1."""
    is_recommended: bool | None = False
    """None where the text leaves it open."""
    polarity: Polarity | None = None
    """None where the brand is not mentioned."""
    recommendation_rank: int | None = None
    """1 is first; None where the answer gives no place."""
    rank_basis: RankBasis | None = None
    place_in_group: int | None = None
    """Place within its own list where an answer has several."""
    is_top_pick: bool | None = False
    """Named as the first choice without a condition."""
    own_site_cited: bool | None = None
    """One of the sources is on a domain of the brand; None where no domain is known."""
    cites_near: bool | None = None
    """A sentence that names the brand has a source; None where the brand is not mentioned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one valid answer says."""

    brands: tuple[BrandReading, ...]
    """Every tracked brand with at least one candidate, mentioned ones first in order of mention."""
    matches: tuple[Match, ...]
    """Every candidate, accepted or rejected, by position."""
    pronouns: tuple[PronounRef, ...] = ()
    has_citation: bool = False
    citations: tuple[Citation, ...] = ()
    """Sources of the platform first, then those found in the text."""

    @property
    def traces(self) -> tuple[Match, ...]:
        """Return every candidate and every pronoun that stands for a tracked brand, by position.

        This is what is stored and explained: one for a brand at a position, so a name that the lexicon spells like a
        pronoun is the candidate only.
        """
        places = {(match.standard_name, match.match_position) for match in self.matches}
        stand_ins = (
            pronoun.stand_in(pronoun.standard_name)
            for pronoun in self.pronouns
            if pronoun.standard_name is not None and (pronoun.standard_name, pronoun.start) not in places
        )
        return tuple(sorted((*self.matches, *stand_ins), key=lambda match: match.match_position))

    def of(self, standard_name: str) -> BrandReading:
        """Return the reading of one brand; zero mentions where the answer never names it."""
        for brand in self.brands:
            if brand.standard_name == standard_name:
                return brand
        return BrandReading(standard_name=standard_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanedAnswer:
    """The verdict and, where it is valid, the reading of one answer."""

    verdict: Verdict
    reading: Reading | None
    """None where the answer is not valid: every metric is unknown then, never 0."""

    @property
    def is_valid(self) -> bool:
        """Return whether the text is an answer."""
        return self.verdict.is_valid

    @property
    def invalid_reason(self) -> InvalidReason | None:
        """Return why the text is none; None where it is."""
        return self.verdict.invalid_reason

    @property
    def truncated(self) -> bool:
        """Return whether the text stops before its end."""
        return self.verdict.truncated

    def of(self, standard_name: str) -> BrandReading | None:
        """Return the reading of one brand; None where the answer is not valid."""
        return None if self.reading is None else self.reading.of(standard_name)
