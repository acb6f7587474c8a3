"""Records as plain values for JSON: dictionaries, lists, strings, finite numbers and None."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum

from answerwatch.errors import UsageError

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
"""What strict JSON can hold."""


def to_plain(value: object) -> Plain:
    """Return a record or any part of one as JSON values: moments as ISO 8601 in UTC, enums by value, unknown as None.

    A record with a `to_dict` of its own is what that says. Raises UsageError for NaN, infinities and types that JSON
    does not know: unknown is None long before this point.
    """
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, datetime):
        return moment(value)
    if hasattr(value, "__fspath__"):
        return str(value)
    return _holder(value)


def moment(value: datetime) -> str:
    """Return an aware moment as ISO 8601 in UTC with a `Z`."""
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _number(value: float) -> float:
    if not math.isfinite(value):
        raise UsageError("not_plain", f"{value} cannot be written as JSON; unknown is null.", value=value)
    return value


def _holder(value: object) -> Plain:
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return to_plain(value._asdict())
    if isinstance(value, tuple | list | frozenset):
        return [to_plain(part) for part in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        own = getattr(value, "to_dict", None)
        if callable(own):
            return to_plain(own())
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise UsageError("not_plain", f"A {type(value).__name__} cannot be written as JSON.", type=type(value).__name__)
