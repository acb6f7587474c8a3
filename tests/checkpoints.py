"""Tiny checkpoints with random weights, in the layouts in which models are published, written without torch."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file

from answerwatch.similarity.scorer import Floats

HIDDEN, LAYERS, HEADS, INNER, POSITIONS = 32, 2, 4, 64, 48
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PIECES = (
    "怎么退货请问如何把商品掉这款手机的电池很耐用续航时间长哪家酒店性价比高北京有什么好吃吗第一个问题毒，。？！（）"
)
ENGLISH = (
    "how",
    "do",
    "i",
    "return",
    "##ed",
    "##s",
    "un",
    "##want",
    "goods",
    "the",
    "phone",
    "cafe",
    ",",
    ".",
    "?",
    "!",
)
LETTERS = tuple("abcdefghijklmnopqrstuvwxyz0123456789'-[]")
VOCABULARY = (
    *SPECIAL,
    *dict.fromkeys(PIECES),
    *ENGLISH,
    *(one for one in LETTERS if one not in ENGLISH),
    *(f"##{one}" for one in LETTERS if f"##{one}" not in ENGLISH),
)
POISON = "毒"
"""A character that no text of a test holds by chance."""


def random_bert(labels: int, seed: int = 5) -> dict[str, Floats]:
    """Return the weights of a BERT, under the names that it has without any prefix."""
    chance = np.random.default_rng(seed)

    def linear(name: str, out: int, into: int, scale: float = 0.25) -> dict[str, Floats]:
        weight = chance.normal(0, scale, (out, into)).astype(np.float32)
        return {f"{name}.weight": weight, f"{name}.bias": chance.normal(0, scale, out).astype(np.float32)}

    def norm(name: str) -> dict[str, Floats]:
        return {
            f"{name}.LayerNorm.weight": chance.normal(1, 0.1, HIDDEN).astype(np.float32),
            f"{name}.LayerNorm.bias": chance.normal(0, 0.1, HIDDEN).astype(np.float32),
        }

    rows = {"word": len(VOCABULARY), "position": POSITIONS, "token_type": 2}
    tensors: dict[str, Floats] = {
        f"embeddings.{name}_embeddings.weight": chance.normal(0, 1, (count, HIDDEN)).astype(np.float32)
        for name, count in rows.items()
    }
    tensors |= norm("embeddings")
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            tensors |= linear(f"{layer}.attention.{part}", HIDDEN, HIDDEN)
        tensors |= norm(f"{layer}.attention.output")
        tensors |= linear(f"{layer}.intermediate.dense", INNER, HIDDEN)
        tensors |= linear(f"{layer}.output.dense", HIDDEN, INNER)
        tensors |= norm(f"{layer}.output")
    tensors |= linear("pooler.dense", HIDDEN, HIDDEN)
    if labels:
        tensors |= linear("classifier", labels, HIDDEN, scale=1.0)
    return tensors


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How a checkpoint is published."""

    prefix: str = "bert."
    torch: bool = False
    """pytorch_model.bin in place of model.safetensors."""
    config: Mapping[str, object] = field(default_factory=dict)
    """Beside what every one has."""


CONFIG: Mapping[str, object] = {
    "model_type": "structbert",
    "hidden_size": HIDDEN,
    "num_attention_heads": HEADS,
    "max_position_embeddings": POSITIONS,
    "layer_norm_eps": 1e-12,
    "hidden_act": "gelu",
    "id2label": {"0": "0", "1": "1"},
    "label2id": {"0": 0, "1": 1},
}


def write_checkpoint(folder: Path, tensors: Mapping[str, Floats], layout: Layout) -> Path:
    """Write a folder as it comes from where models are published."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({**CONFIG, **layout.config}), encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    named = {name if name.startswith("classifier") else layout.prefix + name: one for name, one in tensors.items()}
    if layout.torch:
        write_torch(folder / "pytorch_model.bin", named)
    else:
        save_file(named, folder / "model.safetensors")
    return folder


def write_torch(path: Path, tensors: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write what `torch.save` writes of a table of tensors; matrices lie turned in their storage, as views may."""
    data = b"ccollections\nOrderedDict\n)R("
    storages = []
    for key, (name, values) in enumerate(tensors.items()):
        turned = values.ndim == 2
        storages.append((values.T if turned else values).tobytes())
        strides = (1, values.shape[0]) if turned else (1,)
        data += _text(name) + _tensor(str(key), values.shape, strides)
    data += b"u}(" + _text("_metadata") + b"ccollections\nOrderedDict\n)Rub."
    write_archive(path, b"\x80\x02" + data, storages)


def write_archive(path: Path, pickled: bytes, storages: list[bytes], *, compression: int = ZIP_STORED) -> None:
    """Write an archive as torch does, with any pickle in it."""
    with ZipFile(path, "w", compression) as archive:
        archive.writestr("archive/data.pkl", pickled)
        archive.writestr("archive/byteorder", "little")
        for key, storage in enumerate(storages):
            archive.writestr(f"archive/data/{key}", storage)
        archive.writestr("archive/version", "3\n")


def _tensor(key: str, shape: tuple[int, ...], strides: tuple[int, ...]) -> bytes:
    count = int(np.prod(shape))
    storage = b"(" + _text("storage") + b"ctorch\nFloatStorage\n" + _text(key) + _text("cpu") + _number(count) + b"tQ"
    view = storage + _number(0) + _numbers(shape) + _numbers(strides)
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + view + b"\x89ccollections\nOrderedDict\n)RtR"


def _numbers(values: tuple[int, ...]) -> bytes:
    return b"(" + b"".join(map(_number, values)) + b"t"


def _number(value: int) -> bytes:
    return b"J" + struct.pack("<i", value)


def _text(value: str) -> bytes:
    data = value.encode()
    return b"X" + struct.pack("<I", len(data)) + data
