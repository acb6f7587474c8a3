"""Changes of one brand: what each makes of it, and what is said of a change that is not made as asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from answerwatch.domain.brands import Alias, AliasKind, Brand, MatchMode, Role, Rule, RuleKind
from answerwatch.domain.lexicon_changes import Part
from answerwatch.domain.said import Said
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.workspace.brands.names import checked_domain, checked_name, key
from answerwatch.workspace.brands.views import BrandWarning

T = TypeVar("T")

WIDEST_WINDOW = 1000
"""Characters on either side in which a required phrase can be asked for; beyond it nothing stands nearby."""


class Edited(NamedTuple):
    """A brand after a change, and what is said about it."""

    brand: Brand
    told: tuple[BrandWarning, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandFields:
    """What is asked of a brand itself; None leaves it as it is, or as usual."""

    role: Role | None = None
    domains: tuple[str, ...] | None = None
    is_active: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasFields:
    """What is asked of a name; None leaves it as it is, or as usual."""

    kind: AliasKind | None = None
    match_mode: MatchMode | None = None
    is_active: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFields:
    """What is asked of a rule; None leaves it as it is, or as usual."""

    kind: RuleKind
    alias: str | None = None
    window: int | None = None
    is_active: bool | None = None


def new_brand(name: str, wanted: BrandFields = BrandFields()) -> Brand:
    """Return a brand without names; raises UsageError when its name is empty."""
    name = checked_name("standard name", name)
    return edit_brand(Brand(brand_id=name, standard_name=name), wanted)


def edit_brand(brand: Brand, wanted: BrandFields) -> Brand:
    """Return a brand with other fields; raises UsageError for what is no domain."""
    return replace(
        brand,
        role=_or(wanted.role, brand.role),
        domains=brand.domains if wanted.domains is None else checked_domains(wanted.domains),
        is_active=_or(wanted.is_active, brand.is_active),
    )


def checked_domains(domains: Iterable[str]) -> tuple[str, ...]:
    """Return domains without repetition; raises UsageError for what is none."""
    return tuple(dict.fromkeys(checked_domain(domain) for domain in domains))


def _or(wanted: T | None, otherwise: T) -> T:
    return otherwise if wanted is None else wanted


def put_alias(brand: Brand, name: str, wanted: AliasFields = AliasFields()) -> Edited:
    """Return a brand with a name added, or with other fields of a name that it has in any spelling.

    Raises UsageError when the name is empty.
    """
    text = checked_name("alias", name)
    old = alias_of(brand, text)
    usual = MatchMode.CASED if wanted.kind is AliasKind.TICKER else MatchMode.FOLDED
    base = old or Alias(text=text, match_mode=usual)
    new = replace(
        base,
        kind=_or(wanted.kind, base.kind),
        match_mode=_or(wanted.match_mode, base.match_mode),
        is_active=_or(wanted.is_active, base.is_active),
    )
    told = () if old is None or old.text == text else (_same_name(brand, text, old.text),)
    return Edited(replace(brand, aliases=(*(one for one in brand.aliases if one is not old), new)), told)


def _same_name(brand: Brand, text: str, kept: str) -> BrandWarning:
    message = Said(
        "lexicon_same_name",
        f"{text} is the name {kept} of {brand.standard_name} in another spelling; {kept} is kept",
        alias=text, kept=kept, brand=brand.standard_name,
    )  # fmt: skip
    return BrandWarning(code="alias_same", brand=brand.standard_name, part=Part.ALIAS, alias=text, message=message)


def alias_of(brand: Brand, name: str) -> Alias | None:
    """Return the name of a brand that folds to the same as `name`."""
    wanted = key(name)
    return next((alias for alias in brand.aliases if key(alias.text) == wanted), None)


def the_alias(brand: Brand, name: str) -> Alias:
    """Return the name of a brand that folds to the same as `name`; raises UsageError when it has none."""
    found = alias_of(brand, name)
    if found is None:
        names = ", ".join(alias.text for alias in brand.aliases)
        shown = in_short(name)
        text = f"{brand.standard_name} has no alias {shown}; its names are {names}."
        raise UsageError("alias_unknown", text, brand=brand.standard_name, alias=shown, names=names)
    return found


def drop_alias(brand: Brand, name: str) -> Brand:
    """Return a brand without a name and the rules that are for it alone.

    Raises UsageError for a name that it has not, and for its standard name.
    """
    gone = the_alias(brand, name)
    if key(gone.text) == key(brand.standard_name):
        text = (
            f"{gone.text} is the standard name of {brand.standard_name} and stays among its names; "
            f"take it out of use with `answerwatch brands alias {brand.standard_name} {gone.text} --inactive`."
        )
        raise UsageError("alias_standard", text, brand=brand.standard_name, alias=gone.text)
    return replace(
        brand,
        aliases=tuple(alias for alias in brand.aliases if alias is not gone),
        rules=tuple(rule for rule in brand.rules if rule.alias is None or key(rule.alias) != key(gone.text)),
    )


def put_rule(brand: Brand, phrase: str, wanted: RuleFields) -> Brand:
    """Return a brand with a rule added, or with other fields of a rule that it has in any spelling.

    Raises UsageError for an empty phrase, a window that no rule can have, or an alias that the brand has not.
    """
    text = checked_name("phrase", phrase)
    alias = None if wanted.alias is None else the_alias(brand, wanted.alias).text
    old = rule_of(brand, text, wanted.kind, alias)
    base = old or Rule(kind=wanted.kind, pattern=text, alias=alias)
    new = replace(
        base,
        window=base.window if wanted.window is None else _checked_window(wanted.window, wanted.kind),
        is_active=_or(wanted.is_active, base.is_active),
    )
    if old is not None:
        return replace(brand, rules=tuple(new if rule is old else rule for rule in brand.rules))
    return replace(brand, rules=(*brand.rules, new))


def _checked_window(window: int, kind: RuleKind) -> int:
    if kind is RuleKind.EXCLUDE:
        text = "An exclude rule has no window: it rejects exactly the names that its phrase covers."
        raise UsageError("rule_window_exclude", text)
    if not 1 <= window <= WIDEST_WINDOW:
        text = f"A window has 1 to {WIDEST_WINDOW} characters, not {window}."
        raise UsageError("rule_window", text, window=window, widest=WIDEST_WINDOW)
    return window


def rule_of(brand: Brand, phrase: str, kind: RuleKind, alias: str | None) -> Rule | None:
    """Return the rule of a brand with this phrase, compared as the reader does."""
    wanted = kind, key(phrase), None if alias is None else key(alias)
    return next((rule for rule in brand.rules if rule_key(rule) == wanted), None)


def rule_key(rule: Rule) -> tuple[RuleKind, str, str | None]:
    """Return what tells rules of one brand apart."""
    return rule.kind, key(rule.pattern), None if rule.alias is None else key(rule.alias)


def drop_rule(brand: Brand, phrase: str, kind: RuleKind, alias: str | None = None) -> Brand:
    """Return a brand without a rule; raises UsageError when it has no such rule."""
    gone = rule_of(brand, phrase, kind, alias)
    if gone is None:
        text = f"{brand.standard_name} has no rule {kind} {phrase!r}; `answerwatch brands show` lists its rules."
        raise UsageError("rule_unknown", text, brand=brand.standard_name, kind=str(kind), phrase=phrase)
    return replace(brand, rules=tuple(rule for rule in brand.rules if rule is not gone))
