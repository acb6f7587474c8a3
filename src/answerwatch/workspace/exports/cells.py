"""Values as they stand in cells and in JSON, the same from every database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from answerwatch.workspace.files.as_json import json_bytes
from answerwatch.workspace.files.word_lists import words_cell


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
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return words_cell(value)
    return json_bytes(value).decode()
