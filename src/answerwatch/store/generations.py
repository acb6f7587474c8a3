"""Generations: all clean tasks made with one lexicon version and one cleaner version; the newest is current."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select

from answerwatch.store.database import Read, Write
from answerwatch.store.schema.clean import clean_generation
from answerwatch.store.upsert import insert_new


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """What a clean task works with."""

    generation: int
    lexicon_version: int
    cleaner_version: str


def current(tx: Write, lexicon: int, cleaner_version: str, now: datetime) -> Generation:
    """Return the generation of a lexicon version and a cleaner version, made on first use.

    Two processes that make it at once get the same one: the first insert wins, the other reads it.
    """
    while (found := _find(tx, lexicon, cleaner_version)) is None:
        number = int(tx.scalar(select(func.coalesce(func.max(clean_generation.c.generation), 0)))) + 1
        row = {
            "generation": number, "lexicon_version": lexicon, "cleaner_version": cleaner_version,
            "created_at": now, "note": "",
        }  # fmt: skip
        insert_new(tx, clean_generation, [row])
    return found


def _find(read: Read, lexicon: int, cleaner_version: str) -> Generation | None:
    mine = (clean_generation.c.lexicon_version == lexicon) & (clean_generation.c.cleaner_version == cleaner_version)
    row = read.first(select(clean_generation).where(mine).order_by(clean_generation.c.generation.desc()).limit(1))
    return None if row is None else _generation(row)


def every(read: Read) -> list[Generation]:
    """Return all generations, the newest first."""
    return [
        _generation(row) for row in read.all(select(clean_generation).order_by(clean_generation.c.generation.desc()))
    ]


def _generation(row: Row[Any]) -> Generation:
    return Generation(
        generation=row.generation, lexicon_version=row.lexicon_version, cleaner_version=row.cleaner_version
    )
