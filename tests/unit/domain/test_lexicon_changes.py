"""What differs between two states of the lexicon."""

from dataclasses import replace

from answerwatch.domain.brands import Alias, AliasKind, Brand, MatchMode, Role, Rule, RuleKind
from answerwatch.domain.lexicon_changes import ChangeKind, Part, PartChange, changes_between

YANSHAN = Brand(
    brand_id="砚山",
    standard_name="砚山",
    aliases=(Alias(text="砚山"), Alias(text="Yanshan")),
    rules=(Rule(kind=RuleKind.EXCLUDE, pattern="砚山县"), Rule(kind=RuleKind.REQUIRE, pattern="咖啡", alias="Yanshan")),
)


def test_the_same_brands_in_another_order_are_no_change() -> None:
    other = replace(YANSHAN, brand_id="霁白", standard_name="霁白")
    turned = replace(YANSHAN, aliases=YANSHAN.aliases[::-1], rules=YANSHAN.rules[::-1])
    assert changes_between([YANSHAN, other], [other, turned]) == ()


def test_a_new_brand_is_told_with_its_names_and_rules_and_what_is_not_as_usual() -> None:
    own = replace(YANSHAN, role=Role.OWN, domains=("yanshan.example",))
    told = changes_between([], [own])
    assert {change.kind for change in told} == {ChangeKind.ADDED}
    assert [(change.part, change.text, change.alias) for change in told] == [
        (Part.BRAND, "", None),
        (Part.ALIAS, "Yanshan", None),
        (Part.ALIAS, "砚山", None),
        (Part.EXCLUDE, "砚山县", None),
        (Part.REQUIRE, "咖啡", "Yanshan"),
    ]
    assert told[0].fields == (
        PartChange(name="role", before=None, after=Role.OWN),
        PartChange(name="domains", before=None, after=("yanshan.example",)),
    )
    assert {change.fields for change in told[1:]} == {()}


def test_a_brand_that_is_gone_is_told_with_its_parts() -> None:
    told = changes_between([YANSHAN], [])
    assert {change.kind for change in told} == {ChangeKind.REMOVED}
    assert len(told) == 5


def test_a_changed_name_and_a_changed_rule_are_told_with_both_values() -> None:
    ticker = Alias(text="Yanshan", kind=AliasKind.TICKER, match_mode=MatchMode.CASED)
    wider = replace(YANSHAN.rules[1], window=9)
    after = replace(YANSHAN, aliases=(YANSHAN.aliases[0], ticker), rules=(YANSHAN.rules[0], wider))
    name, rule = changes_between([YANSHAN], [after])
    assert (name.kind, name.part, name.text) == (ChangeKind.CHANGED, Part.ALIAS, "Yanshan")
    assert name.fields == (
        PartChange(name="kind", before=AliasKind.NAME, after=AliasKind.TICKER),
        PartChange(name="match_mode", before=MatchMode.FOLDED, after=MatchMode.CASED),
    )
    assert (rule.part, rule.fields) == (Part.REQUIRE, (PartChange(name="window", before=None, after=9),))


def test_what_goes_out_of_use_and_comes_back_is_told_so() -> None:
    without = replace(YANSHAN, aliases=(YANSHAN.aliases[0], Alias(text="Yanshan", is_active=False)))
    assert [change.kind for change in changes_between([YANSHAN], [without])] == [ChangeKind.DEACTIVATED]
    assert [change.kind for change in changes_between([without], [YANSHAN])] == [ChangeKind.ACTIVATED]
    (brand,) = changes_between([YANSHAN], [replace(YANSHAN, is_active=False)])
    assert (brand.kind, brand.part) == (ChangeKind.DEACTIVATED, Part.BRAND)
