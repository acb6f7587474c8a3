"""A vector scorer behind a server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from answerwatch.domain.said import Said
from answerwatch.scorers.http.client import Client, Known
from answerwatch.scorers.http.dialect import Dialect
from answerwatch.scorers.http.settings import ServerSettings
from answerwatch.similarity.scorer import Encoded, Floats, Notebook, Refusal, Role, ScorerFacts, ScorerKind


class HttpVectors:
    """Encodes texts by a server; vectors are brought to length 1 here, whatever the server does."""

    def __init__(
        self,
        client: Client[str],
        dialect_of: Callable[[Role], Dialect[str]],
        facts_of: Callable[[Known], ScorerFacts],
    ) -> None:
        """Ask nothing yet; `dialect_of` says how texts of a role are sent."""
        self._client = client
        self._dialect_of = dialect_of
        self._facts_of = facts_of

    @property
    def facts(self) -> ScorerFacts:
        """Return what is known of it; raises ScorerTrouble where the server cannot be asked."""
        return self._facts_of(self._client.known())

    def encode(self, texts: Sequence[str], role: Role = Role.SAME) -> Encoded:
        """Return float32 vectors of length 1; raises ScorerTrouble when the call as a whole failed."""
        width = self.facts.dimensions
        found = self._client.ask(texts, self._dialect_of(role), role)
        lengths = Counter(len(row) for row in found.rows.values())
        if width is None:
            width = lengths.most_common(1)[0][0] if lengths else 1
        elif lengths and width not in lengths:
            raise self._client.changed()
        vectors = np.full((len(texts), width), np.nan, dtype=np.float32)
        refused = dict(found.refused)
        for place, row in found.rows.items():
            if len(row) != width:
                refused[place] = _wrong_length(len(row), width)
            elif (unit := _unit(row)) is None:
                refused[place] = not_finite()
            else:
                vectors[place] = unit
        return Encoded(vectors=vectors, refused=refused, tokens=found.tokens)

    def keep_notes(self, notebook: Notebook) -> None:
        """Take over what was learnt before, and write down what is learnt from now on."""
        self._client.keep_notes(notebook)

    def look_again(self) -> None:
        """Ask the server anew what it is, the next time that facts are wanted."""
        self._client.look_again()

    def close(self) -> None:
        """End what runs and let go of the connections."""
        self._client.close()


def _unit(row: Floats) -> Floats | None:
    """Return a vector of length 1, None for one that is not finite or has no direction."""
    length = float(np.linalg.norm(row.astype(np.float64)))
    return (row / length).astype(np.float32) if np.isfinite(length) and length > 0 else None


def not_finite() -> Refusal:
    """Return why numbers are not taken that are no numbers."""
    text = "The server's numbers for it are not finite, or all zero."
    return Refusal(reason="not_finite", message=Said("scorer_not_finite", text))


def _wrong_length(found: int, wanted: int) -> Refusal:
    text = f"The server's vector for it has {found} numbers, the others {wanted}."
    return Refusal(reason="wrong_length", message=Said("scorer_wrong_length", text, found=found, wanted=wanted))


def vector_facts(
    name: str, settings: ServerSettings, known: Known, *, about: str, dimensions: int | None, roles: bool
) -> ScorerFacts:
    """Return the facts of a vector scorer; `about` is what else its numbers depend on."""
    return ScorerFacts(
        name=name,
        kind=ScorerKind.VECTOR,
        model=known.model,
        revision=known.revision,
        settings=with_canary(about, known),
        dimensions=len(known.rows[0]) if known.rows else dimensions,
        asymmetric_roles=roles,
        longest=settings.longest,
        price=settings.price,
    )


def with_canary(about: str, known: Known) -> str:
    """Return settings for a scorer's id, with the name of its answer to the canary where no revision is known."""
    return about if known.canary is None else f"{about};canary={known.canary}"
