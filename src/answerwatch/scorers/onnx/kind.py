"""Kind `onnx`: a local folder with a BERT-like model, as vectors or as a judge of pairs."""

from __future__ import annotations

from collections.abc import Mapping

from answerwatch.scorers.embedded import check_extra
from answerwatch.scorers.onnx.settings import OnnxSettings
from answerwatch.similarity.scorer import Scorer

LIBRARIES = ("onnx", "onnxruntime", "safetensors", "tokenizers")


def make(name: str, settings: OnnxSettings, environ: Mapping[str, str] | None = None) -> Scorer:
    """Return a scorer; raises ConfigurationError for a folder that cannot be used, or where libraries are missing."""
    del environ  # it needs no key
    check_libraries()
    from answerwatch.scorers.onnx.making import scorer_of  # noqa: PLC0415 - the libraries are an extra

    return scorer_of(name, settings)


def check_libraries() -> None:
    """Raise ConfigurationError where a library of the extra is missing."""
    for library in LIBRARIES:
        check_extra(library, "onnx")
