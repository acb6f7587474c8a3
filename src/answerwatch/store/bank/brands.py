"""Brands, their names and rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, delete, exists, or_, select

from answerwatch.domain.brands import Alias, AliasKind, Brand, MatchMode, Role, Rule, RuleKind
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.bank import brand, brand_alias, brand_rule
from answerwatch.store.schema.batch import task_batch
from answerwatch.store.schema.clean import brand_result
from answerwatch.store.upsert import chunks

_TABLES = (brand, brand_alias, brand_rule)


def every(read: Read) -> list[Brand]:
    """Return all brands by standard name with their names and rules, also those out of use."""
    aliases: defaultdict[str, list[Alias]] = defaultdict(list)
    for row in read.all(select(brand_alias).order_by(brand_alias.c.brand_id, brand_alias.c.alias)):
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
    return Alias(
        text=row.alias, kind=AliasKind(row.kind), match_mode=MatchMode(row.match_mode), is_active=bool(row.is_active)
    )


def _rule(row: Row[Any]) -> Rule:
    return Rule(
        kind=RuleKind(row.kind),
        pattern=row.pattern,
        alias=row.alias or None,
        window=row.window,
        is_active=bool(row.is_active),
    )


def save(tx: Write, brands: Sequence[Brand], *, keys: Mapping[str, str]) -> None:
    """Store brands as they should be, whether they are new or not; `keys` has the folded standard name of each id."""
    remove(tx, [one.brand_id for one in brands])
    tx.insert(brand, [_brand_row(one, keys[one.brand_id]) for one in brands])
    tx.insert(brand_alias, [_alias_row(one, alias) for one in brands for alias in one.aliases])
    tx.insert(brand_rule, [_rule_row(one, rule) for one in brands for rule in one.rules])


def remove(tx: Write, brand_ids: Sequence[str]) -> None:
    """Remove brands with their names and rules."""
    for part in chunks(brand_ids):
        for table in _TABLES:
            tx.run(delete(table).where(table.c.brand_id.in_(part)))


def has_history(read: Read, standard_name: str) -> bool:
    """Return whether a batch is about a brand, or a result names it."""
    found = or_(
        exists().where(task_batch.c.brand_name == standard_name),
        exists().where(brand_result.c.brand_name == standard_name),
    )
    return bool(read.scalar(select(found)))


def _brand_row(one: Brand, name_key: str) -> dict[str, object]:
    return {
        "brand_id": one.brand_id, "standard_name": one.standard_name, "name_key": name_key, "role": one.role,
        "is_active": int(one.is_active), "domains": list(one.domains),
    }  # fmt: skip


def _alias_row(one: Brand, alias: Alias) -> dict[str, object]:
    return {
        "brand_id": one.brand_id, "alias": alias.text, "kind": alias.kind, "match_mode": alias.match_mode,
        "is_active": int(alias.is_active),
    }  # fmt: skip


def _rule_row(one: Brand, rule: Rule) -> dict[str, object]:
    return {
        "brand_id": one.brand_id, "alias": rule.alias or "", "kind": rule.kind, "pattern": rule.pattern,
        "window": rule.window, "is_active": int(rule.is_active),
    }  # fmt: skip
