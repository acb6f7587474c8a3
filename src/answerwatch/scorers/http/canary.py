"""Fixed texts whose numbers tell one model from another where the server does not say which one it runs."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from hashlib import blake2b

import numpy as np

from answerwatch.similarity.scorer import Floats

TEXTS = ("今天下午的会议改到三点半。", "The parcel was left with a neighbour on Tuesday.")
"""Texts of the canary of vector scorers."""
PAIRS = (
    ("这款手机的电池耐用吗", "充一次电可以用两天左右。"),
    ("会议改到几点", "今天下午的会议改到三点半。"),
    ("Where was the parcel left?", "The parcel was left with a neighbour on Tuesday."),
    ("怎么退货", "本店支持七天无理由退换，邮费自理。"),
)
"""Pairs of the canary of pair scorers: neither equal nor strangers, where models differ."""

_SAME_COSINE = 0.9999
"""Numbers of one model differ by less than this from call to call; those of two models by far more."""
_SAME_SCORE = 0.003


def is_same(old: Sequence[Floats], new: Sequence[Floats]) -> bool:
    """Tell whether two answers to the canary are of one model, but for noise of arithmetic."""
    if len(old) != len(new) or any(one.shape != other.shape for one, other in zip(old, new, strict=True)):
        return False
    return all(_is_near(one, other) for one, other in zip(old, new, strict=True))


def _is_near(one: Floats, other: Floats) -> bool:
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        return bool(np.array_equal(one, other, equal_nan=True))
    if one.ndim == 0:
        return bool(abs(one - other) <= _SAME_SCORE * max(1.0, float(abs(one))))
    lengths = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    return bool(np.dot(one, other) >= _SAME_COSINE * lengths)


def name_of(rows: Sequence[Floats]) -> str:
    """Return a short name for an answer to the canary."""
    seen = blake2b(digest_size=6)
    for row in rows:
        seen.update((np.round(row, 2) + 0.0).astype("<f4").tobytes() + b"|")
    return seen.hexdigest()


def to_note(of: str, name: str, rows: Sequence[Floats]) -> dict[str, object]:
    """Return what is written down of an answer: for which scorer it is, its name, its numbers."""
    packed = [base64.b64encode(row.astype("<f4").tobytes()).decode() for row in rows]
    return {"of": of, "name": name, "rows": packed}


def from_note(note: object, of: str, shape: tuple[int, ...]) -> tuple[str, list[Floats]] | None:
    """Return name and numbers that were written down for this scorer; None where there are none that can be read."""
    if not isinstance(note, Mapping) or note.get("of") != of:
        return None
    name, rows = note.get("name"), note.get("rows")
    if not isinstance(name, str) or not isinstance(rows, list):
        return None
    try:
        found = [np.frombuffer(base64.b64decode(row), dtype="<f4").astype(np.float32) for row in rows]
        return name, [row.reshape(shape) for row in found]
    except (TypeError, ValueError):
        return None
