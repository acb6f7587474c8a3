"""Results of cleaning: the focal brand (`clean_result`) and every tracked brand (`brand_result`).

Both hold the current generation only; what it replaces goes to their history tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    Insert,
    Integer,
    String,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from answerwatch.domain.answers import UNKNOWN, Figures
from answerwatch.domain.clean_states import CleanState
from answerwatch.domain.ids import clean_task_id
from answerwatch.store.database import Read, Write
from answerwatch.store.schema.clean import (
    brand_result,
    brand_result_history,
    clean_result,
    clean_result_history,
    clean_state,
)
from answerwatch.store.schema.sample import answer_sample
from answerwatch.store.types import UtcDateTime, as_bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewResult:
    """The outcome of one clean task."""

    clean_task_id: str
    source_task_id: str
    batch_id: str
    brand_name: str
    platform: str
    scene_type: str
    clean_state: CleanState
    is_valid: int | None
    invalid_reason: str | None = None
    invalid_note: str | None = None
    truncated: int | None = None
    has_citation: int | None = None
    focal: Figures = UNKNOWN
    brands: tuple[tuple[str, Figures], ...] = ()
    """Every tracked brand that the answer names."""
    raw_data_url: str | None
    generation: int
    lexicon_version: int
    cleaner_version: str
    cleaned_at: datetime


_NOT_COLUMNS = ("focal", "brands")
_OF_BRAND = ("clean_task_id", "source_task_id", "batch_id", "platform", "scene_type", "generation")


@dataclass(frozen=True, slots=True)
class Stored:
    """What storing results did."""

    current: tuple[NewResult, ...]
    """Those that are their sample's results now."""
    again: tuple[NewResult, ...]
    """Those whose sample had a result before: there may be candidates and sources of that one."""


def store(tx: Write, results: Sequence[NewResult]) -> Stored:
    """Store results, each as its sample's current one unless a newer generation has been there before.

    A newer generation sends the older row to history; an older one that comes late goes there itself.
    A result of the same task (a failure that was replayed) is replaced.
    """
    if not results:
        return Stored((), ())
    newest = _generations(tx, [result.source_task_id for result in results])
    again = [one for one in results if one.source_task_id in newest]
    older = [one for one in again if newest[one.source_task_id] > one.generation]
    current = [one for one in results if one not in older] if older else list(results)
    _retire(tx, [one for one in again if one not in older])
    _insert(tx, current, clean_result, brand_result)
    _drop(tx, [one.clean_task_id for one in older], clean_result_history, brand_result_history)
    _insert(tx, older, clean_result_history, brand_result_history)
    return Stored(tuple(current), tuple(again))


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """The result that an answer has now, and what it was read with."""

    clean_task_id: str
    generation: int
    lexicon_version: int
    cleaner_version: str
    clean_state: CleanState
    is_valid: bool | None


_PRESENT = select(clean_result.c.source_task_id, *(clean_result.c[field.name] for field in fields(Present))).where(
    clean_result.c.source_task_id.in_(bindparam("ids", expanding=True))
)


def present(read: Read, sources: Sequence[str]) -> dict[str, Present]:
    """Return the present results of answers, by answer; those without one are left out."""
    return {
        row.source_task_id: Present(
            clean_task_id=row.clean_task_id,
            generation=row.generation,
            lexicon_version=row.lexicon_version,
            cleaner_version=row.cleaner_version,
            clean_state=CleanState(row.clean_state),
            is_valid=as_bool(row.is_valid),
        )
        for row in read.all(_PRESENT, {"ids": sources})
    }


def held(tx: Write, sources: Sequence[str]) -> dict[str, str]:
    """Return the tasks of the present results, by answer; nobody else can replace them before this transaction ends."""
    tx.all(_SAMPLES, {"ids": sources})
    return {source: one.clean_task_id for source, one in present(tx, sources).items()}


def take_over(tx: Write, task_ids: Sequence[str], generation: int, lexicon_version: int, now: datetime) -> None:
    """Make present results, given by their tasks, those of a newer generation too; what they were goes to history.

    They must be `held`. Nothing in them changes but whose they are and when they came.
    """
    values = {
        "tasks": task_ids, "suffix": clean_task_id("", generation), "number": generation, "lexicon": lexicon_version,
        "now": now,
    }  # fmt: skip
    for statement in _TAKE_OVER:
        tx.run(statement, values)


def _tasks(table: Table) -> ColumnElement[bool]:
    return table.c.clean_task_id.in_(bindparam("tasks", expanding=True))


def _now_of(table: Table) -> dict[str, ColumnElement[Any]]:
    """Return what the rows of a task become as those of the same answer's task in another generation."""
    mine = table.c.source_task_id + bindparam("suffix", type_=String)
    values: dict[str, ColumnElement[Any]] = {"clean_task_id": mine, "generation": bindparam("number", type_=Integer)}
    if table is clean_result:
        lexicon = bindparam("lexicon", type_=Integer)
        return values | {"lexicon_version": lexicon, "cleaned_at": bindparam("now", type_=UtcDateTime)}
    return values | {"created_at": bindparam("now", type_=UtcDateTime)}


_TAKE_OVER: tuple[Executable, ...] = tuple(
    statement
    for table, history in ((clean_result, clean_result_history), (brand_result, brand_result_history))
    for statement in (
        insert(history).from_select([c.name for c in table.columns], select(table).where(_tasks(table))),
        update(table).where(_tasks(table)).values(_now_of(table)),
    )
)


