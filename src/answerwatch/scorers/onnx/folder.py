"""A folder with a model: which of its files is the model, and the hash that names exactly these numbers."""

from __future__ import annotations

import hashlib
from pathlib import Path

from answerwatch.errors import ConfigurationError
from answerwatch.scorers.onnx.config import Config, missing, read_config
from answerwatch.scorers.onnx.tokenizing import tokenizer_file

ONNX = ".onnx"
MODELS = ("model.onnx", "onnx/model.onnx", "model.safetensors", "pytorch_model.bin")
"""Where a model is looked for, the first that is there."""
_HASH_DIGITS = 32


class ModelFolder:
    """A folder with a model, looked through; nothing large is read yet."""

    def __init__(self, path: Path, model: str | None = None) -> None:
        """Find the files; `model` names the one of the weights.

        Raises ConfigurationError for a folder that is not there or lacks files.
        """
        self.path = path
        if not path.is_dir():
            text = f"There is no folder {path}; name the one with the files of the model."
            raise ConfigurationError("onnx_no_folder", text, folder=str(path))
        self.config: Config = read_config(path)
        self.tokenizer = tokenizer_file(path)
        self.model = self._model(MODELS if model is None else (model,))

    @property
    def is_graph(self) -> bool:
        """Tell whether the model is an ONNX graph already."""
        return self.model.suffix == ONNX

    def revision(self) -> str:
        """Return a hash over everything that its numbers depend on; reads all of it."""
        seen = hashlib.sha256()
        beside = self.model.parent.glob(f"{self.model.name}?*") if self.is_graph else ()
        for path in (self.model, *sorted(beside), self.tokenizer, self.config.path):
            with path.open("rb") as file:
                seen.update(hashlib.file_digest(file, "sha256").digest())
        return f"sha256:{seen.hexdigest()[:_HASH_DIGITS]}"

    def _model(self, names: tuple[str, ...]) -> Path:
        for name in names:
            if (self.path / name).is_file():
                return self.path / name
        raise missing(self.path, " / ".join(names))
