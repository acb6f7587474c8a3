"""Values as they stand in cells and in JSON, the same from every database."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime, tzinfo

import orjson

_APART = "; "
_MARKS = re.compile(r"[,，;；、|\n]")
"""What separates the words of a cell when it is read (`questions import`)."""


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """Return a moment in a time zone; where the calendar of the zone does not reach it, it stays in UTC."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def moment_texts(moments: Sequence[datetime | None], zone: tzinfo) -> list[str | None]:
    """Return a column of moments as ISO 8601 with the offset of a zone."""
    try:
        return [None if moment is None else moment.astimezone(zone).isoformat() for moment in moments]
    except OverflowError:
        return [None if moment is None else in_zone(moment, zone).isoformat() for moment in moments]


def json_cell(value: object) -> str:
    """Return a list or object as the text of a cell: words of a list apart from each other, everything else as JSON.

    >>> json_cell(["洗地机", "性价比"]), json_cell(["a;b"]), json_cell({"seed": 1})
    ('洗地机; 性价比', '["a;b"]', '{"seed":1}')
    """
    if isinstance(value, list) and all(map(_is_word, value)):
        return _APART.join(value)
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # half a surrogate pair or a number of more than 64 bits: JSON has escapes and digits for them
        return json.dumps(value, separators=(",", ":"))


def _is_word(value: object) -> bool:
    """Tell whether a value can stand beside others in a cell and be told apart when it is read."""
    return isinstance(value, str) and value == value.strip() != "" and not _MARKS.search(value)
