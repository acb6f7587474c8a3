"""Rows by their columns, which are converted one at a time: that takes a third of the time of going through cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Columns = Sequence[Sequence[Any]]
"""Some rows, turned: the values of each column, all columns of one length."""

OfColumn = Callable[[Sequence[Any]], list[Any]]
"""Makes other values of those of a column, each by itself."""

MOSTLY = 4
"""Values of a column that repeats itself: one in so many, at most, is a different one."""


def by_difference(convert: OfColumn) -> OfColumn:
    """Return what converts a column of hashable values, each different one once: most columns of most rows repeat.

    A column that does not repeat itself is not looked at again, since looking at long texts takes long. Values that are
    equal must become the same: 0.0 and -0.0 may not come this way.
    """
    repeats = True

    def converted(values: Sequence[Any]) -> list[Any]:
        nonlocal repeats
        different = set(values) if repeats else set()
        repeats = repeats and len(different) * MOSTLY <= len(values)
        if not repeats:
            return convert(values)
        if len(different) == 1:
            return convert(values[:1]) * len(values)
        given = list(different)
        return list(map(dict(zip(given, convert(given), strict=True)).__getitem__, values))

    return converted


def by_identity(convert: OfColumn) -> OfColumn:
    """Return what converts a column of lists and objects, each of them once: rows that were read alike share theirs."""

    def converted(values: Sequence[Any]) -> list[Any]:
        shared = {id(value): value for value in values}
        known = dict(zip(shared, convert(list(shared.values())), strict=True))
        return [known[id(value)] for value in values]

    return converted
