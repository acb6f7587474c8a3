"""Corrected answers as labelled rows: what a person set right once is measured from then on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from answerwatch.domain.brands import RuleKind
from answerwatch.domain.corrections import VALID, Correction, Seen
from answerwatch.domain.lexicons import read_version
from answerwatch.store.bank import lexicons
from answerwatch.store.clean import corrections
from answerwatch.store.database import Read
from answerwatch.store.sample import listing
from answerwatch.store.upsert import chunks
from answerwatch.workspace.brands import pick_brand
from answerwatch.workspace.cleaning.correcting import shown
from answerwatch.workspace.cleaning.readings import Readings
from answerwatch.workspace.cleaning.views import CorrectionView
from answerwatch.workspace.filters import known_batches


def found(
    read: Read, *, brand: str | None, batch: str | None, after: int = 0, limit: int | None = None
) -> list[Correction]:
    """Return corrections that hold, of a brand and of a batch."""
    name = None if brand is None else pick_brand(read, brand).standard_name
    batches = None if batch is None else known_batches(read, [batch])
    return corrections.find(read, batch_ids=batches, brand=name, after=after, most=limit)


def listed(read: Read, *, brand: str | None, batch: str | None, limit: int, after: int) -> Iterator[CorrectionView]:
    """Yield corrections as people see them."""
    every = found(read, brand=brand, batch=batch, after=after, limit=limit)
    readings = Readings.of(read, sorted({one.sub_task_id for one in every}))
    for one in every:
        sample = listing.get(read, one.sub_task_id)
        seen = readings.read(one.sub_task_id, one.brand_name)
        yield shown(one, "" if sample is None else sample["raw_response"], seen)


def labelled_rows(read: Read, *, brand: str | None, batch: str | None) -> Iterator[dict[str, object]]:
    """Yield every answer with a correction, in the form of labelled rows."""
    number = lexicons.newest_number(read)
    names = _names(read, number)
    ids = dict.fromkeys(one.sub_task_id for one in found(read, brand=brand, batch=batch))
    for part in chunks(ids):
        readings = Readings.of(read, part)
        for sample_id in part:
            sample = listing.get(read, sample_id)
            if sample is not None:
                yield _row(sample, readings, names)


def _names(read: Read, number: int) -> dict[str, dict[str, list[str]]]:
    """Return names and excluded phrases of every brand of a lexicon version, as labelled rows give them."""
    stored = lexicons.of_versions(read, [number]).get(number)
    if stored is None:
        return {}
    version = read_version(number, stored.content_hash, stored.content)
    return {
        one.standard_name: {
            "aliases": [alias.text for alias in one.aliases if alias.is_active],
            "exclude": [rule.pattern for rule in one.rules if rule.is_active and rule.kind is RuleKind.EXCLUDE],
        }
        for one in version.brands
    }


def _row(sample: dict[str, Any], readings: Readings, names: dict[str, dict[str, list[str]]]) -> dict[str, object]:
    sample_id, raw = sample["sub_task_id"], sample["raw_response"]
    said = readings.said[sample_id]
    whole = readings.right(sample_id, "")
    is_valid = whole.is_valid == 1
    brands = {one.brand_name for one in said if one.brand_name}
    brands |= {name for sample, name in readings.spots if sample == sample_id}
    return {
        "id": sample_id,
        "scene": sample["scene_type"],
        "question": sample["query_text"],
        "answer": raw,
        "validity": VALID if is_valid else whole.invalid_reason,
        "is_valid": is_valid,
        "has_citation": bool(whole.has_citation) if is_valid and whole.has_citation is not None else None,
        "brands": [
            _brand(name, raw, names.get(name, {"aliases": [name], "exclude": []}), readings.right(sample_id, name))
            for name in sorted(brands)
            if is_valid
        ],
        "corrected": sorted({f"{one.brand_name or 'answer'}.{one.field}" for one in said}),
    }


def _brand(name: str, raw: str, names: dict[str, list[str]], seen: Seen) -> dict[str, object]:
    figures = seen.figures
    return {
        "brand": name,
        **names,
        "mentions": [
            {"start": start, "end": start + length, "text": raw[start : start + length], "valid": True}
            for start, length in sorted(seen.spots)
        ],
        "mention_count": len(seen.spots),
        "is_mentioned": bool(seen.spots),
        "is_recommended": None if figures.is_recommended is None else bool(figures.is_recommended),
        "recommendation_rank": figures.recommendation_rank,
        "rank_alt": [],
    }
