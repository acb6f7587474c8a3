"""Makes an ONNX model int8: weights once and for all, what flows between them for each batch."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]  # it has no types

from answerwatch.scorers.onnx.config import damaged
from answerwatch.scorers.onnx.graph import GRAPH, IN_HEAD


def quantise(source: Path, folder: Path) -> None:
    """Write an int8 model of a graph into a folder; raises ConfigurationError for a graph that cannot be read.

    Products alone become int8: tables of embeddings cost no time, and the head is small. Each column has its own
    scale, and weights have 7 bits, because processors without VNNI overflow with 8, and scores would depend on the
    machine.
    """
    try:
        with _quiet():
            quantize_dynamic(
                source,
                folder / GRAPH,
                op_types_to_quantize=["MatMul"],
                nodes_to_exclude=list(IN_HEAD),
                per_channel=True,
                reduce_range=True,
                weight_type=QuantType.QInt8,
                use_external_data_format=True,
            )
    except Exception as error:  # whatever a strange graph brings about
        raise damaged(source, str(error)) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep remarks of the library, which it gives to the root of all logs, from standard error."""
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.ERROR)
    try:
        yield
    finally:
        root.setLevel(level)
