"""Brands, their names and the phrases that are not them: the lexicon as it is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """Whose brand it is."""

    OWN = "own"
    """The team's own brand."""
    COMPETITOR = "competitor"
    """A rival that is tracked too."""


class AliasKind(StrEnum):
    """What sort of name an alias is."""

    NAME = "name"
    SHORT = "short"
    NICKNAME = "nickname"
    ENGLISH = "english"
    PINYIN = "pinyin"
    TICKER = "ticker"
    PRODUCT = "product"
    """A product or series whose mention counts for the brand."""


class MatchMode(StrEnum):
    """How an alias is compared with a text."""

    FOLDED = "folded"
    """After folding case, width and script (the usual way)."""
    CASED = "cased"
    """Case must be the same: names that are words (GAP, Target)."""
    AMBIGUOUS = "ambiguous"
    """Needs a context word nearby (苹果, 小米)."""


class RuleKind(StrEnum):
    """What a disambiguation rule does."""

    EXCLUDE = "exclude"
    """A phrase that is not the brand; it kills exactly the matches it covers."""
    REQUIRE = "require"
    """A phrase that must stand within the window for the alias to count; of several, one is enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """One name of a brand."""

    text: str
    kind: AliasKind = AliasKind.NAME
    match_mode: MatchMode = MatchMode.FOLDED
    is_active: bool = True
    """False: kept, but not looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One disambiguation rule; `alias` None means all names of the brand."""

    kind: RuleKind
    pattern: str
    alias: str | None = None
    window: int | None = None
    """Characters on either side in which a REQUIRE pattern counts."""
    is_active: bool = True
    """False: kept, but without effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brand:
    """A tracked brand; its standard name is one of its aliases, in use or not."""

    brand_id: str
    standard_name: str
    role: Role = Role.COMPETITOR
    aliases: tuple[Alias, ...] = ()
    rules: tuple[Rule, ...] = ()
    domains: tuple[str, ...] = ()
    is_active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconVersion:
    """All active brands as they were at one version; every change makes a new one."""

    version: int
    content_hash: str
    """SHA-256 over the canonical content; equal content, equal hash."""
    brands: tuple[Brand, ...] = field(repr=False)
