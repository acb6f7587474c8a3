"""What can be set of a model in a local folder."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class OnnxSettings(BaseModel):
    """One scorer of kind `onnx`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    folder: Path
    """With config.json, tokenizer.json or vocab.txt, and the model; relative to the workspace folder."""
    model: str | None = None
    """File of the model in it; without it model.onnx, onnx/model.onnx, model.safetensors, pytorch_model.bin."""
    head: str | None = Field(default=None, pattern="^(vector|pair)$")
    """`vector` or `pair`; without it what the model was made for."""
    pooling: str | None = Field(default=None, pattern="^(mean|cls)$")
    """How tokens become a vector; without it what the folder says, else `mean`."""
    positive: str = "1"
    """Label that means alike, where a pair head has several."""
    int8: bool = False
    """Make it int8 when it is loaded; a converted folder is loaded as it is."""
    max_tokens: int | None = Field(default=None, ge=8, le=1 << 20)
    """Of a text, of both of a pair; without it 512. More is cut."""
    batch_tokens: int | None = Field(default=None, ge=8, le=1 << 24)
    """That go through the model at once; without it 256 for each thread."""
    threads: int | None = Field(default=None, ge=1, le=1_024)
    """Processors that it uses; without it all that this process may use."""
    query_prefix: str = ""
    """Goes before a query, as the model was trained, `query: `."""
    passage_prefix: str = ""
