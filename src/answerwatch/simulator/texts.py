"""The kinds of text an answer is composed from; the sentences themselves are in texts_zh and texts_en."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """A market with invented brands, most likely named first, and the words by which a question belongs to it."""

    cues: tuple[str, ...]
    brands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A page an answer can cite."""

    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrasebook:
    """Everything an answer in one language is made of; `{brand}` stands for a name."""

    openings: tuple[str, ...]
    reasons: tuple[str, ...]
    details: tuple[str, ...]
    closings: tuple[str, ...]
    # Said of the last brand when the answer warns of it.
    cautions: tuple[str, ...]
    # Whole answers that name nobody.
    nameless: tuple[str, ...]
    refusals: tuple[str, ...]
    thinking: tuple[str, ...]
    first_choice: str
    second_choice: str
    also: str
    joiner: str
    colon: str
    is_known_for: str
    # Between two sentences of a paragraph.
    word_gap: str
    sentence_end: str
    table_head: tuple[str, str, str]
    sources: tuple[Source, ...]
    topics: Mapping[str, Topic]