_SAMPLES = (
    select(answer_sample.c.sub_task_id)
    .where(answer_sample.c.sub_task_id.in_(bindparam("ids", expanding=True)))
    .order_by(answer_sample.c.sub_task_id)
    .with_for_update()
)

_GENERATIONS = select(clean_result.c.source_task_id, clean_result.c.generation).where(
    clean_result.c.source_task_id.in_(bindparam("ids", expanding=True))
)


def _generations(tx: Write, sources: Sequence[str]) -> dict[str, int]:
    """Return the generations of the present results; nobody else can replace them before this transaction ends.

    Without the lock on the samples, two generations of one answer that end at once would both see the older result.
    """
    tx.all(_SAMPLES, {"ids": sources})
    return {row.source_task_id: row.generation for row in tx.all(_GENERATIONS, {"ids": sources})}


def _move_to_history(table: Table, history: Table) -> Insert:
    names = [column.name for column in table.columns]
    moved = _of_sources(table) & table.c.clean_task_id.not_in(bindparam("tasks", expanding=True))
    return insert(history).from_select(names, select(*(table.c[name] for name in names)).where(moved))


def _of_sources(table: Table) -> ColumnElement[bool]:
    return table.c.source_task_id.in_(bindparam("sources", expanding=True))


_RETIRE: tuple[Executable, ...] = tuple(
    statement
    for table, history in ((clean_result, clean_result_history), (brand_result, brand_result_history))
    for statement in (_move_to_history(table, history), delete(table).where(_of_sources(table)))
)
"""Built once: building them takes longer than running them."""


def _retire(tx: Write, results: Sequence[NewResult]) -> None:
    """Make room for results: rows of other tasks go to history, rows of the same tasks go."""
    if not results:
        return
    tasks, sources = [one.clean_task_id for one in results], [one.source_task_id for one in results]
    for statement in _RETIRE:
        tx.run(statement, {"tasks": tasks, "sources": sources})


def _drop(tx: Write, ids: Sequence[str], *tables: Table) -> None:
    for table in tables if ids else ():
        tx.run(delete(table).where(table.c.clean_task_id.in_(ids)))


def _insert(tx: Write, results: Sequence[NewResult], focal_table: Table, brand_table: Table) -> None:
    tx.insert(focal_table, [_focal_row(one) for one in results])
    tx.insert(brand_table, [row for one in results for row in _brand_rows(one)])


def _focal_row(result: NewResult) -> Mapping[str, object]:
    own = {name: getattr(result, name) for name in result.__slots__ if name not in _NOT_COLUMNS}
    return own | result.focal._asdict()


def _brand_rows(result: NewResult) -> list[dict[str, object]]:
    own = {column: getattr(result, column) for column in _OF_BRAND} | {"created_at": result.cleaned_at}
    return [own | {"brand_name": name} | figures._asdict() for name, figures in result.brands]


def stored_since(read: Read, since: datetime, redone: int | None = None) -> dict[int | None, int]:
    """Return how many results were stored since a moment, by validity; None counts failed tasks.

    With a generation in `redone` only those of its tasks that lay there at that moment to read an answer anew, or were
    made at it: other answers may get into the same generation meanwhile.
    """
    query = (
        select(clean_result.c.is_valid, func.count().label("rows"))
        .where(clean_result.c.cleaned_at >= since)
        .group_by(clean_result.c.is_valid)
    )
    if redone is not None:
        older = clean_state.alias()
        again = exists().where(older.c.source_task_id == clean_state.c.source_task_id, older.c.generation < redone)
        query = query.join(clean_state, clean_state.c.clean_task_id == clean_result.c.clean_task_id).where(
            clean_result.c.generation == redone,
            or_(clean_state.c.created_at == since, and_(clean_state.c.created_at < since, again)),
        )
    return {row.is_valid: int(row.rows) for row in read.all(query)}


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidShare:
    """How many of a platform's answers are none for one reason."""

    platform: str
    reason: str
    invalid: int
    answers: int
    """All judged answers of the platform."""

    @property
    def share(self) -> float:
        """Return the part of the answers that is invalid for this reason."""
        return self.invalid / self.answers


def invalid_shares(read: Read, since: datetime) -> list[InvalidShare]:
    """Return, for answers cleaned since then, how many of each platform are none, by reason."""
    result = clean_result.c
    query = (
        select(result.platform, result.invalid_reason, func.count().label("rows"))
        .where(result.cleaned_at >= since, result.is_valid.is_not(None))
        .group_by(result.platform, result.invalid_reason)
        .order_by(result.platform, result.invalid_reason)
    )
    rows = read.all(query)
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row.platform] += row.rows
    return [
        InvalidShare(
            platform=row.platform, reason=row.invalid_reason, invalid=int(row.rows), answers=totals[row.platform]
        )
        for row in rows
        if row.invalid_reason is not None
    ]


def examples(read: Read, share: InvalidShare, since: datetime, *, most: int = 3, longest: int = 80) -> list[str]:
    """Return the beginnings of some answers that are none for this reason, the newest first."""
    query = (
        select(func.substr(answer_sample.c.raw_response, 1, longest).label("text"))
        .join(clean_result, clean_result.c.source_task_id == answer_sample.c.sub_task_id)
        .where(
            clean_result.c.cleaned_at >= since,
            clean_result.c.platform == share.platform,
            clean_result.c.invalid_reason == share.reason,
        )
        .order_by(clean_result.c.cleaned_at.desc())
        .limit(most)
    )
    return [" ".join(str(row.text).split()) for row in read.all(query)]
