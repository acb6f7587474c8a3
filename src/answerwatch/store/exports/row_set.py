"""What describes one kind of rows that can be exported: its tables, columns, order and filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, Column, Float, FromClause
from sqlalchemy.types import TypeEngine

from answerwatch.store.types import UtcDateTime


class ValueKind(StrEnum):
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
    kind: ValueKind
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
    """Filter (a field of `Wanted`) -> the column that it looks at; other filters make no sense here."""
    flags: Mapping[str, Column[Any]] = field(default_factory=dict)
    """Flags (0, 1 or None) that are stored nowhere -> the column that whoever exports works them out from."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return (*(str(column.name) for column in self.columns), *self.flags)

    def picked(self, names: Sequence[str]) -> tuple[Column[Any], ...]:
        """Return the columns of these names in their order, for flags those that they come from.

        Raises KeyError for a name that is none.
        """
        by_name = {**{str(column.name): column for column in self.columns}, **self.flags}
        return tuple(by_name[name] for name in names)

    def facts(self, names: Sequence[str]) -> tuple[ColumnFacts, ...]:
        """Return what is to be known of the columns of these names."""
        return tuple(
            ColumnFacts(
                name=name,
                kind=ValueKind.INTEGER if name in self.flags else kind_of(one),
                origin=f"{one.table.name}.{one.name}",
            )
            for name, one in zip(names, self.picked(names), strict=True)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which rows; what is None does not filter. Its fields are all the filters that there are."""

    batches: Sequence[str] | None = None
    brands: Sequence[str] | None = None
    platforms: Sequence[str] | None = None
    scenes: Sequence[str] | None = None
    questions: Sequence[str] | None = None
    valid: bool | None = None
    active: bool | None = None
    since: datetime | None = None
    """At or after."""
    until: datetime | None = None
    """Before."""

    def given(self) -> dict[str, Any]:
        """Return the filters that filter, by name."""
        filters = {name: getattr(self, name) for name in FILTERS}
        return {name: value for name, value in filters.items() if value is not None}


FILTERS = tuple(one.name for one in fields(Wanted))


def kind_of(column: Column[Any]) -> ValueKind:
    """Return what the values of a column are."""
    kinds: tuple[tuple[type[TypeEngine[Any]], ValueKind], ...] = (
        (UtcDateTime, ValueKind.MOMENT),
        (JSON, ValueKind.JSON),
        (Float, ValueKind.NUMBER),
    )
    told = next((kind for type_, kind in kinds if isinstance(column.type, type_)), None)
    if told is not None:
        return told
    return ValueKind.TEXT if column.type.python_type is str else ValueKind.INTEGER
