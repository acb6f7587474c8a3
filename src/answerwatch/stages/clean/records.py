"""What cleaning passes from loading to reading to storing."""

from __future__ import annotations

from dataclasses import dataclass

from answerwatch.domain.work import Claim
from answerwatch.reading import Reading, Verdict
from answerwatch.store.cleaning import CleanTask
from answerwatch.store.lexicons import StoredLexicon
from answerwatch.store.samples import SampleText


@dataclass(frozen=True, slots=True, kw_only=True)
class ToClean:
    """A claimed clean task with its answer."""

    claim: Claim
    task: CleanTask | None
    """None: its row is missing."""
    sample: SampleText | None
    """None: its answer is missing."""
    lexicon: StoredLexicon | None = None
    """Given where the process has not compiled this version yet."""
    remembered: Judged | None = None
    """What the step before has read of it in this process; then nothing else is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the reader made of an answer in one step."""

    task: CleanTask
    sample: SampleText
    verdict: Verdict | None
    """None: the task was done already, and nothing is to be stored."""
    reading: Reading | None = None
    """None where the answer is not valid, or not read yet."""
    focal_is_tracked: bool = False
    """The lexicon version holds the focal brand: only then is "not mentioned" a finding."""
