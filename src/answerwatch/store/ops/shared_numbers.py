"""Single numbers that processes share, such as the time of the last sweep."""

from __future__ import annotations

from sqlalchemy import select, update

from answerwatch.store.database import Read, Write
from answerwatch.store.schema.ops import mark
from answerwatch.store.upsert import insert_new


def get(read: Read, name: str) -> int | None:
    """Return the mark's number, or None where it was never set."""
    found = read.scalar(select(mark.c.value_us).where(mark.c.name == name))
    return None if found is None else int(found)


def advance(tx: Write, name: str, value_us: int) -> None:
    """Set the mark, but never back."""
    move(tx, name, max(value_us, get(tx, name) or value_us))


def move(tx: Write, name: str, value_us: int) -> int:
    """Set the mark and return what it was (on first use: the new value); two processes take turns."""
    insert_new(tx, mark, [{"name": name, "value_us": value_us}])
    before = int(tx.scalar(select(mark.c.value_us).where(mark.c.name == name).with_for_update()))
    tx.run(update(mark).where(mark.c.name == name).values(value_us=value_us))
    return before
