"""The lexicon as JSON: how one version is written down, compared and read back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from answerwatch.domain.brands import Alias, AliasKind, Brand, LexiconVersion, MatchMode, Role, Rule, RuleKind

Content = list[dict[str, Any]]
"""One object a brand; what `lexicon_version.content` holds."""

NO_BRANDS = LexiconVersion(version=0, content_hash="", brands=())
"""The lexicon of a workspace without any brand: answers are judged, nothing is recognised."""


def content_of(brands: Iterable[Brand]) -> Content:
    """Return the canonical content: brands by id, their names and rules in a fixed order, so that equal is equal."""
    return [_brand(brand) for brand in sorted(brands, key=lambda one: one.brand_id)]


def _brand(brand: Brand) -> dict[str, Any]:
    """Return what is recognised of a brand: names and rules out of use are left out."""
    values = asdict(brand)
    aliases, rules = _in_use(values["aliases"]), _in_use(values["rules"])
    values["aliases"] = sorted(aliases, key=lambda one: str(one["text"]))
    values["rules"] = sorted(rules, key=lambda one: (one["kind"], one["alias"] or "", one["pattern"]))
    values["domains"] = sorted(brand.domains)
    return values


def _in_use(parts: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (part for part in parts if part.pop("is_active"))


def hash_of(content: Content) -> str:
    """Return the SHA-256 of a content; equal content, equal hash."""
    text = json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def read_version(version: int, content_hash: str, content: Sequence[Mapping[str, Any]]) -> LexiconVersion:
    """Return the lexicon that a content describes; KeyError, TypeError or ValueError when it is not one of ours."""
    return LexiconVersion(version=version, content_hash=content_hash, brands=tuple(_read(one) for one in content))


def names_in(content: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the standard names of the brands in a content."""
    return {str(brand["standard_name"]) for brand in content}


def _read(values: Mapping[str, Any]) -> Brand:
    return Brand(
        brand_id=values["brand_id"],
        standard_name=values["standard_name"],
        role=Role(values["role"]),
        aliases=tuple(
            Alias(text=one["text"], kind=AliasKind(one["kind"]), match_mode=MatchMode(one["match_mode"]))
            for one in values["aliases"]
        ),
        rules=tuple(
            Rule(kind=RuleKind(one["kind"]), pattern=one["pattern"], alias=one["alias"], window=one["window"])
            for one in values["rules"]
        ),
        domains=tuple(values["domains"]),
        is_active=values["is_active"],
    )
