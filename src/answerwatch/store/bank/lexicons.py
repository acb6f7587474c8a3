"""Versions of the lexicon as they were written down; a version is never changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import func, select

from answerwatch.domain.lexicons import NO_BRANDS, Content
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.bank import lexicon_version


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLexicon:
    """One version of the lexicon."""

    version: int
    content_hash: str
    content: Content
    created_at: datetime
    changed_by: str
    note: str


def newest(read: Read) -> StoredLexicon | None:
    """Return the newest version, None where no brand was ever added."""
    found = newest_first(read, most=1)
    return found[0] if found else None


def newest_first(read: Read, *, most: int) -> list[StoredLexicon]:
    """Return the newest versions first."""
    query = select(lexicon_version).order_by(lexicon_version.c.version.desc()).limit(most)
    return [StoredLexicon(**row._asdict()) for row in read.all(query)]


def newest_number(read: Read) -> int:
    """Return the number of the newest version, that of NO_BRANDS where there is none."""
    return int(read.scalar(select(func.coalesce(func.max(lexicon_version.c.version), NO_BRANDS.version))))


def of_versions(read: Read, versions: Iterable[int]) -> dict[int, StoredLexicon]:
    """Return these versions by number; unknown ones are left out."""
    query = select(lexicon_version).where(lexicon_version.c.version.in_(sorted(set(versions))))
    return {row.version: StoredLexicon(**row._asdict()) for row in read.all(query)}


def add(tx: Write, new: StoredLexicon) -> None:
    """Store a version."""
    tx.insert(lexicon_version, [asdict(new)])
