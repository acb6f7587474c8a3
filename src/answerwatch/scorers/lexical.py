"""Kind `lexical`: wording, without a model."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from answerwatch.similarity.lexical import Lexical


class LexicalSettings(BaseModel):
    """There is nothing to set."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def make(name: str, settings: LexicalSettings, environ: Mapping[str, str]) -> Lexical:
    """Return the scorer."""
    del name, settings, environ  # it needs nothing
    return Lexical()
