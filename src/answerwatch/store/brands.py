"""Brands, their names and rules."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sqlalchemy import Row, delete, select

from answerwatch.domain.brands import Alias, AliasKind, Brand, MatchMode, Role, Rule, RuleKind
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.bank import brand, brand_alias, brand_rule


def every(read: Read) -> list[Brand]:
    """Return all brands by standard name, inactive ones too; inactive names are left out."""
    aliases: defaultdict[str, list[Alias]] = defaultdict(list)
    query = select(brand_alias).where(brand_alias.c.is_active == 1)
    for row in read.all(query.order_by(brand_alias.c.brand_id, brand_alias.c.alias)):
        aliases[row.brand_id].append(_alias(row))
    rules: defaultdict[str, list[Rule]] = defaultdict(list)
    for row in read.all(select(brand_rule).order_by(brand_rule.c.rule_id)):
        rules[row.brand_id].append(_rule(row))
    return [
        Brand(
            brand_id=row.brand_id,
            standard_name=row.standard_name,
            role=Role(row.role),
            aliases=tuple(aliases[row.brand_id]),
            rules=tuple(rules[row.brand_id]),
            domains=tuple(row.domains),
            is_active=bool(row.is_active),
        )
        for row in read.all(select(brand).order_by(brand.c.standard_name))
    ]


def _alias(row: Row[Any]) -> Alias:
    return Alias(text=row.alias, kind=AliasKind(row.kind), match_mode=MatchMode(row.match_mode))


def _rule(row: Row[Any]) -> Rule:
    return Rule(kind=RuleKind(row.kind), pattern=row.pattern, alias=row.alias or None, window=row.window)


def save(tx: Write, one: Brand, *, name_key: str) -> None:
    """Store a brand as it should be, whether it is new or not; `name_key` is its folded standard name.

    Names that somebody made inactive stay so, unless the brand has them again.
    """
    for table in (brand_rule, brand):
        tx.run(delete(table).where(table.c.brand_id == one.brand_id))
    mine = (brand_alias.c.is_active == 1) | brand_alias.c.alias.in_([a.text for a in one.aliases])
    tx.run(delete(brand_alias).where(brand_alias.c.brand_id == one.brand_id, mine))
    row = {
        "brand_id": one.brand_id, "standard_name": one.standard_name, "name_key": name_key, "role": one.role,
        "is_active": int(one.is_active), "domains": list(one.domains),
    }  # fmt: skip
    tx.insert(brand, [row])
    aliases = [
        {"brand_id": one.brand_id, "alias": a.text, "kind": a.kind, "match_mode": a.match_mode, "is_active": 1}
        for a in one.aliases
    ]
    tx.insert(brand_alias, aliases)
    rules = [
        {
            "brand_id": one.brand_id,
            "alias": r.alias or "",
            "kind": r.kind,
            "pattern": r.pattern,
            "window": r.window,
            "is_active": 1,
        }
        for r in one.rules
    ]
    tx.insert(brand_rule, rules)
