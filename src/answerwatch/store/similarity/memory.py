"""What is remembered from one job to the next: vectors, scores of pair scorers, what was learnt of scorers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Table, delete, func, select

from answerwatch.domain.similarity import scorer_key
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.similarity import scorer_memory, similarity_score, similarity_vector
from answerwatch.store.upsert import chunks, insert_new, upsert


def vectors(read: Read, scorer_id: str, role: str, hashes: Sequence[str], since: datetime | None) -> dict[str, bytes]:
    """Return vectors that are remembered, by the hash of their text; None: however old they are."""
    table, key = similarity_vector, scorer_key(scorer_id)
    query = select(table.c.text_hash, table.c.vector).where(table.c.scorer_key == key, table.c.role == role)
    if since is not None:
        query = query.where(table.c.made_at >= since)
    found = {}
    for part in chunks(hashes):
        found.update({row.text_hash: row.vector for row in read.all(query.where(table.c.text_hash.in_(part)))})
    return found


def keep_vectors(tx: Write, scorer_id: str, role: str, made: Mapping[str, bytes], now: datetime) -> None:
    """Remember vectors by the hash of their text."""
    key = scorer_key(scorer_id)
    rows = [
        {"scorer_key": key, "role": role, "text_hash": text_hash, "vector": vector, "made_at": now}
        for text_hash, vector in sorted(made.items())
    ]
    if rows:
        upsert(tx, similarity_vector, rows, key=("scorer_key", "role", "text_hash"), update=("vector", "made_at"))


def scores(read: Read, scorer_id: str, hashes: Sequence[str], since: datetime | None) -> dict[str, float]:
    """Return scores that are remembered, by the hash of their pair; None: however old they are."""
    table = similarity_score
    query = select(table.c.pair_hash, table.c.score).where(table.c.scorer_key == scorer_key(scorer_id))
    if since is not None:
        query = query.where(table.c.made_at >= since)
    found = {}
    for part in chunks(hashes):
        found.update({row.pair_hash: row.score for row in read.all(query.where(table.c.pair_hash.in_(part)))})
    return found


def keep_scores(tx: Write, scorer_id: str, made: Mapping[str, float], now: datetime) -> None:
    """Remember scores by the hash of their pair."""
    key = scorer_key(scorer_id)
    rows = [
        {"scorer_key": key, "pair_hash": pair_hash, "score": score, "made_at": now}
        for pair_hash, score in sorted(made.items())
    ]
    if rows:
        upsert(tx, similarity_score, rows, key=("scorer_key", "pair_hash"), update=("score", "made_at"))


def evict(tx: Write, table: Table, most: int) -> int:
    """Forget the oldest rows of `similarity_vector` or `similarity_score` beyond `most`; return how many."""
    count = int(tx.scalar(select(func.count()).select_from(table)))
    if count <= most:
        return 0
    edge = tx.scalar(select(table.c.made_at).order_by(table.c.made_at.desc()).offset(most).limit(1))
    return tx.run(delete(table).where(table.c.made_at <= edge))


def learnt(read: Read, scorer_name: str) -> dict[str, Any]:
    """Return what was learnt of a scorer; {} for one that is new."""
    facts = read.scalar(select(scorer_memory.c.facts).where(scorer_memory.c.scorer_name == scorer_name))
    return dict(facts or {})


def learn(tx: Write, scorer_name: str, facts: Mapping[str, object], now: datetime) -> None:
    """Remember more of a scorer; what is named again is replaced."""
    insert_new(tx, scorer_memory, [{"scorer_name": scorer_name, "facts": {}, "updated_at": now}])
    there = scorer_memory.c.scorer_name == scorer_name
    known = tx.scalar(select(scorer_memory.c.facts).where(there).with_for_update())
    tx.run(scorer_memory.update().where(there).values(facts={**(known or {}), **facts}, updated_at=now))
