"""Figures as plain values for JSON: dictionaries, lists, strings, finite numbers and None."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from enum import StrEnum

from answerwatch.errors import UsageError

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
"""What strict JSON can hold."""


def to_plain(value: object) -> Plain:
    """Return records, enums, mappings and tuples as strict JSON values.

    Raises UsageError for NaN, infinities and types that JSON does not know: unknown is None long before this point.
    """
    if isinstance(value, float):
        return _number(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return str(value.value) if isinstance(value, StrEnum) else value
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(part) for part in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise UsageError("figures_not_plain", f"A {type(value).__name__} cannot be written as JSON.", type=type(value))


def _number(value: float) -> float:
    """Return the number, or raise UsageError when JSON has no word for it."""
    if not math.isfinite(value):
        raise UsageError("figures_not_plain", f"{value} cannot be written as JSON; unknown is null.", value=value)
    return value
