"""Pairs through a cross-encoder of StructBERT's shape in int8: our scorer beside onnxruntime alone, at equal lengths.

Weights are random, for speed does not depend on them; the checkpoint goes through the converter as published ones do.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]  # onnxruntime has no types
from safetensors.numpy import save_file

from answerwatch.scorers.cores import cores
from answerwatch.scorers.onnx.converting import Conversion, convert
from answerwatch.scorers.onnx.kind import make
from answerwatch.scorers.onnx.session import TOKENS_A_THREAD, load
from answerwatch.scorers.onnx.settings import OnnxSettings
from answerwatch.similarity.scorer import Floats, PairScorer
from benchmarks.frame import Options, Row, median_seconds, paired, seconds

NAME = "cross_encoder"
TARGET = 0.9
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
BUDGET = cores() * TOKENS_A_THREAD
_FIRST = 0x4E00


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The sizes of a BERT."""

    name: str
    layers: int
    hidden: int
    heads: int
    words: int

    @property
    def inner(self) -> int:
        """Return the width of the feed-forward layers."""
        return 4 * self.hidden


LARGE = Shape(name="StructBERT-large", layers=24, hidden=1024, heads=16, words=21_128)
SMALL = Shape(name="a small BERT", layers=4, hidden=256, heads=4, words=2_000)


def run(options: Options) -> list[Row]:
    """Convert a checkpoint and score pairs of 32 and of 128 tokens."""
    shape, rounds = (SMALL, 1) if options.quick else (LARGE, 5)
    with tempfile.TemporaryDirectory(prefix="answerwatch-bench-") as folder:
        source, out = Path(folder) / "source", Path(folder) / "int8"
        write_checkpoint(source, shape)
        took = seconds(partial(convert, Conversion(folder=source, out=out, int8=True)))
        scorer = make("bench", OnnxSettings(folder=out))
        assert isinstance(scorer, PairScorer)
        megabytes = sum(file.stat().st_size for file in out.iterdir()) / 1e6
        rows = [Row(name=f"{shape.name} converted to int8", measured=took, unit="s", note=f"{megabytes:.0f} MB")]
        for tokens, pairs in ((32, 128), (128, 32)):
            rows += _compared(scorer, out, tokens, pairs, rounds)
        scorer.close()
    return rows


def _compared(scorer: PairScorer, folder: Path, tokens: int, pairs: int, rounds: int) -> list[Row]:
    texts = [_pair(number, tokens) for number in range(pairs)]
    plain = _alone(load(folder / "model.onnx", cores()), tokens, pairs)
    beside = paired(lambda: scorer.score(texts), plain, rounds)
    by_itself = median_seconds(_alone(_as_it_comes(folder), tokens, pairs), rounds)
    note = f"{tokens} tokens, {cores()} threads, budget of {BUDGET}"
    return [
        Row(name=f"scorer, {tokens} tokens", measured=pairs / beside.seconds_a, unit="pairs/s", note=note),
        Row(name=f"onnxruntime alone, {tokens} tokens", measured=pairs / beside.seconds_b, unit="pairs/s"),
        Row(name=f"the same with its own options, {tokens} tokens", measured=pairs / by_itself, unit="pairs/s"),
        Row(name=f"scorer, {tokens} tokens", measured=beside.ratio, unit="x onnxruntime alone", target=TARGET),
    ]


def _as_it_comes(folder: Path) -> Any:  # noqa: ANN401 - onnxruntime has no types
    """Return a session with the options that onnxruntime has by itself."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = cores()
    return onnxruntime.InferenceSession(folder / "model.onnx", options, providers=["CPUExecutionProvider"])


def _alone(session: Any, tokens: int, pairs: int) -> Callable[[], object]:  # noqa: ANN401 - onnxruntime has no types
    """Return what runs a model on arrays that are ready, all of one length, so many at a time as the budget."""
    some = min(pairs, BUDGET // tokens)
    ids = np.random.default_rng(3).integers(len(SPECIAL), 1_000, (some, tokens))
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}

    def run_all() -> None:
        for _ in range(pairs // some):
            session.run(None, given)

    return run_all


def _pair(seed: int, tokens: int) -> tuple[str, str]:
    """Return a pair of made-up texts that has exactly so many tokens: a Chinese character is one."""
    chance = random.Random(seed)
    letters = [chr(_FIRST + chance.randrange(1_000)) for _ in range(tokens - 3)]
    return "".join(letters[: tokens // 2]), "".join(letters[tokens // 2 :])


def write_checkpoint(folder: Path, shape: Shape) -> None:
    """Write random weights of a shape, as StructBERT is published."""
    folder.mkdir()
    words = [*SPECIAL, *(chr(_FIRST + number) for number in range(shape.words - len(SPECIAL)))]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    config = {"model_type": "structbert", "hidden_size": shape.hidden, "num_attention_heads": shape.heads}
    labels = {"max_position_embeddings": 512, "id2label": {"0": "0", "1": "1"}}
    (folder / "config.json").write_text(json.dumps({**config, **labels}), encoding="utf-8")
    chance = np.random.default_rng(1)
    tensors = {name: _random(chance, name, size) for name, size in _sizes(shape).items()}
    save_file(tensors, folder / "model.safetensors")


def _random(chance: np.random.Generator, name: str, size: tuple[int, ...]) -> Floats:
    values = chance.standard_normal(size, dtype=np.float32) * np.float32(0.02)
    if name.endswith("LayerNorm.weight"):
        values += 1
    return values


def _sizes(shape: Shape) -> Mapping[str, tuple[int, ...]]:
    wide, inner = shape.hidden, shape.inner
    found: dict[str, Any] = {
        "encoder.embeddings.word_embeddings.weight": (shape.words, wide),
        "encoder.embeddings.position_embeddings.weight": (512, wide),
        "encoder.embeddings.token_type_embeddings.weight": (2, wide),
        "encoder.embeddings.LayerNorm": (wide,),
        "encoder.pooler.dense": (wide, wide),
        "classifier": (2, wide),
    }
    for number in range(shape.layers):
        layer = f"encoder.encoder.layer.{number}"
        parts = ("self.query", "self.key", "self.value", "output.dense")
        found |= {f"{layer}.attention.{part}": (wide, wide) for part in parts}
        found |= {f"{layer}.{part}.LayerNorm": (wide,) for part in ("attention.output", "output")}
        found |= {f"{layer}.intermediate.dense": (inner, wide), f"{layer}.output.dense": (wide, inner)}
    whole: dict[str, tuple[int, ...]] = {}
    for name, size in found.items():
        if name.endswith("_embeddings.weight"):
            whole[name] = size
        else:
            whole |= {f"{name}.weight": size, f"{name}.bias": size[:1]}
    return whole
