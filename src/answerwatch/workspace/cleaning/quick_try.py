"""Reading one text without a workspace: for a first look at what the reader does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from answerwatch.reading import CleanedAnswer, Lexicon, clean


def clean_text(
    answer: str, names: Mapping[str, Iterable[str]], *, question: str | None = None, scene: str | None = None
) -> CleanedAnswer:
    """Return how an answer is read with a lexicon of plain names: brand -> aliases.

    Raises UsageError where a name is empty after folding.
    """
    return clean(answer, question=question, scene=scene, lexicon=Lexicon.of(names))
