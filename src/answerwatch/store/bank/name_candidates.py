"""Names in answers that may be a brand's: in which answers was looked, what was found, what is ignored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, exists, func, select

from answerwatch.clock import from_micros
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.candidates import ignored_name, name_candidate, name_candidate_answer
from answerwatch.store.schema.sample import answer_sample
from answerwatch.store.upsert import chunks, insert_new, upsert

EXAMPLES = 3
"""Places kept of each name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """An answer in which names were not looked for yet."""

    sub_task_id: str
    platform: str
    query_text: str
    raw_response: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A place where a name stands: code points of a sample's raw answer."""

    sub_task_id: str
    position: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredName:
    """A name that may be a brand's, with what all answers say for it."""

    name_key: str
    name: str
    answers: int
    weight: int
    platforms: Mapping[str, int]
    """Answers by platform."""
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoredName:
    """A name that is suggested no more."""

    name_key: str
    name: str
    ignored_at: datetime
    ignored_by: str
    note: str


_NOT_LOOKED: ColumnElement[bool] = ~exists().where(name_candidate_answer.c.sub_task_id == answer_sample.c.sub_task_id)


def count_waiting(read: Read) -> int:
    """Return in how many samples names were not looked for; those that are no valid answers always are among them."""
    return int(read.scalar(select(func.count()).select_from(answer_sample).where(_NOT_LOOKED)))


def waiting(read: Read, after: str, most: int) -> list[str]:
    """Return ids of samples in which names were not looked for yet, in order, of those behind `after`.

    Ids alone: the database finds them in its index and opens no answer for it.
    """
    query = select(answer_sample.c.sub_task_id).where(answer_sample.c.sub_task_id > after, _NOT_LOOKED)
    return [row.sub_task_id for row in read.all(query.order_by(answer_sample.c.sub_task_id).limit(most))]


def unread(read: Read, ids: Sequence[str]) -> list[Unread]:
    """Return those of the samples that are valid answers; of what is not cleaned yet nobody knows whether it is one."""
    table = answer_sample.c
    columns = (table.sub_task_id, table.platform, table.query_text, table.raw_response)
    query = select(*columns).where(table.sub_task_id.in_(ids), table.is_valid == 1).order_by(table.sub_task_id)
    return [Unread(**row._asdict()) for row in read.all(query)]


def mark_looked(tx: Write, ids: Sequence[str]) -> set[str]:
    """Note that names were looked for in these samples; return those of which that was not noted before.

    The caller holds the mark of this work, so that nobody else notes them meanwhile.
    """
    known = set[str]()
    for part in chunks(ids):
        found = select(name_candidate_answer.c.sub_task_id).where(name_candidate_answer.c.sub_task_id.in_(part))
        known.update(row.sub_task_id for row in tx.all(found))
    fresh = [one for one in ids if one not in known]
    insert_new(tx, name_candidate_answer, [{"sub_task_id": one} for one in fresh])
    return set(fresh)


def add(tx: Write, found: Iterable[StoredName]) -> None:
    """Add what answers say for names to what is stored of them; each key may come once."""
    for part in chunks(sorted(found, key=lambda one: one.name_key)):
        there = {one.name_key: one for one in of_keys(tx, [name.name_key for name in part])}
        rows = [_row(joined(there.get(name.name_key), name)) for name in part]
        upsert(
            tx,
            name_candidate,
            rows,
            key=["name_key"],
            update=["answers", "weight", "platforms", "examples"],
        )


def of_keys(read: Read, keys: Sequence[str]) -> list[StoredName]:
    """Return the stored names with these keys."""
    return [
        _stored(row)
        for part in chunks(keys)
        for row in read.all(select(name_candidate).where(name_candidate.c.name_key.in_(part)))
    ]


def ranked(read: Read) -> Iterator[StoredName]:
    """Yield the names that nobody ignores, the most brand-like first, without holding them all."""
    ignored = exists().where(ignored_name.c.name_key == name_candidate.c.name_key)
    query = select(name_candidate).where(~ignored)
    return map(_stored, read.stream(query.order_by(name_candidate.c.weight.desc(), name_candidate.c.name_key.desc())))


def forget(tx: Write) -> None:
    """Forget what was found and where was looked; what people decided stays."""
    tx.run(delete(name_candidate))
    tx.run(delete(name_candidate_answer))


def ignored(read: Read) -> list[IgnoredName]:
    """Return the names that are suggested no more, the newest first."""
    order = (ignored_name.c.ignored_at.desc(), ignored_name.c.name_key)
    return [IgnoredName(**row._asdict()) for row in read.all(select(ignored_name).order_by(*order))]


def ignore(tx: Write, names: Mapping[str, str], *, by: str, note: str) -> int:
    """Suggest names, given by key, no more; return how many of them were not ignored before."""
    at = from_micros(tx.now_us())
    rows = [
        {"name_key": folded, "name": name, "ignored_at": at, "ignored_by": by, "note": note}
        for folded, name in names.items()
    ]
    return insert_new(tx, ignored_name, rows)


def restore(tx: Write, name_key: str) -> bool:
    """Suggest an ignored name again; return whether it was ignored."""
    return tx.run(delete(ignored_name).where(ignored_name.c.name_key == name_key)) > 0


def texts(read: Read, ids: Sequence[str]) -> dict[str, str]:
    """Return the raw answers of samples."""
    table = answer_sample.c
    return {
        row.sub_task_id: row.raw_response
        for part in chunks(ids)
        for row in read.all(select(table.sub_task_id, table.raw_response).where(table.sub_task_id.in_(part)))
    }


def joined(there: StoredName | None, new: StoredName) -> StoredName:
    """Return what is said for a name by what is known of it, if anything, and by something new."""
    if there is None:
        return new
    platforms = dict(there.platforms)
    for platform, answers in new.platforms.items():
        platforms[platform] = platforms.get(platform, 0) + answers
    return StoredName(
        name_key=there.name_key,
        name=there.name,
        answers=there.answers + new.answers,
        weight=there.weight + new.weight,
        platforms=platforms,
        examples=(*there.examples, *new.examples)[:EXAMPLES],
    )


def _row(name: StoredName) -> dict[str, object]:
    return {
        "name_key": name.name_key, "name": name.name, "answers": name.answers, "weight": name.weight,
        "platforms": dict(name.platforms),
        "examples": [[one.sub_task_id, one.position, one.length] for one in name.examples],
    }  # fmt: skip


def _stored(row: Row[Any]) -> StoredName:
    return StoredName(
        name_key=row.name_key,
        name=row.name,
        answers=row.answers,
        weight=row.weight,
        platforms=row.platforms,
        examples=tuple(Example(sub_task_id=one[0], position=one[1], length=one[2]) for one in row.examples),
    )
