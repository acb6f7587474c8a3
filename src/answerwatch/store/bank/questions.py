"""The question bank and the versions of its questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import Row, bindparam, func, select, update

from answerwatch.domain.batches import UsageStatus
from answerwatch.domain.questions import Question
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.bank import question_bank, question_version
from answerwatch.store.schema.batch import question_usage_log
from answerwatch.store.schema.sample import answer_sample
from answerwatch.store.upsert import chunks

PAGE = 1000

_CHANGING = ("scene_type", "query_text", "target_keywords", "intent_description", "is_active", "version", "updated_at")
_CHANGE = (
    update(question_bank)
    .where(question_bank.c.question_id == bindparam("question_id_"))
    .values({name: bindparam(f"{name}_") for name in _CHANGING})
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredQuestion:
    """A question with its dates."""

    question: Question
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionVersion:
    """How a question was worded at one version."""

    version: int
    query_text: str
    scene_type: str
    changed_at: datetime
    changed_by: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which questions; what is None does not filter."""

    scenes: Sequence[str] | None = None
    active: bool | None = None
    ids: Sequence[str] | None = None
    after: str | None = None
    most: int | None = None
    lock: bool = False
    """Let nobody else change them before this transaction ends."""


def find(read: Read, wanted: Wanted) -> list[StoredQuestion]:
    """Return questions in id order."""
    query = select(question_bank).order_by(question_bank.c.question_id)
    if wanted.scenes is not None:
        query = query.where(question_bank.c.scene_type.in_(wanted.scenes))
    if wanted.active is not None:
        query = query.where(question_bank.c.is_active == int(wanted.active))
    if wanted.after is not None:
        query = query.where(question_bank.c.question_id > wanted.after)
    if wanted.most is not None:
        query = query.limit(wanted.most)
    if wanted.lock:
        query = query.with_for_update()
    if wanted.ids is None:
        return [_stored(row) for row in read.all(query)]
    found = [row for part in chunks(sorted(set(wanted.ids))) for row in _of_ids(read, query, part)]
    return [_stored(row) for row in found]


class ActiveQuestions:
    """The active questions of a scene, read a page at a time: a bank of a million of them is never held whole."""

    def __init__(self, read: Read, scenes: Sequence[str], count: int) -> None:
        """Go through those of some scenes; `count` is how many they are."""
        self._read = read
        self._scenes = scenes
        self._count = count

    def __len__(self) -> int:
        """Return how many they are."""
        return self._count

    def __iter__(self) -> Iterator[Question]:
        """Go through them in id order."""
        after: str | None = None
        while page := find(self._read, Wanted(scenes=self._scenes, active=True, after=after, most=PAGE)):
            yield from (one.question for one in page)
            after = page[-1].question.question_id


def _of_ids(read: Read, query: Any, ids: Sequence[str]) -> Sequence[Row[Any]]:  # noqa: ANN401 - a Select of any columns
    return read.all(query.where(question_bank.c.question_id.in_(ids)))


