"""Words of a list in one cell of a table: written and read by one rule, so that what was exported is read as it was."""

from __future__ import annotations

import re
from collections.abc import Sequence

import orjson

from answerwatch.workspace.files.as_json import json_bytes
from answerwatch.workspace.files.cells import clean_cell

_BETWEEN = "; "
_MARKS = re.compile(r"[,，;；、|\n]")
"""What people put between words."""
_LIST = "["
"""How a list in JSON begins, which stands where words hold marks themselves."""


def words_cell(words: Sequence[str]) -> str:
    """Return words as the text of a cell: apart from each other, or as a list in JSON where that would be misread.

    >>> words_cell(["洗地机", "性价比"]), words_cell(["a;b"])
    ('洗地机; 性价比', '["a;b"]')
    """
    text = _BETWEEN.join(words)
    plain = not text.startswith(_LIST) and all(word == word.strip() != "" and not _MARKS.search(word) for word in words)
    return text if plain else json_bytes(list(words)).decode()


def cell_words(cell: str) -> tuple[str, ...]:
    """Return the words of a cell that separates them by comma, semicolon, `、`, `|` or line end, or holds them as JSON.

    >>> cell_words("洗地机、性价比;"), cell_words('["a;b"]'), cell_words("[new")
    (('洗地机', '性价比'), ('a;b',), ('[new',))
    """
    listed = _listed(cell) if cell.startswith(_LIST) else None
    parts = _MARKS.split(cell) if listed is None else listed
    return tuple(word for part in parts if (word := clean_cell(part)))


def _listed(cell: str) -> list[str] | None:
    """Return the texts of a list in JSON; None for any other cell."""
    try:
        found = orjson.loads(cell)
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, list) and all(isinstance(part, str) for part in found) else None
