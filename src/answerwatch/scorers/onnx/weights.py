"""Files of weights, read tensor by tensor, so that a large model never lies in memory as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
from safetensors import SafetensorError, safe_open

from answerwatch.scorers.onnx.torch_zip import TorchZip, unreadable
from answerwatch.similarity.scorer import Floats


class Weights(Protocol):
    """Tensors by name."""

    def names(self) -> frozenset[str]:
        """Return the names of all tensors."""

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a tensor; raises KeyError where there is none of the name."""

    def read(self, name: str) -> Floats:
        """Return a tensor in float32; raises KeyError where there is none of the name."""


class Safetensors:
    """The tensors of a `model.safetensors`."""

    def __init__(self, path: Path) -> None:
        """Read the names; raises ConfigurationError for a damaged file."""
        try:
            self._file = cast("Any", safe_open(path, framework="np"))  # half of its methods have no types
            self._names = frozenset(self._file.keys())
        except (SafetensorError, OSError) as error:
            raise unreadable(path, str(error)) from error

    def names(self) -> frozenset[str]:
        """Return the names of all tensors."""
        return self._names

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a tensor."""
        return tuple(self._file.get_slice(name).get_shape())

    def read(self, name: str) -> Floats:
        """Return a tensor in float32."""
        return np.ascontiguousarray(self._file.get_tensor(name), dtype=np.float32)


def open_weights(path: Path) -> Weights:
    """Open a file of weights; raises ConfigurationError for one that is damaged or holds more than tensors."""
    return Safetensors(path) if path.suffix == ".safetensors" else TorchZip(path)
