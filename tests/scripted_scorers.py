"""Scorers that tests bring along: numbers that follow from the texts alone, a log of calls, faults on demand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from hashlib import blake2b

import numpy as np

from answerwatch.domain.failures import Failure, Severity
from answerwatch.domain.said import Said
from answerwatch.similarity.scorer import (
    Encoded,
    Floats,
    Refusal,
    Role,
    Scored,
    ScorerFacts,
    ScorerKind,
    ScorerTrouble,
)

DIMENSIONS = 16
BUSY = Failure(error_type="timeout", severity=Severity.TEMPORARY, message="busy")
FORBIDDEN = Refusal(reason="refused", message=Said("refused_by_test", "this one is never taken"))


def vector_of(text: str) -> Floats:
    """The vector of a text, of length 1: the same everywhere and for ever."""
    seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
    vector = np.random.default_rng(seed).standard_normal(DIMENSIONS)
    found: Floats = (vector / np.linalg.norm(vector)).astype(np.float32)
    return found


def judgement_of(left: str, right: str) -> float:
    """What a pair scorer of this module says of a pair: between 0 and 1, another number when it is turned."""
    return int.from_bytes(blake2b(f"{left}\0{right}".encode(), digest_size=4).digest()) / 2**32


class Scripted:
    """A vector scorer; `never` are texts that it refuses, and it fails as a whole as often as `faults` has entries."""

    def __init__(
        self, *, never: Collection[str] = (), faults: Sequence[Failure] = (), revision: str | None = "1"
    ) -> None:
        self.never = frozenset(never)
        self.faults = list(faults)
        self.calls: list[tuple[Role, tuple[str, ...]]] = []
        self.before: Callable[[Sequence[str]], object] = len
        """Called with the texts of every call before it is answered."""
        self.facts = ScorerFacts(
            name="scripted",
            kind=ScorerKind.VECTOR,
            model="scripted",
            revision=revision,
            dimensions=DIMENSIONS,
            asymmetric_roles=True,
        )

    def encode(self, texts: Sequence[str], role: Role = Role.SAME) -> Encoded:
        self.calls.append((role, tuple(texts)))
        self.before(texts)
        if self.faults:
            raise ScorerTrouble(self.faults.pop(0))
        vectors = np.array([vector_of(text) for text in texts], dtype=np.float32).reshape(-1, DIMENSIONS)
        refused = {place: FORBIDDEN for place, text in enumerate(texts) if text in self.never}
        vectors[list(refused)] = np.nan
        return Encoded(vectors=vectors, refused=refused)

    def close(self) -> None:
        pass

    @property
    def seen(self) -> list[str]:
        """Every text that came, in order, as often as it came."""
        return [text for _, texts in self.calls for text in texts]


class Judge:
    """A pair scorer; `never` are pairs that it refuses, and it fails as a whole as often as `faults` has entries."""

    def __init__(
        self,
        *,
        symmetric: bool = True,
        never: Collection[tuple[str, str]] = (),
        faults: Sequence[Failure] = (),
        revision: str | None = "1",
    ) -> None:
        self.never = frozenset(never)
        self.faults = list(faults)
        self.seen: list[tuple[str, str]] = []
        """Every pair that came, in order, as often as it came."""
        self.before: Callable[[Sequence[tuple[str, str]]], object] = len
        self.facts = ScorerFacts(
            name="judge", kind=ScorerKind.PAIR, model="judge", revision=revision, symmetric=symmetric
        )

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scored:
        self.seen.extend(pairs)
        self.before(pairs)
        if self.faults:
            raise ScorerTrouble(self.faults.pop(0))
        refused = {place: FORBIDDEN for place, pair in enumerate(pairs) if self._is_refused(pair)}
        scores = np.array([self.says(*pair) for pair in pairs], dtype=np.float32)
        scores[list(refused)] = np.nan
        return Scored(scores=scores, refused=refused)

    def _is_refused(self, pair: tuple[str, str]) -> bool:
        return pair in self.never or (self.facts.symmetric and pair[::-1] in self.never)

    def says(self, left: str, right: str) -> float:
        """The score of a pair."""
        return judgement_of(*sorted((left, right))) if self.facts.symmetric else judgement_of(left, right)

    def close(self) -> None:
        pass
