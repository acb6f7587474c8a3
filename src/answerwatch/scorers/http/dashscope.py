"""Kind `dashscope`: embeddings and reranking of Alibaba Cloud's Model Studio, by its compatible addresses."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import model_validator

from answerwatch.scorers.http.kinds import Environ, VectorSettings, about, pairs, vector_kind, vectors
from answerwatch.scorers.http.openai import Embeddings
from answerwatch.scorers.http.pairs import HttpPairs
from answerwatch.scorers.http.rerank import Ranking
from answerwatch.scorers.http.settings import AtLeastOne, Model
from answerwatch.scorers.http.vectors import HttpVectors
from answerwatch.similarity.scorer import Role

EMBED_TEXTS, RERANK_TEXTS = 10, 500
"""Texts in one call."""
LONGEST_PAIR = 4_000
"""Characters of both texts: the reranker cuts an item at 4,000 tokens without a word."""


class DashscopeSettings(VectorSettings):
    """Model Studio; base_url is the host alone."""

    base_url: str = "https://dashscope.aliyuncs.com"
    key_env: str | None = "DASHSCOPE_API_KEY"
    head: Literal["embed", "rerank"] = "embed"
    model: Model = "text-embedding-v4"
    dimensions: AtLeastOne | None = None
    """Of the vectors that are asked for; None: those of the model."""
    instruct: str | None = None
    """`rerank`: what is to be found, in English."""

    @model_validator(mode="before")
    @classmethod
    def _by_head(cls, given: Any) -> Any:  # noqa: ANN401 - pydantic hands over what was written, whatever it is
        if not isinstance(given, dict):
            return given
        if given.get("head") == "rerank":
            usual = {"model": "qwen3-rerank", "texts": RERANK_TEXTS, "longest": LONGEST_PAIR}
        else:
            usual = {"texts": EMBED_TEXTS}
        return {**usual, **given}


def make(name: str, settings: DashscopeSettings, environ: Environ = None) -> HttpVectors | HttpPairs:
    """Return a scorer; raises ConfigurationError where its key is missing."""
    if settings.head == "rerank":
        fields: dict[str, object] = {"model": settings.model}
        if settings.instruct:
            fields["instruct"] = settings.instruct
        dialect = Ranking(path="/compatible-api/v1/reranks", fields=fields)
        settled = about("dashscope/rerank", instruct=settings.instruct)
        return pairs(name, settings, settled, dialect, model=settings.model, environ=environ)
    return _embedder(name, settings, environ)


def _embedder(name: str, settings: DashscopeSettings, environ: Environ) -> HttpVectors:
    fields: dict[str, object] = {"model": settings.model, "encoding_format": "float"}
    if settings.dimensions is not None:
        fields["dimensions"] = settings.dimensions

    def dialect_of(role: Role) -> Embeddings:
        return Embeddings(path="/compatible-mode/v1/embeddings", prefix=settings.prefix(role), fields=fields)

    settled = about("dashscope", query=settings.query_prefix, passage=settings.passage_prefix)
    kind = vector_kind(settings.model, settled, dialect_of(Role.SAME))
    return vectors(name, settings, kind, dialect_of, dimensions=settings.dimensions, environ=environ)
