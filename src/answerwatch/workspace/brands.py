"""Brands and the lexicon: every change makes a new version, which running workers use for the next sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from answerwatch.domain.brands import AliasKind, Brand, LexiconVersion, MatchMode, Role
from answerwatch.reading import Lexicon, Match
from answerwatch.store.database import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandWarning:
    """Something about a name that will probably surprise."""

    code: str
    """`alias_one_character`, `alias_known`."""
    alias: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandChange:
    """A brand after a change."""

    brand: Brand
    lexicon_version: int
    changed: bool
    """False: everything was there already, and the lexicon version is the old one."""
    warnings: tuple[BrandWarning, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconView:
    """One version of the lexicon."""

    version: int
    """0: no brand was ever added."""
    content_hash: str
    brands: int
    created_at: datetime | None
    changed_by: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconTest:
    """What the lexicon finds in a text, with reasons."""

    lexicon_version: int
    is_valid: bool
    invalid_reason: str | None
    mentioned: tuple[str, ...]
    """Brands in order of mention."""
    matches: tuple[Match, ...]
    """Every candidate, accepted or rejected; empty where the text is no valid answer."""


class Brands:
    """Verbs on brands."""

    def __init__(self, store: Store, actor: str) -> None:
        """Work on `store`; `actor` is named in the lexicon's versions."""
        self._store = store
        self._actor = actor

    def add(
        self,
        name: str,
        *,
        aliases: Sequence[str] = (),
        role: Role = Role.COMPETITOR,
        exclude: Sequence[str] = (),
        domains: Sequence[str] = (),
        name_is_alias: bool = True,
    ) -> BrandChange:
        """Track a brand; its standard name is one of its aliases unless `name_is_alias` is False.

        Raises UsageError when the brand is there with other content, a name is empty, or another brand has a name.
        """
        raise NotImplementedError

    def add_alias(
        self,
        name: str,
        alias: str,
        *,
        kind: AliasKind = AliasKind.NAME,
        match_mode: MatchMode = MatchMode.FOLDED,
    ) -> BrandChange:
        """Give a brand one more name; raises UsageError when it is empty or belongs to another brand."""
        raise NotImplementedError

    def exclude(self, name: str, phrase: str, *, alias: str | None = None) -> BrandChange:
        """Add a phrase that is not the brand (`华为云`); it kills exactly the matches that it covers."""
        raise NotImplementedError

    def list(self, *, active: bool | None = None) -> tuple[Brand, ...]:
        """Return all brands by name."""
        raise NotImplementedError

    def show(self, name: str) -> Brand:
        """Return one brand by its standard name or any of its aliases; raises UsageError when it is unknown."""
        raise NotImplementedError

    def test(self, text: str, *, question: str | None = None, scene: str | None = None) -> LexiconTest:
        """Return what the lexicon finds in a text, with the rule behind every rejection."""
        raise NotImplementedError

    def versions(self, *, limit: int = 50) -> tuple[LexiconView, ...]:
        """Return the newest versions of the lexicon first."""
        raise NotImplementedError

    def newest(self) -> LexiconVersion:
        """Return the newest version of the lexicon with its brands; version 0 where none was ever added."""
        raise NotImplementedError

    def lexicon(self) -> Lexicon:
        """Return the newest version of the lexicon, compiled."""
        raise NotImplementedError
