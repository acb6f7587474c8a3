"""One model in onnxruntime: encoded texts in, a row of numbers for each out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]  # onnxruntime has no types
from tokenizers import Encoding

from answerwatch.domain.failures import LONGEST_MESSAGE, Failure, Scope, Severity
from answerwatch.scorers.cores import cores
from answerwatch.scorers.onnx.batches import batches
from answerwatch.scorers.onnx.config import damaged
from answerwatch.scorers.onnx.graph import IDS, MASK, TYPES
from answerwatch.similarity.scorer import Floats, ScorerTrouble

TOKENS_A_THREAD = 256
"""Tokens that go through a model at once for each thread: more spill out of the caches, fewer leave threads idle."""

Rows = Callable[[Floats, Floats], Floats]
"""Makes rows of what the model says and the mask of its tokens, for one batch."""


def load(path: Path, threads: int) -> Any:  # noqa: ANN401 - onnxruntime has no types
    """Return a session of onnxruntime as it is quickest for these models.

    Raises ConfigurationError for a graph that it cannot load.

    Layer norms are not joined with the sums before them, which made a large model in int8 a fifth slower; threads do
    not spin while they wait, which costs nothing and spares whoever else works on the machine; patterns of memory are
    not kept, because every batch has another shape.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(
            path, options, providers=["CPUExecutionProvider"], disabled_optimizers=["SkipLayerNormFusion"]
        )
    except Exception as error:  # the library raises classes of its own below Exception
        raise damaged(path, str(error)) from error


class Session:
    """A loaded model. Used by one thread at a time; closing it may come from another."""

    def __init__(self, path: Path, *, threads: int | None, budget: int | None, pad: int) -> None:
        """Load a graph; raises ConfigurationError where onnxruntime cannot.

        `budget` is how many tokens go through it at once, padding counted; `pad` is the token that fills up.
        """
        threads = threads or cores()
        self._session = load(path, threads)
        self._inputs = {one.name for one in self._session.get_inputs()}
        if not {IDS, MASK} <= self._inputs <= {IDS, MASK, TYPES}:
            raise damaged(path, f"it takes {', '.join(sorted(self._inputs))}, not {IDS}, {MASK} and {TYPES}")
        outputs = self._session.get_outputs()
        self._output: str = outputs[0].name
        self.shape: tuple[object, ...] = tuple(outputs[0].shape)
        self._budget = budget or threads * TOKENS_A_THREAD
        self._pad = pad
        self._closed = threading.Event()
        self._running = onnxruntime.RunOptions()

    def rows(self, texts: Sequence[Encoding], make: Rows, width: int) -> Floats:
        """Return a row for each text, in their order; raises ScorerTrouble when the model fails or was closed."""
        found = np.full((len(texts), width), np.nan, dtype=np.float32)
        for places in batches([len(one) for one in texts], self._budget):
            found[places] = self._whole([texts[place] for place in places], make)
        return found

    def close(self) -> None:
        """Stop what runs and let go of the model."""
        self._closed.set()
        self._running.terminate = True

    def _whole(self, texts: Sequence[Encoding], make: Rows) -> Floats:
        """Return the rows of one batch.

        Where one is not finite the halves go again, down to single texts: an int8 model scales a whole batch by its
        largest number, so that the others are worth nothing beside an infinite one.
        """
        rows = self._pass(texts, make)
        if len(texts) == 1 or np.isfinite(rows).all():
            return rows
        half = len(texts) // 2
        return np.concatenate((self._whole(texts[:half], make), self._whole(texts[half:], make)))

    def _pass(self, texts: Sequence[Encoding], make: Rows) -> Floats:
        shape = (len(texts), max(map(len, texts)))
        given = {IDS: np.full(shape, self._pad, np.int64), MASK: np.zeros(shape, np.int64)}
        if TYPES in self._inputs:
            given[TYPES] = np.zeros(shape, np.int64)
        for row, text in enumerate(texts):
            given[IDS][row, : len(text)] = text.ids
            given[MASK][row, : len(text)] = 1
            if TYPES in given:
                given[TYPES][row, : len(text)] = text.type_ids
        return make(self._run(given), given[MASK].astype(np.float32))

    def _run(self, given: dict[str, Any]) -> Floats:
        try:
            if not self._closed.is_set():
                found: list[Floats] = self._session.run([self._output], given, self._running)
                return found[0].astype(np.float32, copy=False)
        except Exception as error:  # the library raises classes of its own below Exception
            if not self._closed.is_set():
                raise ScorerTrouble(_failed(error)) from error
        raise ScorerTrouble(_CLOSED)


_CLOSED = Failure(
    error_type="scorer_closed", severity=Severity.TEMPORARY, message="the model was closed while it worked"
)


def _failed(error: Exception) -> Failure:
    """Return the failure of a pass: for want of memory it may go better later, else never with this model."""
    text = f"onnxruntime failed: {error}"[:LONGEST_MESSAGE]
    is_memory = "alloc" in str(error).lower()
    return Failure(
        error_type="out_of_memory" if is_memory else "model_failed",
        severity=Severity.TEMPORARY if is_memory else Severity.PERMANENT,
        scope=Scope.REQUEST if is_memory else Scope.LOCAL,
        message=text,
    )
