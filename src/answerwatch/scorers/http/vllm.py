"""Kind `vllm`: `/score` for rerankers, and `/classify` for classifiers of two labels."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from answerwatch.platforms.bodies import at
from answerwatch.scorers.http.dialect import Dialect, Pair
from answerwatch.scorers.http.kinds import Environ, about, pairs
from answerwatch.scorers.http.pairs import HttpPairs
from answerwatch.scorers.http.replies import BadShape, Numbers, in_order, rows_at, score, whole
from answerwatch.scorers.http.settings import Model, ServerSettings


class VllmSettings(ServerSettings):
    """A vLLM server with a pooling model."""

    model: Model
    head: Literal["score", "classify"] = "score"
    joined: Annotated[str, Field(pattern=r"\{left\}.*\{right\}")] = "{left}[SEP]{right}"
    """`classify` takes one text: how a pair becomes one."""
    label: Annotated[int, Field(ge=0)] = 1
    """`classify`: place of the label that means alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How `/score` is asked."""

    model: str
    path: str = "/score"

    def together(self, _: Pair) -> Hashable:
        """Return what all pairs have in common."""
        return None

    def body(self, items: Sequence[Pair]) -> Mapping[str, object]:
        """Return the request."""
        return {"model": self.model, "text_1": [left for left, _ in items], "text_2": [right for _, right in items]}

    def read(self, document: object, items: Sequence[Pair]) -> Numbers:
        """Return scores in the order of the pairs."""
        raw = in_order(rows_at(document, ("data",)), len(items), lambda row: row.get("score"))
        return Numbers(rows=[score(one) for one in raw], tokens=whole(at(document, "usage", "total_tokens")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifying:
    """How `/classify` is asked."""

    model: str
    joined: str
    label: int
    path: str = "/classify"

    def together(self, _: Pair) -> Hashable:
        """Return what all pairs have in common."""
        return None

    def body(self, items: Sequence[Pair]) -> Mapping[str, object]:
        """Return the request."""
        return {"model": self.model, "input": [self._one(pair) for pair in items]}

    def read(self, document: object, items: Sequence[Pair]) -> Numbers:
        """Return the probability of the label for each pair."""
        raw = in_order(rows_at(document, ("data",)), len(items), self._probability)
        return Numbers(rows=[score(one) for one in raw], tokens=whole(at(document, "usage", "total_tokens")))

    def _one(self, pair: Pair) -> str:
        before, _, rest = self.joined.partition("{left}")
        between, _, after = rest.partition("{right}")
        return f"{before}{pair[0]}{between}{pair[1]}{after}"

    def _probability(self, row: Mapping[str, object]) -> object:
        found = row.get("probs")
        if not isinstance(found, list) or len(found) <= self.label:
            raise BadShape(f"a row has no probability of label {self.label}.")
        return found[self.label]


def make(name: str, settings: VllmSettings, environ: Environ = None) -> HttpPairs:
    """Return a scorer; raises ConfigurationError where its key is missing."""
    model = settings.model
    if settings.head == "score":
        dialect: Dialect[Pair] = Scoring(model=model)
        return pairs(name, settings, about("vllm/score"), dialect, model=model, environ=environ)
    dialect = Classifying(model=model, joined=settings.joined, label=settings.label)
    settled = about("vllm/classify", label=str(settings.label), joined=settings.joined)
    return pairs(name, settings, settled, dialect, model=model, environ=environ)
