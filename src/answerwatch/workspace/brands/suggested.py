"""What is shown of names that may be a brand's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NameExample:
    """A place where a name stands: code points of a sample's raw answer."""

    sub_task_id: str
    position: int
    length: int
    excerpt: str
    """The name with some characters of the answer on either side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedName:
    """A name in stored answers that no brand of the lexicon covers."""

    name: str
    """As the first answer spells it."""
    answers: int
    """Valid answers in which it stands as a name."""
    platforms: Mapping[str, int]
    """Answers by platform."""
    weight: int
    """Sum over the answers of how brand-like each makes it, 1 to 4; names are ranked by it."""
    also: tuple[str, ...]
    """Longer names that begin with it and would be covered with it, up to five."""
    examples: tuple[NameExample, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested:
    """What came of a search for names."""

    looked: int
    """Answers in which names were looked for just now."""
    left: int
    """Samples in which they were not: not cleaned, no valid answers, or left by a search that was cut short."""
    names: tuple[SuggestedName, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoredName:
    """A name that is suggested no more."""

    name: str
    ignored_at: datetime
    ignored_by: str
    note: str
