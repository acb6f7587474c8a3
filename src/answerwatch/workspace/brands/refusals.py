"""Decisions about names and rules: what is refused, what only when it is forced, and what is told.

They are about states of the whole lexicon, so that adding, editing and importing are judged alike. Only what a change
brings is judged: a lexicon that holds something odd already can be edited elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from answerwatch.domain.brands import Alias, Brand, MatchMode, Rule, RuleKind
from answerwatch.domain.lexicon_changes import Part
from answerwatch.domain.said import Said
from answerwatch.errors import UsageError
from answerwatch.workspace.brands.names import key

_REGULAR = re.compile(r"\\[sSdDwWbB.*+?]|[.\])][*+?{]|\(\?|\||^\^|\$$")
"""Signs by which a phrase was probably meant as a regular expression."""

GENERIC = frozenset({
    "手机", "电脑", "汽车", "家电", "产品", "品牌", "公司", "企业", "集团", "国产", "进口", "中国", "推荐", "建议",
    "选择", "性价比", "价格", "质量", "服务", "售后", "用户", "消费者", "市场", "官网", "系列", "型号", "新款", "旗舰",
    "以及", "或者", "我们", "你们", "他们", "可以", "非常", "比较", "最好", "第一", "问题", "回答", "答案",
    "the", "and", "for", "with", "best", "good", "top", "brand", "brands", "company", "product", "products", "phone",
    "phones", "car", "cars", "price", "quality", "service", "recommend", "recommended", "you", "your", "all", "new",
})  # fmt: skip
"""Words that stand in nearly every answer and name nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A reason not to make a change, and the part of the lexicon that it is about."""

    error: UsageError
    brand: str
    part: Part
    text: str
    can_be_forced: bool = False


def refusals(before: Sequence[Brand], after: Sequence[Brand], *, force: bool = False) -> list[Refusal]:
    """Return why the lexicon may not become `after`; with `force`, what is only risky is left out."""
    old = {brand.brand_id: brand for brand in before}
    changed = [brand for brand in after if brand != old.get(brand.brand_id)]
    found = _taken(after, {brand.brand_id for brand in changed})
    for brand in changed:
        known = _faults(old[brand.brand_id]) if brand.brand_id in old else {}
        found += [refusal for place, refusal in _faults(brand).items() if place not in known]
    return [refusal for refusal in found if not (force and refusal.can_be_forced)]


def names_in_use(brand: Brand) -> list[Alias]:
    """Return the names by which a brand is looked for."""
    return [alias for alias in brand.aliases if alias.is_active] if brand.is_active else []


def rules_in_use(brand: Brand) -> list[Rule]:
    """Return the rules of a brand that have an effect."""
    return [rule for rule in brand.rules if rule.is_active] if brand.is_active else []


def _taken(after: Sequence[Brand], changed: set[str]) -> list[Refusal]:
    """Return names that two brands in use claim: a match could not be given to one of them.

    What was there claims first, and a standard name before other names.
    """
    claims = [
        (brand.brand_id in changed, key(alias.text) != key(brand.standard_name), key(alias.text), brand, alias)
        for brand in after
        for alias in names_in_use(brand)
    ]
    owners: dict[str, Brand] = {}
    found: list[Refusal] = []
    for _, _, name, brand, alias in sorted(claims, key=lambda claim: claim[:2]):
        owner = owners.setdefault(name, brand)
        if owner is not brand:
            found.append(_taken_by(owner, brand, alias.text))
    return found


def _taken_by(owner: Brand, brand: Brand, name: str) -> Refusal:
    text = (
        f"The name {name} belongs to {owner.standard_name} already and cannot be one of {brand.standard_name}; "
        "take it away there, or use a longer name."
    )
    error = UsageError("alias_taken", text, alias=name, owner=owner.standard_name, brand=brand.standard_name)
    return Refusal(error=error, brand=brand.standard_name, part=Part.ALIAS, text=name)


_Place = tuple[str, Part, str]


def _faults(brand: Brand) -> Mapping[_Place, Refusal]:
    """Return what is wrong or risky within one brand, by what and where."""
    aliases, rules = names_in_use(brand), rules_in_use(brand)
    faults = [*_nameless(brand, aliases), *_excluded(brand, aliases, rules), *_risky(brand, aliases, rules)]
    faults += _regular(brand, rules)
    return {(fault.error.code, fault.part, fault.text): fault for fault in faults}


def _nameless(brand: Brand, aliases: Sequence[Alias]) -> Iterator[Refusal]:
    if brand.is_active and not aliases:
        name = brand.standard_name
        text = (
            f"{name} would have no name in use and would never be found; "
            f"keep one, or take the whole brand out of use with `answerwatch brands edit {name} --inactive`."
        )
        yield Refusal(error=UsageError("brand_nameless", text, brand=name), brand=name, part=Part.BRAND, text="")


def _excluded(brand: Brand, aliases: Sequence[Alias], rules: Sequence[Rule]) -> Iterator[Refusal]:
    """Yield the names that the brand itself excludes."""
    phrases = {(key(rule.pattern), rule.alias and key(rule.alias)) for rule in rules if rule.kind is RuleKind.EXCLUDE}
    for alias in aliases:
        mine = key(alias.text)
        if {(mine, None), (mine, mine)} & phrases:
            text = (
                f"{alias.text} is a name of {brand.standard_name} and one of its exclude phrases: it would never be "
                "found; take one of the two away."
            )
            error = UsageError("alias_excluded", text, alias=alias.text, brand=brand.standard_name)
            yield Refusal(error=error, brand=brand.standard_name, part=Part.ALIAS, text=alias.text)


def risk_of(name: str) -> tuple[str, Said] | None:
    """Return why a name will be found where nobody is meant, as a stable word and a text; None for an ordinary one."""
    folded = key(name)
    if len(folded) == 1:
        text = Said("lexicon_one_character", "it is one character long and stands inside many other words")
        return "alias_one_character", text
    if folded.isdecimal():
        return "alias_digits", Said("lexicon_digits", "it has digits only and stands in many prices and counts")
    if folded in GENERIC:
        return "alias_generic", Said("lexicon_generic", "it is a word of every other answer")
    return None


def is_covered(alias: Alias, rules: Iterable[Rule]) -> bool:
    """Return whether a name counts only with other words nearby."""
    return alias.match_mode is MatchMode.AMBIGUOUS or any(
        rule.kind is RuleKind.REQUIRE and (rule.alias is None or key(rule.alias) == key(alias.text)) for rule in rules
    )


def _risky(brand: Brand, aliases: Sequence[Alias], rules: Sequence[Rule]) -> Iterator[Refusal]:
    """Yield the names that will be found where nobody is meant."""
    for alias in aliases:
        risk = risk_of(alias.text)
        if risk is not None and not is_covered(alias, rules):
            text = (
                f"{alias.text} is a risky name for {brand.standard_name}: {risk[1]}. Use a longer name, add a require "
                "rule or the match mode ambiguous, or say that it is meant so (--force)."
            )
            error = UsageError("alias_risky", text, alias=alias.text, brand=brand.standard_name, why=risk[1])
            yield Refusal(error=error, brand=brand.standard_name, part=Part.ALIAS, text=alias.text, can_be_forced=True)


def _regular(brand: Brand, rules: Sequence[Rule]) -> Iterator[Refusal]:
    """Yield the phrases that look like regular expressions: they would be looked for letter by letter."""
    for rule in rules:
        sign = _REGULAR.search(rule.pattern)
        if sign is not None:
            text = (
                f"The {rule.kind} rule {rule.pattern!r} of {brand.standard_name} looks like a regular expression, from "
                f"character {sign.start() + 1} ({sign[0]}). Phrases are looked for letter by letter: write what stands "
                "in answers, or say that it is meant so (--force)."
            )
            error = UsageError(
                "rule_regular", text, kind=str(rule.kind), phrase=rule.pattern, brand=brand.standard_name,
                position=sign.start() + 1, sign=sign[0],
            )  # fmt: skip
            part = Part(rule.kind)
            yield Refusal(error=error, brand=brand.standard_name, part=part, text=rule.pattern, can_be_forced=True)
