"""What is told about names and rules that a change brings: allowed, but worth knowing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from answerwatch.domain.brands import Alias, Brand, Rule, RuleKind
from answerwatch.domain.lexicon_changes import Part
from answerwatch.domain.said import Said
from answerwatch.workspace.brands.names import key
from answerwatch.workspace.brands.refusals import names_in_use, risk_of, rules_in_use
from answerwatch.workspace.brands.views import BrandWarning


class _Named(NamedTuple):
    """A name in use, with its brand."""

    brand: Brand
    alias: Alias


def warnings(before: Sequence[Brand], after: Sequence[Brand]) -> tuple[BrandWarning, ...]:
    """Return what is worth knowing about the names and rules that came into use."""
    old = {brand.brand_id: brand for brand in before}
    names: list[_Named] = []
    rules: list[tuple[Brand, Rule]] = []
    for brand in after:
        known = old.get(brand.brand_id)
        had = set() if known is None else {alias.text for alias in names_in_use(known)}
        names += [_Named(brand, alias) for alias in names_in_use(brand) if alias.text not in had]
        obeyed = [] if known is None else rules_in_use(known)
        rules += [(brand, rule) for rule in rules_in_use(brand) if rule not in obeyed]
    found = [
        *_words(names),
        *_inside(names, after),
        *_excluded_elsewhere(names, after),
        *_names_out_of_use(names, after),
    ]
    return (*found, *_pointless(rules), *_shared_domains(old, after))


def _warning(code: str, brand: Brand, part: Part, text: str, message: Said) -> BrandWarning:
    return BrandWarning(code=code, brand=brand.standard_name, part=part, alias=text, message=message)


def _words(names: Iterable[_Named]) -> Iterator[BrandWarning]:
    """Yield names that are words too: risky ones that were taken all the same, and those that the reader knows."""
    from answerwatch.reading.senses import COMMON_ENGLISH, SENSES  # noqa: PLC0415 - the reader is slow to load

    for brand, alias in names:
        name, owner, folded = alias.text, brand.standard_name, key(alias.text)
        if (risk := risk_of(name)) is not None:
            text = f"{name} will be found where nobody means {owner}: {risk[1]}"
            message = Said("lexicon_risky", text, alias=name, brand=owner, why=risk[1])
            yield _warning(risk[0], brand, Part.ALIAS, name, message)
        elif folded in COMMON_ENGLISH:
            message = Said(
                "lexicon_english_word", f"{name} is an English word too: it counts only with a capital", alias=name
            )
            yield _warning("alias_word", brand, Part.ALIAS, name, message)
        elif folded in SENSES:
            text = f"{name} is a word too: the words around decide whether it means {owner}"
            yield _warning("alias_word", brand, Part.ALIAS, name, Said("lexicon_word", text, alias=name, brand=owner))


def _inside(names: Sequence[_Named], after: Sequence[Brand]) -> Iterator[BrandWarning]:
    """Yield names that lie in a name of another brand, or hold one: the longer one wins where both stand."""
    every = [_Named(brand, alias) for brand in after for alias in names_in_use(brand)]
    if not names:
        return
    import ahocorasick_rs  # noqa: PLC0415 - as in `_words`

    new = {(named.brand.brand_id, named.alias.text) for named in names}
    finder = ahocorasick_rs.AhoCorasick([key(named.alias.text) for named in every])
    for outer in every:
        for number, low, high in finder.find_matches_as_indexes(key(outer.alias.text), overlapping=True):
            inner = every[number]
            is_new = {(one.brand.brand_id, one.alias.text) for one in (inner, outer)} & new
            if inner.brand is not outer.brand and is_new and _would_match(outer.alias.text, low, high):
                yield _inside_of(inner, outer)


def _would_match(text: str, low: int, high: int) -> bool:
    """Return whether a part of a name, by squeezed positions, has edges at which a name can end."""
    from answerwatch.reading.fold import squeeze  # noqa: PLC0415 - as in `_words`
    from answerwatch.reading.words import latin_word  # noqa: PLC0415 - as in `_words`

    return latin_word(text, *squeeze(text).raw_span(low, high)) is None


def _inside_of(inner: _Named, outer: _Named) -> BrandWarning:
    alias, brand = inner.alias.text, inner.brand.standard_name
    longer, owner = outer.alias.text, outer.brand.standard_name
    text = f"{alias} ({brand}) lies in {longer} ({owner}): where the longer name stands, only {owner} counts"
    message = Said("lexicon_inside", text, alias=alias, brand=brand, longer=longer, owner=owner)
    return _warning("alias_inside", inner.brand, Part.ALIAS, alias, message)


def _excluded_elsewhere(names: Sequence[_Named], after: Sequence[Brand]) -> Iterator[BrandWarning]:
    """Yield names that are an exclude phrase of another brand: only that brand is kept from them."""
    owners: defaultdict[str, list[Brand]] = defaultdict(list)
    for brand in after:
        for rule in rules_in_use(brand):
            if rule.kind is RuleKind.EXCLUDE:
                owners[key(rule.pattern)].append(brand)
    for brand, alias in names:
        for other in owners.get(key(alias.text), ()):
            if other is not brand:
                name, mine, owner = alias.text, brand.standard_name, other.standard_name
                text = f"{name} is an exclude phrase of {owner}; it counts for {mine}"
                message = Said("lexicon_excluded_elsewhere", text, alias=name, brand=mine, owner=owner)
                yield _warning("alias_excluded_elsewhere", brand, Part.ALIAS, name, message)


def _names_out_of_use(names: Sequence[_Named], after: Sequence[Brand]) -> Iterator[BrandWarning]:
    """Yield names that a brand out of use has too: it claims nothing, and cannot come back as it is."""
    idle = {
        key(alias.text): brand.standard_name
        for brand in after if not brand.is_active
        for alias in brand.aliases if alias.is_active
    }  # fmt: skip
    for brand, alias in names:
        owner = idle.get(key(alias.text))
        if owner is not None:
            text = f"{alias.text} is a name of {owner} too, which is out of use and cannot come back with it"
            message = Said("lexicon_out_of_use", text, alias=alias.text, owner=owner)
            yield _warning("alias_out_of_use", brand, Part.ALIAS, alias.text, message)


def _pointless(rules: Iterable[tuple[Brand, Rule]]) -> Iterator[BrandWarning]:
    """Yield rules that change nothing: an exclude phrase that holds no name, a required one that a name holds."""
    for brand, rule in rules:
        mine = [
            key(alias.text) for alias in names_in_use(brand) if rule.alias is None or key(rule.alias) == key(alias.text)
        ]
        phrase, owner, folded = rule.pattern, brand.standard_name, key(rule.pattern)
        if rule.kind is RuleKind.EXCLUDE and not any(name in folded for name in mine):
            text = f"{phrase} holds no name of {owner}: the rule changes nothing"
            message = Said("lexicon_rule_idle", text, phrase=phrase, brand=owner)
            yield _warning("rule_idle", brand, Part.EXCLUDE, phrase, message)
        if rule.kind is RuleKind.REQUIRE and any(folded in name for name in mine):
            text = f"{phrase} lies in a name of {owner} and does not count as standing near it"
            message = Said("lexicon_rule_within", text, phrase=phrase, brand=owner)
            yield _warning("rule_within", brand, Part.REQUIRE, phrase, message)


def _shared_domains(old: Mapping[str, Brand], after: Sequence[Brand]) -> Iterator[BrandWarning]:
    """Yield domains that came into use and are another brand's too: a source there is the own site of both."""
    owners: defaultdict[str, list[Brand]] = defaultdict(list)
    for brand in after:
        for domain in brand.domains if brand.is_active else ():
            owners[domain].append(brand)
    for domain, sharing in owners.items():
        for brand in sharing if len(sharing) > 1 else ():
            known = old.get(brand.brand_id)
            if known is None or not known.is_active or domain not in known.domains:
                other = next(one.standard_name for one in sharing if one is not brand)
                text = f"{domain} is a domain of {other} too: a source there counts as the own site of both"
                message = Said("lexicon_domain_shared", text, domain=domain, owner=other)
                yield _warning("domain_shared", brand, Part.BRAND, domain, message)
