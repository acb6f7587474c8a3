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
    while True:
        above = newest_number(tx) + 1
        found = _find(tx, lexicon, cleaner_version) or _insert(tx, above, lexicon, cleaner_version, now=now)
        if found is not None:
            return found


def above_all(tx: Write, lexicon: int, cleaner_version: str, now: datetime, *, force: bool, note: str) -> Generation:
    """Return the newest of all generations where it has these versions, else one made above all others.

    With `force` one is made also where there is none needed, and it reads every answer. Of two processes that make one
    at once without `force`, the second gets what the first has made.
    """
    while True:
        newest = newest_number(tx)
        found = None if force else _find(tx, lexicon, cleaner_version)
        if found is not None and found.generation >= newest:
            return found
        made = _insert(tx, newest + 1, lexicon, cleaner_version, now=now, note=note, reads_all=force)
        if made is not None:
            return made


def _insert(
    tx: Write,
    number: int,
    lexicon: int,
    cleaner_version: str,
    *,
    now: datetime,
    note: str = "",
    reads_all: bool = False,
) -> Generation | None:
    """Make a generation; None where somebody else has taken its number since we looked for the newest."""
    row = {
        "generation": number, "lexicon_version": lexicon, "cleaner_version": cleaner_version,
        "created_at": now, "note": note, "reads_all": int(reads_all),
    }  # fmt: skip
    insert_new(tx, clean_generation, [row])
    # Read back: how many rows an insert has made, MySQL tells wrongly where one was there.
    there = tx.first(select(clean_generation).where(clean_generation.c.generation == number))
    return _generation(there) if there is not None and there._asdict() == row else None


def newest_number(read: Read) -> int:
    """Return the number of the newest generation, 0 before the first."""
    return int(read.scalar(select(func.coalesce(func.max(clean_generation.c.generation), 0))))


def newest_of(read: Read, lexicon: int, cleaner_version: str) -> Generation | None:
    """Return the newest of all generations where it has these versions; None where a newer one is needed for them."""
    found = _find(read, lexicon, cleaner_version)
    return found if found is not None and found.generation == newest_number(read) else None


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
