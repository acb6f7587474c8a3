"""JSON as it is written into files and cells."""

from __future__ import annotations

import json

import orjson


def json_bytes(value: object) -> bytes:
    r"""Return a value as JSON in UTF-8, on one line; raises TypeError for what JSON does not know.

    >>> json_bytes({"seed": 1}), json_bytes("\ud83d")
    (b'{"seed":1}', b'"\\ud83d"')
    """
    try:
        return orjson.dumps(value)
    except TypeError:  # half a surrogate pair or a number of more than 64 bits: JSON has escapes and digits for them
        return json.dumps(value, separators=(",", ":")).encode()
