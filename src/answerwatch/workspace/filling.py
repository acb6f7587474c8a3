"""Views filled from rows: a field takes the column of its name, so that a new column stands in one view only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from answerwatch.store.types import as_bool

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

V = TypeVar("V", bound="DataclassInstance")


def filled(view: type[V], row: Mapping[str, Any], /, **given: object) -> V:
    """Return a view of a row; what is given stands as it is, other columns of the row are left out.

    Fields that are truth values are made of stored flags, unknown stays None. Raises KeyError that names view and field
    for one that is neither given nor a column, TypeError for something given that is no field.
    """
    flags = _flags(view)
    try:
        values = {
            field.name: as_bool(row[field.name]) if field.name in flags else row[field.name]
            for field in fields(view)
            if field.name not in given
        }
    except KeyError as error:
        text = f"{view.__name__} needs {error.args[0]}, which nobody gave and no column of the row has"
        raise KeyError(text) from None
    return view(**values, **given)


@cache
def _flags(view: type[DataclassInstance]) -> frozenset[str]:
    """Return the fields that are `bool` or `bool | None`; cached because lists fill the same view for every row."""
    return frozenset(name for name, kind in get_type_hints(view).items() if kind in (bool, bool | None))
