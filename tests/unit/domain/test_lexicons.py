"""The lexicon as JSON."""

import json
from dataclasses import replace

import pytest

from answerwatch.domain.brands import Alias, AliasKind, Brand, MatchMode, Role, Rule, RuleKind
from answerwatch.domain.lexicons import NO_BRANDS, content_of, hash_of, names_in, read_version

BRAND = Brand(
    brand_id="b1",
    standard_name="砚山",
    role=Role.OWN,
    aliases=(Alias(text="砚山咖啡"), Alias(text="Yanshan", kind=AliasKind.ENGLISH, match_mode=MatchMode.CASED)),
    rules=(Rule(kind=RuleKind.EXCLUDE, pattern="砚山县"), Rule(kind=RuleKind.REQUIRE, pattern="咖啡", window=20)),
    domains=("yanshan.example",),
)


def test_what_is_written_down_is_read_back() -> None:
    content = json.loads(json.dumps(content_of([BRAND])))
    found = read_version(3, hash_of(content), content)
    assert (found.version, found.content_hash) == (3, hash_of(content))
    (brand,) = found.brands
    assert set(brand.aliases) == set(BRAND.aliases)
    assert set(brand.rules) == set(BRAND.rules)
    assert replace(brand, aliases=(), rules=()) == replace(BRAND, aliases=(), rules=())


def test_the_hash_depends_on_content_not_on_order() -> None:
    other = replace(BRAND, brand_id="b2", standard_name="霁白")
    turned = replace(BRAND, aliases=BRAND.aliases[::-1], rules=BRAND.rules[::-1])
    assert hash_of(content_of([BRAND, other])) == hash_of(content_of([other, turned]))
    assert hash_of(content_of([BRAND])) != hash_of(content_of([replace(BRAND, is_active=False)]))


def test_a_content_of_another_shape_is_refused() -> None:
    with pytest.raises(KeyError):
        read_version(1, "", [{"name": "砚山"}])


def test_a_content_names_its_brands() -> None:
    assert names_in(content_of([BRAND, replace(BRAND, brand_id="b2", standard_name="霁白")])) == {"砚山", "霁白"}
    assert names_in(content_of(NO_BRANDS.brands)) == set()


def test_names_and_rules_out_of_use_are_no_content() -> None:
    idle = replace(
        BRAND,
        aliases=(*BRAND.aliases, Alias(text="墨山", is_active=False)),
        rules=(*BRAND.rules, Rule(kind=RuleKind.EXCLUDE, pattern="墨山县", is_active=False)),
    )
    assert hash_of(content_of([idle])) == hash_of(content_of([BRAND]))
    assert read_version(1, "", content_of([idle])).brands[0].rules == BRAND.rules
