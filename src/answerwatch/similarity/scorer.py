"""What a scorer is: two small protocols, and what everybody must know of one before its numbers are used.

A *vector* scorer turns single texts into vectors, and the score of a pair is their product; a *pair* scorer looks at
both texts at once, which sees more and costs a pass of the model for every pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from answerwatch.domain.failures import Failure
from answerwatch.domain.said import Said
from answerwatch.domain.similarity import REVISION_UNKNOWN_PART, Warned
from answerwatch.errors import WorkError

Floats = npt.NDArray[np.float32]
"""Vectors (texts, dimensions), of length 1 each, or scores (pairs)."""


class ScorerKind(StrEnum):
    """What a scorer takes."""

    VECTOR = "vector"
    PAIR = "pair"


class Role(StrEnum):
    """As what a text is encoded; models that were trained for search tell questions from what answers them."""

    SAME = "same"
    """Both sides are alike: sentences are compared with sentences."""
    QUERY = "query"
    PASSAGE = "passage"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerFacts:
    """What is known of a scorer; `scorer_id` names exactly what its numbers depend on."""

    name: str
    """As people say: `lexical`, `use`, `e5`, or a name of `scorers.toml`."""
    kind: ScorerKind
    model: str
    """The model, `use-m3`; for a server what it was asked for."""
    revision: str | None
    """Of the weights: version and hash, or what the server says; None: unknown, so no cache outlives its job."""
    settings: str = ""
    """What else changes the numbers: `prompt=...;len=2000`. Never a key or an address."""
    dimensions: int | None = None
    """Of its vectors; None: not known before the first, or a pair scorer."""
    symmetric: bool = True
    """Whether (a, b) and (b, a) score the same."""
    asymmetric_roles: bool = False
    """Whether it tells a query from a passage; else every text has Role.SAME."""
    longest: int | None = None
    """Characters of one text that it can take; of a pair scorer: of both together. None: any number."""
    price: float | None = None
    """Of a million tokens, in the currency of whoever said it; None: unknown, or nothing is paid."""
    sees_meaning: bool = True
    """False: it compares wording, so a low score raises a doubt and proves nothing."""

    @property
    def scorer_id(self) -> str:
        """Return the id under which scores, thresholds and vectors are kept: another one is another scale."""
        parts = [self.model, REVISION_UNKNOWN_PART if self.revision is None else f"rev={self.revision}"]
        if self.dimensions is not None:
            parts.append(f"dim={self.dimensions}")
        if self.settings:
            parts.append(self.settings)
        return ";".join(parts)

    @property
    def has_memory(self) -> bool:
        """Tell whether what it says may be used again in another job: only where the revision is known."""
        return self.revision is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One text or pair that the model can never take; the others are not touched by it."""

    reason: str
    """Stable word: `too_long`, `refused`, `not_finite`, `wrong_length`."""
    message: Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """Vectors of some texts, in their order; a refused one is a row of NaN."""

    vectors: Floats
    refused: Mapping[int, Refusal] = field(default_factory=dict)
    """Place in the list -> why."""
    tokens: int | None = None
    """Tokens that were paid for; None: not told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Scores of some pairs, in their order; a refused one is NaN."""

    scores: Floats
    refused: Mapping[int, Refusal] = field(default_factory=dict)
    tokens: int | None = None


@runtime_checkable
class VectorScorer(Protocol):
    """Turns texts into vectors. May be called from any thread, by one at a time."""

    @property
    def facts(self) -> ScorerFacts:
        """Return what is known of it; a server was asked before this is there."""

    def encode(self, texts: Sequence[str], role: Role = Role.SAME) -> Encoded:
        """Return float32 vectors of length 1.

        Texts are not empty and hold no control characters. It may be given any number: how many go into one call, of
        a model or of a server, is its own affair. Raises ScorerTrouble when the call as a whole failed.
        """

    def close(self) -> None:
        """Let go of model or connections; calls under way end with ScorerTrouble."""


@runtime_checkable
class PairScorer(Protocol):
    """Scores pairs. May be called from any thread, by one at a time."""

    @property
    def facts(self) -> ScorerFacts:
        """Return what is known of it; a server was asked before this is there."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scored:
        """Return float32 scores, larger for more alike; raises ScorerTrouble when the call as a whole failed."""

    def close(self) -> None:
        """Let go of model or connections; calls under way end with ScorerTrouble."""


Scorer = VectorScorer | PairScorer


CHANGED = Warned.SCORER_CHANGED.value
"""Error type of work whose scorer is another one than it began with."""


class Notebook(Protocol):
    """Where it is kept what was learnt of one scorer, from one process to the next."""

    def read(self) -> Mapping[str, object]:
        """Return what was written down so far."""

    def write(self, facts: Mapping[str, object]) -> None:
        """Add to it; what is named again is replaced."""


@runtime_checkable
class Served(Protocol):
    """A scorer behind a server, which may run another model from one moment to the next."""

    def keep_notes(self, notebook: Notebook) -> None:
        """Take over what was learnt before, and write down what is learnt from now on."""

    def look_again(self) -> None:
        """Ask the server anew what it is, the next time that facts are wanted."""


class Scorers(Protocol):
    """Where scorers come from; making one may load a model or ask a server."""

    def get(self, name: str) -> Scorer:
        """Return a scorer by its name, the same for every call; raises AnswerwatchError where there is none."""

    def alone(self, name: str) -> AbstractContextManager[None]:
        """Keep other threads from the scorer as long as the context is open."""


class ScorerTrouble(WorkError):
    """A call to a scorer failed as a whole; `failure` says whether trying again can help."""

    def __init__(self, failure: Failure) -> None:
        """Keep the classified failure."""
        text = f"The scorer failed: {failure.message}"
        super().__init__("scorer_trouble", text, why=failure.message)
        self.failure = failure
