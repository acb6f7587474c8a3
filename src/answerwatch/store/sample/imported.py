"""Content hashes of imported answers, so that the same one is never stored twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, select

from answerwatch.store.database import Read, Write
from answerwatch.store.schema.sample import imported_answer
from answerwatch.store.upsert import chunks

_KNOWN = select(imported_answer.c.content_hash, imported_answer.c.sub_task_id).where(
    imported_answer.c.content_hash.in_(bindparam("hashes", expanding=True))
)


def known(read: Read, hashes: Sequence[bytes]) -> dict[bytes, str]:
    """Return those of the content hashes whose answers are stored, with their samples."""
    found: dict[bytes, str] = {}
    for part in chunks(hashes):
        rows = read.all(_KNOWN, {"hashes": [one.hex() for one in part]})
        found |= {bytes.fromhex(row.content_hash): row.sub_task_id for row in rows}
    return found


def add(tx: Write, samples: Mapping[bytes, str]) -> None:
    """Store the content hashes of samples; one that is there already is an integrity error."""
    rows = [{"content_hash": hash_.hex(), "sub_task_id": id_} for hash_, id_ in samples.items()]
    tx.insert(imported_answer, rows)
