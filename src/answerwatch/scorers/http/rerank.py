"""Kind `rerank`: `POST /v1/rerank` of Cohere and Jina, as vLLM, Infinity, SiliconFlow and others offer it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from answerwatch.platforms.bodies import at
from answerwatch.scorers.http.dialect import Pair
from answerwatch.scorers.http.kinds import Environ, about, pairs
from answerwatch.scorers.http.pairs import HttpPairs
from answerwatch.scorers.http.replies import BadShape, Numbers, in_order, rows_at, score, whole
from answerwatch.scorers.http.settings import Model, ServerSettings

_TOKENS = (
    ("usage", "total_tokens"),
    ("meta", "tokens", "input_tokens"),
    ("meta", "billed_units", "input_tokens"),
)
_ROWS = (("results",), ("output", "results"), ("data",))


class RerankSettings(ServerSettings):
    """A server that ranks documents for a query."""

    model: Model
    path: Annotated[str, Field(pattern="^/")] = "/rerank"
    """Below base_url, which ends in /v1 as a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """How pairs with one query are sent together, and scores read."""

    path: str
    fields: Mapping[str, object] = field(default_factory=dict)
    """What a call says besides its texts."""

    def together(self, item: Pair) -> Hashable:
        """Return the query."""
        return item[0]

    def body(self, items: Sequence[Pair]) -> Mapping[str, object]:
        """Return the request; a server asked for fewer than all would keep the rest to itself."""
        documents = [document for _, document in items]
        return {**self.fields, "query": items[0][0], "documents": documents, "top_n": len(items)}

    def read(self, document: object, items: Sequence[Pair]) -> Numbers:
        """Return scores in the order of the pairs."""
        path = next((path for path in _ROWS if isinstance(at(document, *path), list)), _ROWS[0])
        raw = in_order(rows_at(document, path), len(items), relevance)
        tokens = next((found for path in _TOKENS if (found := whole(at(document, *path))) is not None), None)
        return Numbers(rows=[score(one) for one in raw], tokens=tokens)


def relevance(row: Mapping[str, object]) -> object:
    """Return the score of a row, under either of its names; raises BadShape where it has none."""
    for name in ("relevance_score", "score"):
        if name in row:
            return row[name]
    raise BadShape("a row has no relevance_score.")


def make(name: str, settings: RerankSettings, environ: Environ = None) -> HttpPairs:
    """Return a scorer; raises ConfigurationError where its key is missing."""
    dialect = Ranking(path=settings.path, fields={"model": settings.model, "return_documents": False})
    return pairs(name, settings, about("rerank"), dialect, model=settings.model, environ=environ)
