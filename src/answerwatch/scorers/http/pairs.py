"""A pair scorer behind a server."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from answerwatch.scorers.http.client import Client
from answerwatch.scorers.http.dialect import Dialect, Pair
from answerwatch.scorers.http.settings import ServerSettings
from answerwatch.scorers.http.vectors import not_finite, with_canary
from answerwatch.similarity.scorer import Notebook, Scored, ScorerFacts, ScorerKind


class HttpPairs:
    """Scores pairs by a server, in the order in which their texts are given."""

    def __init__(self, name: str, client: Client[Pair], dialect: Dialect[Pair], settings: ServerSettings) -> None:
        """Ask nothing yet."""
        self._name = name
        self._client = client
        self._dialect = dialect
        self._settings = settings

    @property
    def facts(self) -> ScorerFacts:
        """Return what is known of it; raises ScorerTrouble where the server cannot be asked."""
        known = self._client.known()
        return ScorerFacts(
            name=self._name,
            kind=ScorerKind.PAIR,
            model=known.model,
            revision=known.revision,
            settings=with_canary(self._client.about, known),
            symmetric=False,
            longest=self._settings.longest,
            price=self._settings.price,
        )

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scored:
        """Return float32 scores; raises ScorerTrouble when the call as a whole failed."""
        found = self._client.ask(pairs, self._dialect)
        scores = np.full(len(pairs), np.nan, dtype=np.float32)
        refused = dict(found.refused)
        for place, value in found.rows.items():
            if np.isfinite(value):
                scores[place] = value
            else:
                refused[place] = not_finite()
        return Scored(scores=scores, refused=refused, tokens=found.tokens)

    def keep_notes(self, notebook: Notebook) -> None:
        """Take over what was learnt before, and write down what is learnt from now on."""
        self._client.keep_notes(notebook)

    def look_again(self) -> None:
        """Ask the server anew what it is, the next time that facts are wanted."""
        self._client.look_again()

    def close(self) -> None:
        """End what runs and let go of the connections."""
        self._client.close()


def size_of_pair(pair: Pair) -> int:
    """Return the characters of a pair."""
    return len(pair[0]) + len(pair[1])
