"""Writes a BERT encoder as an ONNX graph: batch and length are free, weights lie in a file beside it.

Operators are those of opset 17, in the shapes that onnxruntime knows to fuse (layer norm with its sum, GELU with its
shift). Query, key and value are one product; the scale of attention stands in the weights of the query.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper

from answerwatch.scorers.onnx.bert import Checkpoint
from answerwatch.scorers.onnx.config import Config
from answerwatch.similarity.scorer import Floats

OPSET, IR = 17, 8
"""Old ones on purpose: every onnxruntime of the last years reads them."""
GRAPH, DATA = "model.onnx", "model.onnx.data"
HIDDEN, LOGITS = "last_hidden_state", "logits"
"""Outputs, as other tools call them too."""
IDS, MASK, TYPES = "input_ids", "attention_mask", "token_type_ids"
IN_HEAD = ("pooler", "classifier")
"""Nodes of the head: so small that they stay in float32 everywhere."""
_PARTS = ("query", "key", "value")
_FREE: tuple[str, ...] = ("batch", "length")
_MASKED = -1e9
_ALIGN = 4096
"""Bytes at which tensors begin, so that they can be mapped into memory."""

LayerDone = Callable[[int, int], None]
"""Told how many layers are written, of how many."""
Last = tuple[Floats, Floats]
"""A classifier: matrix and shift."""


class _Writer:
    """Nodes and weights of a graph that is being written."""

    def __init__(self, data: BinaryIO) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self._data = data

    def node(self, kind: str, *inputs: str, name: str | None = None, **attributes: Any) -> str:  # noqa: ANN401 - what the operator takes
        name = name or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def weight(self, name: str, values: Floats) -> str:
        values = np.ascontiguousarray(values, dtype="<f4")
        self._data.write(b"\0" * (-self._data.tell() % _ALIGN))
        tensor = TensorProto(
            name=name, data_type=TensorProto.FLOAT, dims=values.shape, data_location=TensorProto.EXTERNAL
        )
        for key, value in (("location", DATA), ("offset", self._data.tell()), ("length", values.nbytes)):
            tensor.external_data.add(key=key, value=str(value))
        self._data.write(values.data)
        self.weights.append(tensor)
        return name

    def constant(self, name: str, values: npt.ArrayLike, kind: type = np.int64) -> str:
        self.weights.append(onnx.numpy_helper.from_array(np.array(values, dtype=kind), name))
        return name

    def linear(self, name: str, given: str, layer: tuple[Floats, Floats]) -> str:
        product = self.node("MatMul", given, self.weight(f"{name}.weight", layer[0]), name=name)
        return self.node("Add", product, self.weight(f"{name}.bias", layer[1]))


class _Encoder:
    """Writes the layers of one checkpoint."""

    def __init__(self, writer: _Writer, checkpoint: Checkpoint, config: Config) -> None:
        self._to = writer
        self._from = checkpoint
        self._config = config
        self.has_types = not config.is_roberta
        self._sizes = checkpoint.sizes
        apart = self._sizes.hidden // self._sizes.heads
        self._split = writer.constant("split", [0, 0, 3, self._sizes.heads, apart])
        self._joined = writer.constant("joined", [0, 0, self._sizes.hidden])
        self._numbers = [writer.constant(f"number_{number}", number) for number in range(3)]
        self._scale = np.float32(apart**-0.5)
        self._constants = {
            name: writer.constant(name, value, np.float32)
            for name, value in (("half", 0.5), ("one", 1.0), ("root2", 2**0.5), ("masked", _MASKED))
        }

    def embedded(self) -> str:
        """Write the sum of the three embeddings; return its name."""
        to = self._to
        tables = {name: to.weight(name, values) for name, values in self._from.embeddings().items()}
        length = to.node("Slice", to.node("Shape", IDS), to.constant("from", [1]), to.constant("to", [2]))
        positions = to.node("Slice", tables["position"], to.constant("first", [0]), length, to.constant("axis", [0]))
        words = to.node("Gather", tables["word"], IDS)
        if self.has_types:
            words = to.node("Add", words, to.node("Gather", tables["token_type"], TYPES))
        return self._norm("embeddings", to.node("Add", words, positions))

    def mask(self) -> str:
        """Write what is added to the attention paid to each token: nothing, or so little that none is left."""
        to = self._to
        wide = to.node("Unsqueeze", to.node("Cast", MASK, to=TensorProto.FLOAT), to.constant("middle", [1, 2]))
        return to.node("Mul", to.node("Sub", self._constants["one"], wide), self._constants["masked"])

    def layer(self, number: int, given: str, mask: str) -> str:
        """Write one layer; return the name of what comes out."""
        to, name, sizes = self._to, f"encoder.layer.{number}", self._sizes
        attended = self._attended(f"{name}.attention", given, mask)
        output = f"{name}.attention.output"
        dense = to.linear(f"{output}.dense", attended, self._from.linear(f"{output}.dense", sizes.hidden, sizes.hidden))
        middle = self._norm(output, to.node("Add", dense, given))
        inner = f"{name}.intermediate.dense"
        wide = to.linear(inner, middle, self._from.linear(inner, sizes.hidden, sizes.inner))
        output = f"{name}.output"
        narrow = self._from.linear(f"{output}.dense", sizes.inner, sizes.hidden)
        dense = to.linear(f"{output}.dense", self._activated(wide), narrow)
        return self._norm(output, to.node("Add", dense, middle))

    def _attended(self, name: str, given: str, mask: str) -> str:
        to, hidden = self._to, self._sizes.hidden
        query, key, value = (self._from.linear(f"{name}.self.{part}", hidden, hidden) for part in _PARTS)
        matrix = np.concatenate((query[0] * self._scale, key[0], value[0]), axis=1)
        shift = np.concatenate((query[1] * self._scale, key[1], value[1]))
        all_ = to.node("Reshape", to.linear(f"{name}.self", given, (matrix, shift)), self._split)
        by_head = to.node("Transpose", all_, perm=[2, 0, 3, 1, 4])
        q, k, v = (to.node("Gather", by_head, number, axis=0) for number in self._numbers)
        paid = to.node("Add", to.node("MatMul", q, to.node("Transpose", k, perm=[0, 1, 3, 2])), mask)
        mixed = to.node("MatMul", to.node("Softmax", paid, axis=-1), v)
        return to.node("Reshape", to.node("Transpose", mixed, perm=[0, 2, 1, 3]), self._joined)

    def _activated(self, given: str) -> str:
        to, constants = self._to, self._constants
        if self._config.activation == "relu":
            return to.node("Relu", given)
        if self._config.activation == "gelu":
            bent = to.node("Erf", to.node("Div", given, constants["root2"]))
            return to.node("Mul", to.node("Mul", given, to.node("Add", bent, constants["one"])), constants["half"])
        cube = to.node("Mul", to.node("Mul", given, given), given)
        inner = to.node("Add", given, to.node("Mul", cube, self._constant("cubic", 0.044715)))
        bent = to.node("Tanh", to.node("Mul", inner, self._constant("root", (2 / np.pi) ** 0.5)))
        return to.node("Mul", to.node("Mul", given, to.node("Add", bent, constants["one"])), constants["half"])

    def _constant(self, name: str, value: float) -> str:
        if name not in self._constants:
            self._constants[name] = self._to.constant(name, value, np.float32)
        return self._constants[name]

    def _norm(self, name: str, given: str) -> str:
        scale, shift = self._from.norm(name)
        names = self._to.weight(f"{name}.scale", scale), self._to.weight(f"{name}.shift", shift)
        return self._to.node("LayerNormalization", given, *names, axis=-1, epsilon=self._config.epsilon)

    def judged(self, given: str, last: Last) -> str:
        """Write the head of pairs: pooler and classifier on the first token.

        Nothing times the mean of all tokens is added to it. That changes no number, but where any token is not finite
        the result is not either: products in int8 would take such a token for 0 and score on.
        """
        to = self._to
        witness = to.node("Mul", to.node("ReduceMean", given, axes=[1], keepdims=0), self._constant("nothing", 0.0))
        first = to.node("Add", to.node("Gather", given, self._numbers[0], axis=1), witness)
        pooled = to.node("Tanh", to.linear("pooler", first, self._from.pooler()))
        return to.linear("classifier", pooled, last)


def write_graph(
    folder: Path, checkpoint: Checkpoint, config: Config, last: Last | None, done: LayerDone | None = None
) -> None:
    """Write a model into a folder; `last` is the classifier of a pair head, None gives the vectors of all tokens.

    Raises ConfigurationError for weights that are missing or of another shape.
    """
    layers, hidden = checkpoint.sizes.layers, checkpoint.sizes.hidden
    with (folder / DATA).open("wb") as data:
        writer = _Writer(data)
        encoder = _Encoder(writer, checkpoint, config)
        mask, state = encoder.mask(), encoder.embedded()
        for number in range(layers):
            if done is not None:
                done(number, layers)
            state = encoder.layer(number, state, mask)
        out, head = state, HIDDEN
        shape: tuple[str | int, ...] = (*_FREE, hidden)
        if last is not None:
            out, head, shape = encoder.judged(state, last), LOGITS, (_FREE[0], len(last[1]))
    writer.nodes.append(helper.make_node("Identity", [out], [head], name=head))
    names = (IDS, MASK, TYPES) if encoder.has_types else (IDS, MASK)
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, _FREE) for name in names]
    outputs = [helper.make_tensor_value_info(head, TensorProto.FLOAT, shape)]
    graph = helper.make_graph(writer.nodes, "bert", inputs, outputs, writer.weights)
    opset = helper.make_opsetid("", OPSET)
    model = helper.make_model(graph, opset_imports=[opset], ir_version=IR, producer_name="answerwatch")
    (folder / GRAPH).write_bytes(model.SerializeToString())
    if done is not None:
        done(layers, layers)


def fold(last: Last, positive: int) -> Last:
    """Return a classifier of two labels as one logit: its sigmoid is the probability of the positive one."""
    other = 1 - positive
    return last[0][:, [positive]] - last[0][:, [other]], last[1][[positive]] - last[1][[other]]
