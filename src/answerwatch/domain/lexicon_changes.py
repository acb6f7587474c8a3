"""What differs between two states of the lexicon: of two versions, or before and after a change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TypeAlias

from answerwatch.domain.brands import Alias, Brand, Rule, RuleKind


class ChangeKind(StrEnum):
    """What became of a part of the lexicon."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    ACTIVATED = "activated"
    """In use again."""
    DEACTIVATED = "deactivated"
    """Kept, but out of use."""


class Part(StrEnum):
    """What sort of entry of the lexicon it is."""

    BRAND = "brand"
    ALIAS = "alias"
    EXCLUDE = RuleKind.EXCLUDE.value
    REQUIRE = RuleKind.REQUIRE.value


@dataclass(frozen=True, slots=True, kw_only=True)
class PartChange:
    """One field of a part before and after; None where the part was not there."""

    name: str
    before: object
    after: object


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconChange:
    """What became of one part."""

    kind: ChangeKind
    part: Part
    brand: str
    """Standard name."""
    text: str
    """The alias or phrase; '' for the brand itself."""
    alias: str | None = None
    """The one alias that a rule is for; None for every alias, and for what is no rule."""
    fields: tuple[PartChange, ...] = ()
    """What differs; of a part that was added, what is not as usual."""


_Piece: TypeAlias = Brand | Alias | Rule
_Key: TypeAlias = tuple[Part, str, str | None]
TOLD_APART_BY = frozenset({"brand_id", "standard_name", "aliases", "rules", "text", "pattern", "alias"})
"""Fields that say which part it is, or are parts themselves."""


def changes_between(before: Iterable[Brand], after: Iterable[Brand]) -> tuple[LexiconChange, ...]:
    """Return what differs, brand by brand in the order of their ids, the brand first, then names and rules."""
    old, new = ({brand.brand_id: brand for brand in brands} for brands in (before, after))
    return tuple(
        change
        for brand_id in sorted(old.keys() | new.keys())
        for change in _of_brand(old.get(brand_id), new.get(brand_id))
    )


def _of_brand(before: Brand | None, after: Brand | None) -> Iterator[LexiconChange]:
    old, new = _pieces(before), _pieces(after)
    name = next(brand.standard_name for brand in (after, before) if brand is not None)
    for key in [*new, *(key for key in old if key not in new)]:
        if old.get(key) != new.get(key) and (change := _of_piece(name, key, old.get(key), new.get(key))) is not None:
            yield change


def _pieces(brand: Brand | None) -> dict[_Key, _Piece]:
    """Return a brand and its names and rules by what tells them apart, in a fixed order."""
    if brand is None:
        return {}
    found: dict[_Key, _Piece] = {(Part.BRAND, "", None): brand}
    found |= {(Part.ALIAS, alias.text, None): alias for alias in sorted(brand.aliases, key=lambda one: one.text)}
    rules = sorted(brand.rules, key=lambda one: (one.kind, one.pattern, one.alias or ""))
    return found | {(Part(rule.kind), rule.pattern, rule.alias): rule for rule in rules}


def _of_piece(brand: str, key: _Key, before: _Piece | None, after: _Piece | None) -> LexiconChange | None:
    """Return the change of one part; None where only parts inside it differ."""
    part, text, alias = key
    old, new = _values(before), _values(after)
    if before is None:
        kind, old = ChangeKind.ADDED, _usual(part)
    elif after is None:
        kind, new = ChangeKind.REMOVED, old
    elif old == new:
        return None
    else:
        kind = _kind(old, new)
    differing = tuple(
        PartChange(name=name, before=None if before is None else old[name], after=new[name])
        for name in new
        if old.get(name) != new[name]
    )
    return LexiconChange(kind=kind, part=part, brand=brand, text=text, alias=alias, fields=differing)


def _kind(old: Mapping[str, object], new: Mapping[str, object]) -> ChangeKind:
    if old["is_active"] == new["is_active"]:
        return ChangeKind.CHANGED
    return ChangeKind.ACTIVATED if new["is_active"] else ChangeKind.DEACTIVATED


def _values(piece: _Piece | None) -> dict[str, object]:
    """Return the fields in which a part can differ from what it was; the kind of a rule tells it apart from others."""
    if piece is None:
        return {}
    left_out = TOLD_APART_BY | {"kind"} if isinstance(piece, Rule) else TOLD_APART_BY
    return {field.name: getattr(piece, field.name) for field in fields(piece) if field.name not in left_out}


def _usual(part: Part) -> dict[str, object]:
    """Return the values that nobody needs to be told of a new part."""
    if part is Part.BRAND:
        return {"is_active": True, "domains": ()}
    if part is Part.ALIAS:
        return _values(Alias(text=""))
    return _values(Rule(kind=RuleKind(part), pattern=""))
