"""What cleaning passes from loading to reading to storing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from answerwatch.domain.clean_states import InvalidReason
from answerwatch.domain.relevance import Fit, Relevance, Thresholds
from answerwatch.domain.work import Claim
from answerwatch.reading import Reading, Verdict
from answerwatch.store.bank.lexicons import StoredLexicon
from answerwatch.store.clean.cleaning_tasks import CleanTask
from answerwatch.store.clean.results import Present
from answerwatch.store.sample.samples import SampleText


@dataclass(frozen=True, slots=True, kw_only=True)
class ToClean:
    """A claimed clean task with its answer."""

    claim: Claim
    task: CleanTask | None
    """None: its row is missing."""
    sample: SampleText | None
    """None: its answer is missing."""
    lexicons: Mapping[int, StoredLexicon] = field(default_factory=dict)
    """Those that the process has not compiled yet, by version."""
    thresholds: Thresholds | None = None
    """Of the relevance scorer; None: it has none, or relevance is not asked for."""
    present: Present | None = None
    """The result that may stand in the task's generation too, if nothing in the answer has changed; None: read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the reader made of an answer in one step."""

    task: CleanTask
    sample: SampleText
    verdict: Verdict | None
    """None: nothing was read, because the task was done already or the present result stands."""
    present: Present | None = None
    """The result that stands in the task's generation too; None: it does not."""
    reading: Reading | None = None
    """None where the answer is not valid, or not read yet."""
    relevance: Relevance | None = None
    """None: it was not asked for."""
    focal_is_tracked: bool = False
    """The lexicon version holds the focal brand: only then is "not mentioned" a finding."""

    @property
    def fit(self) -> Fit:
        """Return whether the answer belongs to its question: one that names a tracked brand does."""
        if self.relevance is None or self.verdict is None or self.relevance.fit is Fit.UNKNOWN:
            return Fit.UNKNOWN
        if self.verdict.is_valid:
            return Fit.SUSPECT if self.verdict.suspect else Fit.RELEVANT
        return Fit.IRRELEVANT if self.verdict.invalid_reason is InvalidReason.IRRELEVANT else Fit.UNKNOWN
