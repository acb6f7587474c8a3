"""Imported answers by what they say, so that the same one is never stored twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from sqlalchemy import bindparam, select

from answerwatch.store.database import Read, Write
from answerwatch.store.schema.bank import question_version
from answerwatch.store.schema.sample import answer_sample, imported_answer
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidSample:
    """What a sample says, to compare a row of an export with it."""

    sub_task_id: str
    brand_name: str
    query_text: str
    raw_response: str


_THESE = answer_sample.c.sub_task_id.in_(bindparam("ids", expanding=True))
_LENGTHS = select(answer_sample.c.sub_task_id, answer_sample.c.response_length).where(_THESE)
_SAID = select(*(answer_sample.c[field.name] for field in fields(SaidSample))).where(_THESE)


def lengths(read: Read, sub_task_ids: Sequence[str]) -> dict[str, int]:
    """Return the characters of answers by sample; ids that are none are left out."""
    return {
        row.sub_task_id: row.response_length
        for part in chunks(sub_task_ids)
        for row in read.all(_LENGTHS, {"ids": part})
    }


def said(read: Read, sub_task_ids: Sequence[str]) -> list[SaidSample]:
    """Return what samples say; the caller asks for no more than can be held."""
    return [SaidSample(**row._asdict()) for row in read.all(_SAID, {"ids": sub_task_ids})]


_ASKED = select(question_version.c.question_id, question_version.c.query_text).where(
    question_version.c.question_id.in_(bindparam("ids", expanding=True))
)


def bank_texts(read: Read, question_ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the texts of all versions of those questions that are in the bank, by their ids."""
    found: dict[str, list[str]] = {}
    for part in chunks(question_ids):
        for row in read.all(_ASKED, {"ids": part}):
            found.setdefault(row.question_id, []).append(row.query_text)
    return found


def add(tx: Write, samples: Mapping[bytes, str]) -> None:
    """Store the content hashes of samples; one that is there already is an integrity error."""
    rows = [{"content_hash": hash_.hex(), "sub_task_id": id_} for hash_, id_ in samples.items()]
    tx.insert(imported_answer, rows)
