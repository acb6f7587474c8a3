"""From whatever lies in a folder to a graph that runs: written from weights, made int8 where that is wanted."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from answerwatch.errors import ConfigurationError
from answerwatch.scorers.onnx.bert import Checkpoint
from answerwatch.scorers.onnx.config import Head, damaged
from answerwatch.scorers.onnx.folder import ModelFolder
from answerwatch.scorers.onnx.graph import GRAPH, fold, write_graph
from answerwatch.scorers.onnx.quantising import quantise
from answerwatch.scorers.onnx.tokenizing import read_tokenizer


class Step(StrEnum):
    """What takes its time."""

    WRITE = "write"
    QUANTISE = "quantise"


ShowStep = Callable[[Step, int, int], None]
"""Told how far a step is, of how much."""


def silent(step: Step, done: int, total: int) -> None:
    """Show nothing."""


def head_of(folder: ModelFolder, wanted: Head | None) -> Head:
    """Return the head of a model: the wanted one, else what it was made for.

    Raises ConfigurationError where nothing in the folder says it.
    """
    if wanted is not None:
        return wanted
    if not folder.is_graph:
        return Head.PAIR if Checkpoint(folder.model, folder.config).sizes.labels else Head.VECTOR
    if folder.config.head is None:
        file = str(folder.config.path)
        text = f"{file} names no architecture, so the head of the model is not known; say head = vector or pair."
        raise ConfigurationError("onnx_head_unknown", text, file=file)
    return folder.config.head


def write_model(
    folder: ModelFolder, head: Head, out: Path, *, positive: int | None = None, show: ShowStep = silent
) -> None:
    """Write the graph of a checkpoint; `positive` folds two labels to one.

    Raises ConfigurationError for bad weights, or a tokenizer that does not belong to them.
    """
    checkpoint = Checkpoint(folder.model, folder.config)
    _check_vocabulary(folder, checkpoint.sizes.vocabulary)
    last = checkpoint.classifier() if head is Head.PAIR else None
    if last is not None and positive is not None:
        last = fold(last, positive)
    write_graph(out, checkpoint, folder.config, last, lambda done, total: show(Step.WRITE, done, total))


def _check_vocabulary(folder: ModelFolder, rows: int) -> None:
    """Refuse a tokenizer of another model: it has tokens that the weights do not know."""
    last = max(read_tokenizer(folder.path).get_vocab().values(), default=0)
    if last >= rows:
        raise damaged(folder.tokenizer, f"it has {last + 1} tokens, the weights know {rows}: it is of another model")


class Graph:
    """A graph that can be loaded: the file of the folder itself, or one in a folder that goes with it."""

    def __init__(self, folder: ModelFolder, head: Head, *, int8: bool) -> None:
        """Write what is needed; raises ConfigurationError for bad weights."""
        self._made = None if folder.is_graph and not int8 else TemporaryDirectory(prefix="answerwatch-onnx-")
        self.path = folder.model
        try:
            if self._made is not None:
                self.path = self._written(folder, head, Path(self._made.name), int8=int8)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Remove what was written."""
        if self._made is not None:
            self._made.cleanup()

    def _written(self, folder: ModelFolder, head: Head, into: Path, *, int8: bool) -> Path:
        whole, small = into / "whole", into / "int8"
        source = folder.model
        if not folder.is_graph:
            whole.mkdir()
            write_model(folder, head, whole)
            source = whole / GRAPH
        if not int8:
            return source
        small.mkdir()
        quantise(source, small)
        return small / GRAPH
