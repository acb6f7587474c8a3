"""A checkpoint under the names that BERT gave its tensors, whatever prefix its trainers put before them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from answerwatch.errors import ConfigurationError
from answerwatch.scorers.onnx.config import Config
from answerwatch.scorers.onnx.torch_zip import unreadable
from answerwatch.scorers.onnx.weights import Weights, open_weights
from answerwatch.similarity.scorer import Floats

_WORDS = "embeddings.word_embeddings.weight"
_TABLES = ("word", "position", "token_type")
_OLD = {".LayerNorm.weight": ".LayerNorm.gamma", ".LayerNorm.bias": ".LayerNorm.beta"}
"""Names that checkpoints of 2018 have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The sizes of a network, as its weights have them."""

    hidden: int
    heads: int
    layers: int
    inner: int
    vocabulary: int
    labels: int
    """Of its classifier; 0: it has none."""


class Checkpoint:
    """The weights of one model; every tensor is checked for its shape when it is read."""

    def __init__(self, path: Path, config: Config) -> None:
        """Open the weights; raises ConfigurationError where they are damaged or no BERT."""
        config.check_kind()
        self.path = path
        self._weights: Weights = open_weights(path)
        self._names = self._weights.names()
        self._prefix = self._found_prefix()
        self._is_roberta = config.is_roberta
        self._first_position = config.pad + 1 if config.is_roberta else 0
        self.sizes = self._found_sizes(config)

    def embeddings(self) -> dict[str, Floats]:
        """Return the tables of words, positions and types; positions from the first that is used.

        RoBERTa has one type alone, which is added to the positions.
        """
        hidden = self.sizes.hidden
        tables = {name: self._read(f"embeddings.{name}_embeddings.weight", None, hidden) for name in _TABLES}
        if self._is_roberta:
            tables["position"] = tables["position"][self._first_position :] + tables.pop("token_type")[:1]
        return tables

    def norm(self, name: str) -> tuple[Floats, Floats]:
        """Return scale and shift of a layer norm."""
        hidden = self.sizes.hidden
        return self._read(f"{name}.LayerNorm.weight", hidden), self._read(f"{name}.LayerNorm.bias", hidden)

    def linear(self, name: str, width_in: int, width_out: int) -> tuple[Floats, Floats]:
        """Return a linear layer as matrix (in, out) and shift."""
        matrix = self._read(f"{name}.weight", width_out, width_in)
        return np.ascontiguousarray(matrix.T), self._read(f"{name}.bias", width_out)

    def pooler(self) -> tuple[Floats, Floats]:
        """Return the layer between the first token and the classifier."""
        hidden = self.sizes.hidden
        return self.linear("/classifier.dense" if self._is_roberta else "pooler.dense", hidden, hidden)

    def classifier(self) -> tuple[Floats, Floats]:
        """Return the last layer; raises ConfigurationError where the model has none."""
        name = self._classifier_name()
        if not self.sizes.labels:
            file = str(self.path)
            text = f"{file} has no classifier ({name}.weight), so it judges no pairs; take the head `vector`."
            raise ConfigurationError("onnx_no_classifier", text, file=file, tensor=f"{name}.weight")
        return self.linear(f"/{name}", self.sizes.hidden, self.sizes.labels)

    def _classifier_name(self) -> str:
        return "classifier.out_proj" if self._is_roberta else "classifier"

    def _found_prefix(self) -> str:
        found = [name.removesuffix(_WORDS) for name in self._names if name.endswith(_WORDS)]
        if len(found) != 1:
            raise unreadable(self.path, f"{len(found)} tensors in it end in {_WORDS}, a BERT has one")
        return found[0]

    def _found_sizes(self, config: Config) -> Sizes:
        vocabulary, hidden = self._shape(_WORDS, 2)
        heads = config.number("num_attention_heads")
        layers = 0
        while self._full(f"encoder.layer.{layers}.output.dense.weight") in self._names:
            layers += 1
        if not layers or hidden % heads:
            raise unreadable(self.path, f"it has {layers} layers of width {hidden} for {heads} attention heads")
        last = f"{self._classifier_name()}.weight"
        return Sizes(
            hidden=hidden,
            heads=heads,
            layers=layers,
            inner=self._shape("encoder.layer.0.output.dense.weight", 2)[1],
            vocabulary=vocabulary,
            labels=self._shape(f"/{last}", 2)[0] if last in self._names else 0,
        )

    def _full(self, name: str) -> str:
        """Return the name in the file; one that begins with a slash stands outside of the backbone."""
        full = name[1:] if name.startswith("/") else self._prefix + name
        for new, old in _OLD.items():
            if full not in self._names and full.endswith(new):
                return full.removesuffix(new) + old
        return full

    def _shape(self, name: str, axes: int) -> tuple[int, ...]:
        full = self._full(name)
        if full not in self._names:
            raise unreadable(self.path, f"it has no {full}")
        shape = self._weights.shape(full)
        if len(shape) != axes:
            raise unreadable(self.path, f"{full} has the shape {shape}")
        return shape

    def _read(self, name: str, *wanted: int | None) -> Floats:
        shape = self._shape(name, len(wanted))
        if any(size not in (None, found) for size, found in zip(wanted, shape, strict=True)):
            told = " x ".join("?" if size is None else str(size) for size in wanted)
            raise unreadable(self.path, f"{self._full(name)} has the shape {shape}, it must be {told}")
        return self._weights.read(self._full(name))
