"""Keys to the HTTP interface, by the hash of each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, select, update

from answerwatch.store.database import Read, Write
from answerwatch.store.schema.ops import api_key

SEEN_EVERY = timedelta(minutes=1)
"""A key that is used all the time is written to so often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key as it is kept: nobody can make the key itself of it."""

    key_id: int
    name: str
    starts_with: str
    scope: str
    """`read`, or `write`: that too."""
    created_at: datetime
    created_by: str
    used_at: datetime | None
    """To a minute; None: never."""
    revoked_at: datetime | None
    """None: it holds."""


def add(tx: Write, key: ApiKey, key_hash: str) -> int:
    """Store a key and return its number; `key_id` is not used."""
    values = {
        "name": key.name, "key_hash": key_hash, "starts_with": key.starts_with, "scope": key.scope,
        "created_at": key.created_at, "created_by": key.created_by,
    }  # fmt: skip
    tx.run(api_key.insert().values(**values))
    return int(tx.scalar(select(api_key.c.key_id).where(api_key.c.key_hash == key_hash)))


def every(read: Read) -> list[ApiKey]:
    """Return all keys, those that were taken back too, the oldest first."""
    return [_key(row) for row in read.all(select(api_key).order_by(api_key.c.key_id))]


def by_name(read: Read, name: str) -> ApiKey | None:
    """Return a key by its name; None for an unknown one."""
    row = read.first(select(api_key).where(api_key.c.name == name))
    return None if row is None else _key(row)


def by_hash(read: Read, key_hash: str) -> ApiKey | None:
    """Return the key that holds and has this hash; None where there is none."""
    row = read.first(select(api_key).where(api_key.c.key_hash == key_hash, api_key.c.revoked_at.is_(None)))
    return None if row is None else _key(row)


def any_made(read: Read) -> bool:
    """Tell whether a key was ever made, whether it holds or not."""
    return read.first(select(api_key.c.key_id).limit(1)) is not None


def any_holds(read: Read) -> bool:
    """Tell whether a key holds."""
    return read.first(select(api_key.c.key_id).where(api_key.c.revoked_at.is_(None)).limit(1)) is not None


def seen(tx: Write, key_id: int, now: datetime) -> None:
    """Note that a key was used."""
    tx.run(update(api_key).where(api_key.c.key_id == key_id).values(used_at=now))


def revoke(tx: Write, name: str, now: datetime) -> int:
    """Take a key back and return how many held."""
    holds = (api_key.c.name == name) & api_key.c.revoked_at.is_(None)
    return tx.run(update(api_key).where(holds).values(revoked_at=now))


def _key(row: Row[Any]) -> ApiKey:
    values = row._asdict()
    del values["key_hash"]
    return ApiKey(**values)
