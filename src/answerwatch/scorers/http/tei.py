"""Kind `tei`: Text Embeddings Inference, which tells its model and limits before it is asked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from answerwatch.domain.failures import Failure, Scope, Severity
from answerwatch.domain.texts import in_short
from answerwatch.platforms.bodies import at
from answerwatch.scorers.http.client import Told
from answerwatch.scorers.http.dialect import Dialect, Pair
from answerwatch.scorers.http.kinds import Environ, VectorSettings, about, pair_kind, pairs_of, vector_kind, vectors
from answerwatch.scorers.http.pairs import HttpPairs
from answerwatch.scorers.http.replies import BadShape, Numbers, as_sent, in_order, rows_at, score, vector, whole
from answerwatch.scorers.http.settings import AtLeastOne
from answerwatch.scorers.http.vectors import HttpVectors
from answerwatch.similarity.scorer import Role, ScorerTrouble

INFO = "/info"
UNNAMED = "tei"
"""Stands for the model until the server has told which one it is."""


class TeiSettings(VectorSettings):
    """A TEI server."""

    head: Literal["embed", "rerank", "predict"] = "embed"
    """What the model is: an embedder, a reranker, or a classifier of pairs."""
    truncate: bool = False
    """Let the server cut long texts; else they have no score."""
    dimensions: AtLeastOne | None = None
    """`embed`: of the vectors that are asked for."""
    query_prompt: str | None = None
    """`embed`: name of the model's prompt for texts that ask."""
    passage_prompt: str | None = None
    """`embed`: name of the model's prompt for texts that answer."""
    label: str = "1"
    """`predict`: label that means alike; `LABEL_` may stand before it in the model."""


_TYPES = {"embed": "embedding", "rerank": "reranker", "predict": "classifier"}
"""What `/info` calls the models of each head."""


def told(head: str, document: object) -> Told:
    """Return what `/info` tells; raises ScorerTrouble for a model that cannot do what is wanted."""
    kinds = at(document, "model_type")
    if isinstance(kinds, dict) and kinds and _TYPES[head] not in kinds:
        text = (
            f"The server's model is of the type {in_short(next(iter(kinds)))}, which has no {head}; set another head."
        )
        raise ScorerTrouble(
            Failure(error_type="wrong_model", severity=Severity.PERMANENT, scope=Scope.LOCAL, message=text)
        )
    model, sha = at(document, "model_id"), at(document, "model_sha")
    return Told(
        model=in_short(model, 120) if isinstance(model, str) and model else None,
        revision=in_short(sha, 100) if isinstance(sha, str) and sha else None,
        texts=whole(at(document, "max_client_batch_size")) or None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Embed:
    """How `/embed` is asked."""

    prefix: str
    fields: Mapping[str, object] = field(default_factory=dict)
    path: str = "/embed"

    def together(self, _: str) -> Hashable:
        """Return what all texts have in common."""
        return None

    def body(self, items: Sequence[str]) -> Mapping[str, object]:
        """Return the request."""
        return {**self.fields, "inputs": [self.prefix + text for text in items], "normalize": True}

    def read(self, document: object, items: Sequence[str]) -> Numbers:
        """Return vectors, which come in the order of the texts."""
        return Numbers(rows=[vector(one) for one in as_sent(rows_at(document, ()), len(items))])


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerank:
    """How `/rerank` is asked."""

    truncate: bool
    path: str = "/rerank"

    def together(self, item: Pair) -> Hashable:
        """Return the query."""
        return item[0]

    def body(self, items: Sequence[Pair]) -> Mapping[str, object]:
        """Return the request."""
        texts = [text for _, text in items]
        return {"query": items[0][0], "texts": texts, "raw_scores": False, "truncate": self.truncate}

    def read(self, document: object, items: Sequence[Pair]) -> Numbers:
        """Return scores, which come sorted by size."""
        raw = in_order(rows_at(document, ()), len(items), lambda row: row.get("score"))
        return Numbers(rows=[score(one) for one in raw])


@dataclass(frozen=True, slots=True, kw_only=True)
class Predict:
    """How `/predict` is asked."""

    truncate: bool
    label: str
    path: str = "/predict"

    def together(self, _: Pair) -> Hashable:
        """Return what all pairs have in common."""
        return None

    def body(self, items: Sequence[Pair]) -> Mapping[str, object]:
        """Return the request."""
        return {"inputs": [list(pair) for pair in items], "raw_scores": False, "truncate": self.truncate}

    def read(self, document: object, items: Sequence[Pair]) -> Numbers:
        """Return the probability of the label: labels come sorted by probability, so that a place says nothing."""
        rows = as_sent(rows_at(document, ()), len(items))
        return Numbers(rows=[score(self._probability(row)) for row in rows])

    def _probability(self, row: object) -> object:
        names = (self.label, f"LABEL_{self.label}")
        for one in row if isinstance(row, list) else ():
            if isinstance(one, dict) and one.get("label") in names:
                return one.get("score")
        raise BadShape(f"a row has no label {self.label}: {in_short(row)}.")


def make(name: str, settings: TeiSettings, environ: Environ = None) -> HttpVectors | HttpPairs:
    """Return a scorer; raises ConfigurationError where its key is missing."""
    if settings.head == "embed":
        return _embedder(name, settings, environ)
    cut = settings.truncate
    if settings.head == "rerank":
        dialect: Dialect[Pair] = Rerank(truncate=cut)
        settled = about("tei/rerank", truncate=cut)
    else:
        dialect = Predict(truncate=cut, label=settings.label)
        settled = about("tei/predict", truncate=cut, label=settings.label)
    return pairs_of(
        name,
        settings,
        pair_kind(UNNAMED, settled, dialect, info_path=INFO, read_info=partial(told, settings.head)),
        environ,
    )


def _embedder(name: str, settings: TeiSettings, environ: Environ) -> HttpVectors:
    def dialect_of(role: Role) -> Embed:
        fields: dict[str, object] = {"truncate": settings.truncate}
        prompt = settings.passage_prompt if role is Role.PASSAGE else settings.query_prompt
        if prompt is not None:
            fields["prompt_name"] = prompt
        if settings.dimensions is not None:
            fields["dimensions"] = settings.dimensions
        return Embed(prefix=settings.prefix(role), fields=fields)

    prompts = (settings.query_prompt, settings.passage_prompt)
    settled = about(
        "tei",
        truncate=settings.truncate,
        query=settings.query_prefix,
        passage=settings.passage_prefix,
        query_prompt=prompts[0],
        passage_prompt=prompts[1],
    )
    kind = replace(
        vector_kind(UNNAMED, settled, dialect_of(Role.SAME)), info_path=INFO, read_info=partial(told, settings.head)
    )
    return vectors(
        name,
        settings,
        kind,
        dialect_of,
        dimensions=settings.dimensions,
        has_roles=any(prompts),
        environ=environ,
    )
