"""Rows as they are exported: what can be exported is one table here, each entry with its columns and its query.

What a column means stands beside it in the schema and nowhere else; `docs/exporting.md` names the columns from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from sqlalchemy import JSON, Column, Float, FromClause, Select, Table, func, select, text, type_coerce
from sqlalchemy.types import NullType, TypeEngine

from answerwatch.store.database import Read
from answerwatch.store.schema.bank import question_bank
from answerwatch.store.schema.batch import question_usage_log, task_batch
from answerwatch.store.schema.clean import brand_result, clean_result, entity_match_detail
from answerwatch.store.schema.sample import answer_sample, citation
from answerwatch.store.types import UtcDateTime

ROWS_A_TIME = 500
"""Rows that are held at a time; answers can be long."""


Columns = Sequence[Sequence[Any]]
"""Some rows, turned: the values of each column, all columns of one length."""


class Kind(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    MOMENT = "moment"
    """Aware, in UTC."""
    JSON = "json"
    """Lists and objects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """What is to be known of a column by those who write its values."""

    name: str
    kind: Kind
    origin: str
    """Table and column of the schema, where its meaning stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSet:
    """One kind of rows that can be exported."""

    name: str
    source: FromClause
    """Tables, joined."""
    columns: tuple[Column[Any], ...]
    """In the order in which they are written; no two have the same name."""
    order: tuple[Column[Any], ...]
    narrowed: Mapping[str, Column[Any]]
    """Filter -> the column that it looks at; other filters make no sense here."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(str(column.name) for column in self.columns)

    def picked(self, names: Sequence[str]) -> tuple[Column[Any], ...]:
        """Return the columns of these names in their order; raises KeyError for a name that is none."""
        by_name = {column.name: column for column in self.columns}
        return tuple(by_name[name] for name in names)

    def facts(self, names: Sequence[str]) -> tuple[ColumnFacts, ...]:
        """Return what is to be known of the columns of these names."""
        return tuple(
            ColumnFacts(name=str(one.name), kind=kind_of(one), origin=f"{one.table.name}.{one.name}")
            for one in self.picked(names)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which rows; what is None does not filter."""

    batch: Sequence[str] | None = None
    brand: Sequence[str] | None = None
    platform: Sequence[str] | None = None
    scene: Sequence[str] | None = None
    question: Sequence[str] | None = None
    valid: bool | None = None
    active: bool | None = None
    since: datetime | None = None
    """At or after."""
    until: datetime | None = None
    """Before."""


def kind_of(column: Column[Any]) -> Kind:
    """Return what the values of a column are."""
    kinds: tuple[tuple[type[TypeEngine[Any]], Kind], ...] = (
        (UtcDateTime, Kind.MOMENT),
        (JSON, Kind.JSON),
        (Float, Kind.NUMBER),
    )
    told = next((kind for type_, kind in kinds if isinstance(column.type, type_)), None)
    if told is not None:
        return told
    return Kind.TEXT if column.type.python_type is str else Kind.INTEGER


def count(read: Read, rows: RowSet, wanted: Wanted) -> int:
    """Return how many rows there are."""
    return int(read.scalar(_narrowed(select(func.count()).select_from(rows.source), rows, wanted)))


def stream(read: Read, rows: RowSet, names: Sequence[str], wanted: Wanted) -> Iterator[Columns]:
    """Yield the rows in order, some at a time, all as they were at one moment: it is one query.

    They come as columns, and moments are read here: SQLAlchemy's way, a call or two for each, takes longer than SQLite
    takes to find the row. Servers are told to wait for whoever takes the rows: they may go through a pipe to a person.
    """
    if read.dialect in _PATIENCE:
        read.connection.execute(text(_PATIENCE[read.dialect]))
    picked = rows.picked(names)
    moments = [index for index, column in enumerate(picked) if kind_of(column) is Kind.MOMENT]
    asked = [type_coerce(one, NullType()).label(one.name) if kind_of(one) is Kind.MOMENT else one for one in picked]
    query = _narrowed(select(*asked).select_from(rows.source), rows, wanted).order_by(*rows.order)
    with read.connection.execute(query, execution_options={"yield_per": ROWS_A_TIME}) as result:
        for part in result.partitions():
            columns: list[Sequence[Any]] = list(zip(*part, strict=True))
            for index in moments:
                columns[index] = [None if value is None else _moment(value) for value in columns[index]]
            yield columns


def _moment(value: str | datetime) -> datetime:
    """Return what a driver gives for a moment as an aware one in UTC; SQLite keeps texts, servers know the type."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


_PATIENCE = {
    "postgresql": "SET LOCAL idle_in_transaction_session_timeout = 0",
    "mysql": "SET SESSION net_write_timeout = 86400",
}


def _narrowed(query: Select[Any], rows: RowSet, wanted: Wanted) -> Select[Any]:
    """Return the query with the filters; raises KeyError for one that the rows do not know."""
    for name in ("batch", "brand", "platform", "scene", "question"):
        values = getattr(wanted, name)
        if values is not None:
            query = query.where(rows.narrowed[name].in_(values))
    for name in ("valid", "active"):
        flag = getattr(wanted, name)
        if flag is not None:
            query = query.where(rows.narrowed[name] == int(flag))
    if wanted.since is not None:
        query = query.where(rows.narrowed["since"] >= wanted.since)
    if wanted.until is not None:
        query = query.where(rows.narrowed["until"] < wanted.until)
    return query


def _named(table: Table, names: str) -> tuple[Column[Any], ...]:
    """Return columns of a table by their names in one text."""
    return tuple(table.c[name] for name in names.split())


def _but(table: Table, *taken: Sequence[Column[Any]]) -> tuple[Column[Any], ...]:
    """Return the columns of a table whose names are not taken already."""
    names = {column.name for columns in taken for column in columns}
    return tuple(column for column in table.columns if column.name not in names)


def _filters(**columns: Column[Any]) -> Mapping[str, Column[Any]]:
    """Return filters by name; the one for `moment` is that of both ends of a time."""
    moment = columns.pop("moment", None)
    ends = {} if moment is None else {"since": moment, "until": moment}
    return MappingProxyType({**columns, **ends})


_ASKED = _named(answer_sample, "batch_id question_id question_version platform scene_type round collected_at")
"""What every row about an answer says of how it was asked."""


def _of_answers(focal: Column[Any], valid: Column[Any] | None = None) -> Mapping[str, Column[Any]]:
    """Return the filters of rows about answers."""
    judged = {} if valid is None else {"valid": valid}
    return _filters(
        batch=answer_sample.c.batch_id, brand=focal, platform=answer_sample.c.platform,
        scene=answer_sample.c.scene_type, question=answer_sample.c.question_id, moment=answer_sample.c.collected_at,
        **judged,
    )  # fmt: skip


def _results() -> RowSet:
    told = (answer_sample.c.sub_task_id, *_ASKED, *_named(answer_sample, "query_text model_served"))
    return RowSet(
        name="results",
        source=clean_result.join(answer_sample, answer_sample.c.sub_task_id == clean_result.c.source_task_id),
        columns=(*told, *_but(clean_result, told, [clean_result.c.source_task_id])),
        order=(answer_sample.c.sub_task_id,),
        narrowed=_of_answers(clean_result.c.brand_name, clean_result.c.is_valid),
    )


def _brand_results() -> RowSet:
    told = (answer_sample.c.sub_task_id, *_ASKED)
    return RowSet(
        name="brand-results",
        source=brand_result.join(answer_sample, answer_sample.c.sub_task_id == brand_result.c.source_task_id),
        columns=(*told, *_but(brand_result, told, [brand_result.c.source_task_id])),
        order=(brand_result.c.clean_task_id, brand_result.c.brand_name),
        narrowed=_of_answers(brand_result.c.brand_name),
    )


def _matches() -> RowSet:
    told = (answer_sample.c.sub_task_id, *_ASKED)
    source = entity_match_detail.join(
        clean_result, clean_result.c.clean_task_id == entity_match_detail.c.clean_task_id
    ).join(answer_sample, answer_sample.c.sub_task_id == clean_result.c.source_task_id)
    return RowSet(
        name="matches",
        source=source,
        columns=(*told, *_but(entity_match_detail, told)),
        order=(entity_match_detail.c.match_id,),
        narrowed=_of_answers(entity_match_detail.c.standard_name, clean_result.c.is_valid),
    )


def _samples() -> RowSet:
    return RowSet(
        name="samples",
        source=answer_sample,
        columns=tuple(answer_sample.columns),
        order=(answer_sample.c.sub_task_id,),
        narrowed=_of_answers(answer_sample.c.brand_name, answer_sample.c.is_valid),
    )


def _citations() -> RowSet:
    told = (answer_sample.c.sub_task_id, *_ASKED, answer_sample.c.brand_name)
    return RowSet(
        name="citations",
        source=citation.join(answer_sample, answer_sample.c.sub_task_id == citation.c.sub_task_id),
        columns=(*told, *_but(citation, told)),
        order=tuple(citation.primary_key.columns),
        narrowed=_of_answers(answer_sample.c.brand_name, answer_sample.c.is_valid),
    )


def _tasks() -> RowSet:
    usage = question_usage_log
    return RowSet(
        name="tasks",
        source=usage.join(task_batch, task_batch.c.batch_id == usage.c.batch_id),
        columns=(*usage.columns, task_batch.c.brand_name),
        order=(usage.c.sub_task_id,),
        narrowed=_filters(
            batch=usage.c.batch_id, brand=task_batch.c.brand_name, platform=usage.c.platform,
            scene=usage.c.scene_type, question=usage.c.question_id, moment=usage.c.created_at,
        ),
    )  # fmt: skip


def _batches() -> RowSet:
    batch = task_batch.c
    return RowSet(
        name="batches",
        source=task_batch,
        columns=tuple(task_batch.columns),
        order=(batch.created_at, batch.batch_id),
        narrowed=_filters(batch=batch.batch_id, brand=batch.brand_name, moment=batch.created_at),
    )


def _questions() -> RowSet:
    question = question_bank.c
    return RowSet(
        name="questions",
        source=question_bank,
        columns=tuple(question_bank.columns),
        order=(question.question_id,),
        narrowed=_filters(question=question.question_id, scene=question.scene_type, active=question.is_active),
    )


ROW_SETS: Mapping[str, RowSet] = MappingProxyType(
    {
        made.name: made
        for made in (
            _results(), _brand_results(), _matches(), _samples(), _citations(), _tasks(), _batches(), _questions(),
        )
    }
)  # fmt: skip
"""Everything that can be exported, by name. A new column of a table is exported by itself, a new kind of rows is one
function more."""
