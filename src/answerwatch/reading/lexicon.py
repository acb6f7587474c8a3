"""The lexicon as the reader uses it: one automaton over all names and exclude phrases of all tracked brands."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import ahocorasick_rs

from answerwatch.domain.brands import Alias, Brand, LexiconVersion, MatchMode, Rule, RuleKind
from answerwatch.errors import UsageError
from answerwatch.reading.fold import is_chinese, key, squeeze
from answerwatch.reading.senses import COMMON_ENGLISH, SENSES, Sense

_FEW_PATTERNS = 1000
"""Up to here the fast automaton stays below some ten megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """One alias of one brand, ready for matching."""

    brand: str
    alias: str
    """As the lexicon spells it."""
    key: str
    """Folded and squeezed; what the automaton looks for."""
    cased: bool
    """Capitals must be as the lexicon has them."""
    common_word: bool
    """An English word too: without a capital it is only the word."""
    ambiguous: bool
    """Counts only where a word of its field stands nearby."""
    short: bool
    """Two Chinese characters or fewer: may lie across the words of a sentence."""
    requires: tuple[tuple[str, int], ...] = ()
    """Phrases (as keys) of which one must stand within so many characters on either side, outside the name itself."""
    sense: Sense | None = None
    """Other senses of the word."""
    gaps: frozenset[int] = frozenset()
    """Positions in the key where the alias itself has a blank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocker:
    """A phrase that is not the brand."""

    brand: str
    phrase: str
    key: str
    alias_key: str | None
    """Key of the one alias it speaks of; None for all names of the brand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """A phrase that some name needs nearby."""

    key: str


Entry: TypeAlias = Name | Blocker | Needed


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """All tracked brands, compiled; immutable, so one may serve many threads."""

    version: int
    content_hash: str
    brands: tuple[str, ...]
    """Standard names in the order of the lexicon."""
    domains: Mapping[str, tuple[str, ...]]
    """Domains that belong to each brand, lower case."""
    entries: tuple[tuple[Entry, ...], ...] = field(repr=False)
    """What each pattern of the automaton stands for."""
    automaton: ahocorasick_rs.AhoCorasick | None = field(repr=False, compare=False)
    """None for an empty lexicon."""

    @classmethod
    def compile(cls, version: LexiconVersion) -> Lexicon:
        """Compile one version of the lexicon; brands, names and rules out of use are left out.

        Raises UsageError where a name or phrase is empty after folding: it would match everywhere.
        """
        brands = [brand for brand in version.brands if brand.is_active]
        patterns: dict[str, list[Entry]] = {}
        for brand in brands:
            for entry in _entries(brand):
                group = patterns.setdefault(entry.key, [])
                if entry not in group:  # names share the phrases that they need
                    group.append(entry)
        return cls(
            version=version.version,
            content_hash=version.content_hash,
            brands=tuple(brand.standard_name for brand in brands),
            domains={b.standard_name: tuple(d.casefold().strip().rstrip(".") for d in b.domains) for b in brands},
            entries=tuple(tuple(group) for group in patterns.values()),
            automaton=automaton_of(list(patterns)) if patterns else None,
        )

    @classmethod
    def of(
        cls,
        names: Mapping[str, Iterable[str]],
        *,
        exclude: Mapping[str, Iterable[str]] | None = None,
        domains: Mapping[str, Iterable[str]] | None = None,
    ) -> Lexicon:
        """Compile a lexicon from plain names.

        For example `Lexicon.of({"华为": ["华为", "HUAWEI"]}, exclude={"华为": ["华为云"]})`.
        Raises UsageError where `exclude` or `domains` names a brand without names, or a name is empty after folding.
        """
        exclude, domains = exclude or {}, domains or {}
        _check_known(names, exclude, domains)
        brands = tuple(
            Brand(
                brand_id=name,
                standard_name=name,
                aliases=tuple(Alias(text=text) for text in aliases),
                rules=tuple(Rule(kind=RuleKind.EXCLUDE, pattern=phrase) for phrase in exclude.get(name, ())),
                domains=tuple(domains.get(name, ())),
            )
            for name, aliases in names.items()
        )
        return cls.compile(LexiconVersion(version=0, content_hash=_hash(brands), brands=brands))


def automaton_of(patterns: list[str]) -> ahocorasick_rs.AhoCorasick:
    """Return the automaton over the patterns; while they are few, of the kind that is fast and takes more memory."""
    fast = ahocorasick_rs.Implementation.DFA if len(patterns) <= _FEW_PATTERNS else None
    return ahocorasick_rs.AhoCorasick(patterns, implementation=fast, store_patterns=False)


def _check_known(names: Mapping[str, object], *others: Mapping[str, object]) -> None:
    unknown = sorted({name for other in others for name in other} - set(names))
    if unknown:
        raise UsageError(
            "lexicon_unknown_brand",
            f"No brand of the lexicon is called {', '.join(unknown)}; give it names first.",
            brands=unknown,
        )


def _hash(brands: tuple[Brand, ...]) -> str:
    content = [
        [b.standard_name, [a.text for a in b.aliases], [r.pattern for r in b.rules], list(b.domains)] for b in brands
    ]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _entries(brand: Brand) -> Iterator[Entry]:
    seen: set[str] = set()
    for alias in brand.aliases or (Alias(text=brand.standard_name),):
        name = _name(brand, alias)
        if alias.is_active and name.key not in seen:
            seen.add(name.key)
            yield name
            yield from (Needed(key=phrase) for phrase, _ in name.requires)
    for rule in brand.rules:
        if rule.kind is RuleKind.EXCLUDE and rule.is_active:
            yield Blocker(
                brand=brand.standard_name,
                phrase=rule.pattern,
                key=_key(brand, rule.pattern),
                alias_key=None if rule.alias is None else _key(brand, rule.alias),
            )


def _name(brand: Brand, alias: Alias) -> Name:
    text = _key(brand, alias.text)
    return Name(
        brand=brand.standard_name,
        alias=alias.text,
        key=text,
        cased=alias.match_mode is MatchMode.CASED,
        ambiguous=alias.match_mode is MatchMode.AMBIGUOUS,
        common_word=text in COMMON_ENGLISH,
        short=len(text) <= 2 and is_chinese(text),
        requires=tuple(
            (_key(brand, rule.pattern), rule.window if rule.window is not None else DEFAULT_WINDOW)
            for rule in brand.rules
            if rule.kind is RuleKind.REQUIRE and rule.is_active and (rule.alias is None or key(rule.alias) == text)
        ),
        sense=SENSES.get(text),
        gaps=squeeze(alias.text).gaps(),
    )


DEFAULT_WINDOW = 30
"""Characters on either side in which a REQUIRE phrase counts where its rule names no window."""


def _key(brand: Brand, text: str) -> str:
    folded = key(text)
    if not folded:
        raise UsageError(
            "lexicon_empty_name",
            f"Brand {brand.standard_name} has a name or phrase without any letter ({text!r}); remove it.",
            brand=brand.standard_name,
        )
    return folded
