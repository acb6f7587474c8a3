"""Quick looks save time only: whatever a pattern can find, the quick look before it finds too.

A cue or refusal that its quick look does not know would never be found, and no other test would show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import product
from typing import Any

import pytest

from answerwatch.reading import cues, phrases, quick_looks, sequels

PARSER = import_module("re._parser")
"""Python's own parser of patterns: what the engine compiles is what is tested."""
FILLER = "~"
"""Stands for a character of a class that says which it does not take; in no quick look."""

SPOKEN = (
    cues.POSITIVE,
    cues.WEAK,
    cues.NEGATIVE,
    cues.DOUBLE_NEGATION,
    cues.OPEN_QUESTION,
    sequels.TRAILING_FOR,
    sequels.TRAILING_AGAINST,
)
REFUSALS = (phrases.FILTER_NOTICE, phrases.REFUSAL)


class Wordings:
    """Every wording of a pattern: each alternative, with and without each part that may be missing.

    Of wordings that differ only in letters that are in no quick look one is enough. Conditions on what stands around
    are left out, so there are a few more than the pattern would take.
    """

    def __init__(self, quick: re.Pattern[str]) -> None:
        self._telling = frozenset(quick.pattern)

    def of(self, pattern: re.Pattern[str]) -> list[str]:
        return self._of_all(PARSER.parse(pattern.pattern, pattern.flags))

    def _of_all(self, nodes: Iterable[Any]) -> list[str]:
        parts = (self._different(self._of(str(kind), about)) for kind, about in nodes)
        return self._different(map("".join, product(*parts)))

    def _different(self, texts: Iterable[str]) -> list[str]:
        return list({self._shape(text): text for text in texts}.values())

    def _shape(self, text: str) -> str:
        return "".join(char if char.isspace() or char.lower() in self._telling else FILLER for char in text)

    def _of(self, kind: str, about: Any) -> Iterator[str]:  # noqa: ANN401 - each kind of node has content of its own
        match kind:
            case "LITERAL":
                yield chr(about)
            case "NOT_LITERAL" | "ANY":
                yield FILLER
            case "IN":
                yield from (chr(code) if str(sort) == "LITERAL" else FILLER for sort, code in about)
            case "BRANCH":
                for nodes in about[1]:
                    yield from self._of_all(nodes)
            case "SUBPATTERN":
                yield from self._of_all(about[-1])
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, _, nodes = about
                for times in {least, max(least, 1)}:
                    yield from (text * times for text in self._of_all(nodes))
            case "ASSERT" | "ASSERT_NOT" | "AT":
                yield ""
            case _:
                raise AssertionError(f"this test knows no {kind}; teach it")


@pytest.mark.parametrize(
    ("quick", "patterns"),
    [pytest.param(quick_looks.SPEAKS, SPOKEN, id="cues"), pytest.param(phrases.MAY_REFUSE, REFUSALS, id="refusals")],
)
def test_a_quick_look_misses_nothing_that_its_patterns_find(
    quick: re.Pattern[str], patterns: tuple[re.Pattern[str], ...]
) -> None:
    wordings = Wordings(quick)
    missed = [text for pattern in patterns for text in wordings.of(pattern) if not quick.search(text.lower())]
    assert not missed, f"the quick look needs a word for {sorted(missed)[:5]}"


def test_a_cue_that_the_quick_look_does_not_know_is_noticed() -> None:
    wordings = Wordings(re.compile("ab"))
    assert wordings.of(re.compile("a[^x]?b|(?:c|ab)d")) == ["ab", "a~b", "cd", "abd"]
    assert wordings.of(re.compile("(?<!a)c(?=b)")) == ["c"]
