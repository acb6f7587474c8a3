"""Converting a published model into a folder that a scorer of kind `onnx` loads at once; no workspace is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.scorers.onnx.config import Head
from answerwatch.scorers.onnx.kind import check_libraries

ShowStep = Callable[[str, int, int], None]
"""Told of a step (`write`, `quantise`) how far it is, of how much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertRequest:
    """What is to be converted, and into what."""

    folder: Path
    out: Path
    head: str | None = None
    """`vector` or `pair`; None: what the model was made for."""
    int8: bool = False
    fold: bool = False
    """Make one logit of two labels."""
    positive: str = "1"
    """The label that means alike, where there are several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertView:
    """What was written."""

    folder: Path
    head: str
    int8: bool
    labels: int
    """Of a pair head; 0: it has vectors."""
    megabytes: int
    difference: float | None
    """Of scores in int8 to those in float32, at most, over some pairs of everyday; None: it is not int8."""


def convert_model(request: ConvertRequest, show: ShowStep) -> ConvertView:
    """Convert a model; nothing is there when that fails.

    Raises ConfigurationError for missing libraries and models that cannot be converted, UsageError for a folder that
    is there already or an unknown head, ServiceError for one that cannot be written.
    """
    check_libraries()
    from answerwatch.scorers.onnx.converting import Conversion, convert  # noqa: PLC0415 - the libraries are an extra

    wanted = Conversion(
        folder=request.folder,
        out=request.out,
        head=None if request.head is None else _head(request.head),
        int8=request.int8,
        fold=request.fold,
        positive=request.positive,
    )
    done = convert(wanted, show)
    return ConvertView(
        folder=done.out,
        head=done.head,
        int8=done.int8,
        labels=done.labels,
        megabytes=done.megabytes,
        difference=done.difference,
    )


def _head(name: str) -> Head:
    try:
        return Head(name)
    except ValueError as error:
        told = in_short(name)
        raise UsageError("onnx_head_wrong", f"There is no head {told!r}; say vector or pair.", head=told) from error
