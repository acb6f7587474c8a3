"""Near duplicates in a list: which texts say the same as an earlier one, and what a score cannot see."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from answerwatch.similarity.scorer import Floats


class Differs(StrEnum):
    """In what two texts differ that vectors score as the same."""

    NUMBER = "number"
    NEGATION = "negation"


class Twin(NamedTuple):
    """A text that says the same as an earlier one."""

    place: int
    """In the list, from 0."""
    kept: int
    """Of the earlier one."""
    score: float


_NUMBER = re.compile(r"\d+(?:\.\d+)?|[一二三四五六七八九十百千万]+(?=[个款台元块年月天岁口寸升种家条次人])")
_NEGATION = re.compile(
    r"[不没无非别勿]|\b(?:not|no|never|without|isn't|aren't|don't|doesn't|can't|won't|unlike\w*|unable)\b",
    re.IGNORECASE,
)
_NO_NEGATION = re.compile(r"不错|不同|不过|不仅|不但|不管|不论|无论|无线|非常|特别|类别|差别|区别|别墅")
"""Words with such a character that deny nothing."""


def differences(one: str, other: str) -> frozenset[Differs]:
    """Return in what two texts differ that vector scorers hardly see: their numbers, and whether they deny.

    A contradiction often scores higher than a paraphrase, so a twin by score alone may ask the opposite.
    """
    found = set()
    if _numbers(one) != _numbers(other):
        found.add(Differs.NUMBER)
    if _denials(one) != _denials(other):
        found.add(Differs.NEGATION)
    return frozenset(found)


def _numbers(text: str) -> list[str]:
    return sorted(_NUMBER.findall(unicodedata.normalize("NFKC", text)))


def _denials(text: str) -> int:
    return len(_NEGATION.findall(_NO_NEGATION.sub(" ", text)))


def twins(scores: Floats, least: float, texts: Sequence[str]) -> list[Twin]:
    """Return the texts that say the same as an earlier one that is kept, in the order of the list.

    `scores` are those of the list with itself, (texts, texts). A text joins the earlier one that it is most like, never
    by way of a third; texts that differ in a number or a denial are no twins, whatever their score.
    """
    kept: list[int] = []
    found = []
    for place in range(len(texts)):
        best = _best(scores, place, [one for one in kept if scores[place, one] >= least], texts)
        if best is None:
            kept.append(place)
        else:
            found.append(Twin(place, best, float(scores[place, best])))
    return found


def _best(scores: Floats, place: int, among: Sequence[int], texts: Sequence[str]) -> int | None:
    alike = [one for one in among if not differences(texts[place], texts[one])]
    return None if not alike else alike[int(np.argmax(scores[place, alike]))]
