"""The readings that are in force: those that figures and exports go by while newer ones are still being made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import select

from answerwatch.domain.answers import Figures
from answerwatch.domain.corrections import Spot
from answerwatch.store.database import Read
from answerwatch.store.schema.clean import brand_result, clean_result, entity_match_detail
from answerwatch.store.upsert import chunks


class InForce(NamedTuple):
    """What holds of one answer as a whole."""

    clean_task_id: str
    generation: int
    lexicon_version: int
    is_valid: int | None
    """None: cleaning failed."""
    invalid_reason: str | None
    has_citation: int | None


def results(read: Read, sub_task_ids: Sequence[str]) -> dict[str, InForce]:
    """Return the results in force by sample; samples without one are left out."""
    columns = [clean_result.c[name] for name in InForce._fields]
    found: dict[str, InForce] = {}
    for part in chunks(sub_task_ids):
        query = select(clean_result.c.source_task_id, *columns).where(clean_result.c.source_task_id.in_(part))
        found |= {row[0]: InForce._make(row[1:]) for row in read.all(query)}
    return found


def figures(read: Read, sub_task_ids: Sequence[str]) -> dict[tuple[str, str], Figures]:
    """Return what answers say of brands, by sample and brand.

    Brands are those that an answer names, and its focal one, of which nothing is known where nobody looked for it.
    """
    found: dict[tuple[str, str], Figures] = {}
    for table in (clean_result, brand_result):
        columns = [table.c[name] for name in Figures._fields]
        query = select(table.c.source_task_id, table.c.brand_name, *columns)
        for part in chunks(sub_task_ids):
            for row in read.all(query.where(table.c.source_task_id.in_(part))):
                sample, brand, *values = tuple(row)
                found[sample, brand] = Figures._make(values)
    return found


def spots(read: Read, samples: Mapping[str, str]) -> dict[tuple[str, str], set[Spot]]:
    """Return where brands are mentioned, as it counts, by sample and brand; `samples` stand by their clean tasks."""
    match = entity_match_detail.c
    counted = (match.is_valid_match == 1) & (match.via != "pronoun")
    columns = (match.clean_task_id, match.standard_name, match.match_position, match.match_length)
    found: dict[tuple[str, str], set[Spot]] = defaultdict(set)
    for part in chunks(samples):
        for row in read.all(select(*columns).where(counted, match.clean_task_id.in_(part))):
            found[samples[row.clean_task_id], row.standard_name].add((row.match_position, row.match_length))
    return dict(found)