def _stored(row: Row[Any]) -> StoredQuestion:
    return StoredQuestion(
        question=Question(
            question_id=row.question_id,
            scene_type=row.scene_type,
            query_text=row.query_text,
            target_keywords=tuple(row.target_keywords),
            intent_description=row.intent_description,
            is_active=bool(row.is_active),
            version=row.version,
        ),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def scenes(read: Read) -> dict[str, int]:
    """Return how many active questions each scene has."""
    query = (
        select(question_bank.c.scene_type, func.count().label("rows"))
        .where(question_bank.c.is_active == 1)
        .group_by(question_bank.c.scene_type)
        .order_by(question_bank.c.scene_type)
    )
    return {row.scene_type: int(row.rows) for row in read.all(query)}


def every_scene(read: Read) -> set[str]:
    """Return the scenes of all questions, active or not."""
    return {row.scene_type for row in read.all(select(question_bank.c.scene_type).distinct())}


def add(tx: Write, questions: Sequence[Question], *, by: str, now: datetime, note: str = "") -> None:
    """Store new questions with their first versions; `note` says why they are there."""
    rows = [_row(question, now) | {"created_at": now} for question in questions]
    tx.insert(question_bank, rows)
    _add_versions(tx, questions, by=by, now=now, note=note)


def change(
    tx: Write, questions: Sequence[Question], *, reworded: Iterable[str], by: str, now: datetime, note: str = ""
) -> None:
    """Store changed questions; those in `reworded` carry a new version number and get a version row."""
    rows = [{f"{name}_": value for name, value in _row(question, now).items()} for question in questions]
    if rows:
        tx.run_for_all(_CHANGE, rows)
    new = set(reworded)
    _add_versions(tx, [question for question in questions if question.question_id in new], by=by, now=now, note=note)


def set_active(tx: Write, question_ids: Iterable[str], *, active: bool, now: datetime) -> None:
    """Take questions into new batches, or leave them out; nothing else of them is touched."""
    for part in chunks(question_ids):
        these = question_bank.c.question_id.in_(part)
        tx.run(update(question_bank).where(these).values(is_active=int(active), updated_at=now))


def _row(question: Question, now: datetime) -> dict[str, object]:
    return {
        "question_id": question.question_id,
        "scene_type": question.scene_type,
        "query_text": question.query_text,
        "target_keywords": list(question.target_keywords),
        "intent_description": question.intent_description,
        "is_active": int(question.is_active),
        "version": question.version,
        "updated_at": now,
    }


def _add_versions(tx: Write, questions: Sequence[Question], *, by: str, now: datetime, note: str = "") -> None:
    rows = [
        {
            "question_id": question.question_id,
            "version": question.version,
            "query_text": question.query_text,
            "scene_type": question.scene_type,
            "changed_at": now,
            "changed_by": by,
            "note": note,
        }
        for question in questions
    ]
    tx.insert(question_version, rows)


def versions(read: Read, question_id: str) -> list[QuestionVersion]:
    """Return the versions of a question, the first one first."""
    query = select(question_version).where(question_version.c.question_id == question_id)
    return [
        QuestionVersion(
            version=row.version,
            query_text=row.query_text,
            scene_type=row.scene_type,
            changed_at=row.changed_at,
            changed_by=row.changed_by,
            note=row.note,
        )
        for row in read.all(query.order_by(question_version.c.version))
    ]


_WORDINGS = (
    select(question_version.c.question_id, question_version.c.query_text)
    .where(question_version.c.question_id.in_(bindparam("ids", expanding=True)))
    .order_by(question_version.c.question_id, question_version.c.version)
)


def wordings(read: Read, question_ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the texts of those questions that are in the bank, by their ids, of the first version first."""
    found: dict[str, list[str]] = {}
    for part in chunks(question_ids):
        for row in read.all(_WORDINGS, {"ids": part}):
            found.setdefault(row.question_id, []).append(row.query_text)
    return found


def answers_by_version(read: Read, question_id: str) -> dict[int, int]:
    """Return how many samples there are of each version of a question."""
    version = answer_sample.c.question_version
    query = select(version, func.count().label("rows")).where(answer_sample.c.question_id == question_id)
    return {row.question_version: int(row.rows) for row in read.all(query.group_by(version))}


def last_success(read: Read, question_id: str) -> datetime | None:
    """Return when a platform last answered the question, None for never."""
    usage = question_usage_log.c
    query = select(func.max(usage.finished_at)).where(
        usage.question_id == question_id, usage.status == UsageStatus.SUCCESS
    )
    found: datetime | None = read.scalar(query)
    return found


def count(read: Read) -> int:
    """Return how many questions there are, active or not."""
    return int(read.scalar(select(func.count()).select_from(question_bank)))


def of_texts(read: Read, texts: Iterable[str]) -> dict[str, list[Question]]:
    """Return the questions with these texts, in id order."""
    found: dict[str, list[Question]] = {}
    for part in chunks(dict.fromkeys(texts)):
        query = select(question_bank).where(question_bank.c.query_text.in_(part))
        for row in sorted(read.all(query), key=attrgetter("question_id")):
            found.setdefault(row.query_text, []).append(_stored(row).question)
    return found  # MariaDB takes a text for one that ends in a blank more; that one has a key of its own here


def ids(read: Read) -> Iterator[tuple[str, bool]]:
    """Yield the ids of all questions in order, with whether they are active, a page at a time."""
    after = ""
    columns = (question_bank.c.question_id, question_bank.c.is_active)
    while page := read.all(select(*columns).where(columns[0] > after).order_by(columns[0]).limit(PAGE * 10)):
        yield from ((row.question_id, bool(row.is_active)) for row in page)
        after = page[-1].question_id


def asked(read: Read, question_ids: Iterable[str]) -> set[str]:
    """Return those of the ids that stand in any batch or import: what was asked, or is going to be."""
    log = question_usage_log.c.question_id
    return {
        row.question_id
        for part in chunks(question_ids)
        for row in read.all(select(log).where(log.in_(part)).distinct())
    }


def maybe_alike(read: Read, key: str) -> Iterator[str]:
    """Yield ids among which all are that `domain.questions.id_key` makes to this key.

    The database compares those in ASCII; what it would make of other letters differs from one to the next.
    """
    bank = question_bank.c.question_id
    if read.dialect == "sqlite":
        is_ascii = func.length(func.hex(bank)) == 2 * func.length(bank)
    else:
        is_ascii = func.octet_length(bank) == func.char_length(bank)
    query = select(bank).where((func.upper(bank) == key) | ~is_ascii).order_by(bank)
    after = ""
    while page := read.all(query.where(bank > after).limit(PAGE * 10)):
        yield from (row.question_id for row in page)
        after = page[-1].question_id


def highest_number(read: Read, prefix: str) -> int:
    """Return the highest number of up to nine digits behind a prefix that ends in `_`; 0 where no id has one."""
    bank = question_bank.c.question_id
    mine = (bank > prefix) & (bank < f"{prefix[:-1]}`")  # the sign behind _
    length = func.length(bank)
    query = select(bank).where(mine, length <= len(prefix) + 9).order_by(length.desc(), bank.desc()).limit(PAGE)
    start = 0
    while page := read.all(query.offset(start)):
        endings = (row.question_id.removeprefix(prefix) for row in page)
        for text in endings:
            if text.isascii() and text.isdigit():
                return int(text)
        start += PAGE
    return 0
