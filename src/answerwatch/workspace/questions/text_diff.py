"""What differs between two texts, as people read it: sentences first, and inside those that changed, words."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from answerwatch.domain.texts import HAN
from answerwatch.workspace.questions.views import Piece

_WORDS = re.compile(rf"[{HAN}]|[^\W{HAN}]+|\s+|.", re.DOTALL)
"""What is compared: one Chinese character, one word, one sign."""
_SENTENCES = re.compile(r"[^。！？!?;；\n]*[。！？!?;；\n]+|[^。！？!?;；\n]+")

MOST_WORK = 200_000
"""Pairs of equal parts that are looked at; texts with more are told as replaced, since comparing would take seconds."""


def compared(before: str, after: str) -> Iterator[Piece]:
    """Yield both texts as pieces that are the same, removed or added; no two neighbours are of one kind."""
    kind, texts = "", list[str]()
    for piece in _compared(before, after):
        if piece.kind != kind and texts:
            yield Piece(kind, "".join(texts))
            texts = []
        kind = piece.kind
        texts.append(piece.text)
    if texts:
        yield Piece(kind, "".join(texts))


def _compared(before: str, after: str) -> Iterator[Piece]:
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if _work(old, new) <= MOST_WORK:
        yield from _by_parts(old, new)
        return
    old, new = _SENTENCES.findall(before), _SENTENCES.findall(after)
    if len(old) == len(new):
        yield from _one_by_one(old, new)
    elif _work(old, new) > MOST_WORK:
        yield from _inside(before, after)
    else:
        for kind, i, j, k, m in _steps(old, new):
            if kind == "replace" and j - i == m - k:
                yield from _one_by_one(old[i:j], new[k:m])
            else:
                yield from _replaced("".join(old[i:j]), "".join(new[k:m]), same=kind == "equal")


def _one_by_one(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    for before, after in zip(old, new, strict=True):
        yield from _inside(before, after)


def _inside(before: str, after: str) -> Iterator[Piece]:
    """Compare two sentences that stand in one place; of long ones only what lies between equal ends."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    head = _equal(old, new)
    tail = _equal(old[head:][::-1], new[head:][::-1])
    yield from _replaced("", "".join(new[:head]), same=True)
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if _work(left, right) <= MOST_WORK:
        yield from _by_parts(left, right)
    else:
        yield from _replaced("".join(left), "".join(right), same=False)
    yield from _replaced("", "".join(new[len(new) - tail :]), same=True)


def _equal(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many parts at the beginning are equal."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(old), len(new)))


def _by_parts(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    for kind, i, j, k, m in _steps(old, new):
        yield from _replaced("".join(old[i:j]), "".join(new[k:m]), same=kind == "equal")


def _steps(old: Sequence[str], new: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    return difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def _replaced(before: str, after: str, *, same: bool) -> Iterator[Piece]:
    if same:
        yield from (Piece("same", text) for text in (after,) if text)
        return
    if before:
        yield Piece("removed", before)
    if after:
        yield Piece("added", after)


def _work(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many pairs of equal parts there are, which is what comparing them takes."""
    counts = Counter(new)
    return sum(count * counts[part] for part, count in Counter(old).items())
