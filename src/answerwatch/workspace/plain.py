"""Views as plain values for JSON: dictionaries, lists, strings, finite numbers and None."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
"""What strict JSON can hold."""


def to_dict(view: object) -> dict[str, Plain]:
    """Return a view as JSON values: moments as ISO 8601 in UTC, enums by value, unknown as None."""
    own = getattr(view, "to_dict", None)
    plain = own() if callable(own) else to_plain(view)
    if not isinstance(plain, dict):
        raise TypeError(f"{type(view).__name__} is no view")
    return plain


def to_plain(value: object) -> Plain:
    """Return any part of a view as JSON values; raises TypeError for what JSON does not know."""
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, Path):
        return str(value)
    return _holder(value)


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
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


def moment(value: datetime) -> str:
    """Return an aware moment as ISO 8601 in UTC with a `Z`."""
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
