"""Kind `openai`: `POST /v1/embeddings`, as OpenAI, vLLM, Infinity, Ollama, SiliconFlow and others offer it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from answerwatch.platforms.bodies import at
from answerwatch.scorers.http.kinds import Environ, VectorSettings, about, vector_kind, vectors
from answerwatch.scorers.http.replies import Numbers, in_order, rows_at, vector, whole
from answerwatch.scorers.http.settings import AtLeastOne, Model
from answerwatch.scorers.http.vectors import HttpVectors
from answerwatch.similarity.scorer import Role


class OpenaiSettings(VectorSettings):
    """A server with OpenAI's embeddings."""

    model: Model
    """As the server calls it."""
    path: Annotated[str, Field(pattern="^/")] = "/embeddings"
    """Below base_url, which ends in /v1 as a rule."""
    dimensions: AtLeastOne | None = None
    """Of the vectors that are asked for; None: those of the model."""
    encoding: Literal["float", "base64"] = "float"
    """How vectors are sent; base64 halves replies where a server offers it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embeddings:
    """How texts are sent, and vectors read."""

    path: str
    prefix: str
    fields: Mapping[str, object] = field(default_factory=dict)
    """What a call says besides its texts."""

    def together(self, _: str) -> Hashable:
        """Return what all texts have in common."""
        return None

    def body(self, items: Sequence[str]) -> Mapping[str, object]:
        """Return the request."""
        return {**self.fields, "input": [self.prefix + text for text in items]}

    def read(self, document: object, items: Sequence[str]) -> Numbers:
        """Return vectors in the order of the texts."""
        raw = in_order(rows_at(document, ("data",)), len(items), lambda row: row.get("embedding"))
        usage = at(document, "usage")
        tokens = whole(at(usage, "total_tokens")) or whole(at(usage, "prompt_tokens"))
        return Numbers(rows=[vector(one) for one in raw], tokens=tokens)


def make(name: str, settings: OpenaiSettings, environ: Environ = None) -> HttpVectors:
    """Return a scorer; raises ConfigurationError where its key is missing."""
    fields: dict[str, object] = {"model": settings.model, "encoding_format": settings.encoding}
    if settings.dimensions is not None:
        fields["dimensions"] = settings.dimensions

    def dialect_of(role: Role) -> Embeddings:
        return Embeddings(path=settings.path, prefix=settings.prefix(role), fields=fields)

    settled = about("openai", query=settings.query_prefix, passage=settings.passage_prefix)
    kind = vector_kind(settings.model, settled, dialect_of(Role.SAME))
    return vectors(name, settings, kind, dialect_of, dimensions=settings.dimensions, environ=environ)
