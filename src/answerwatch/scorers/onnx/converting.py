"""Writes a folder that loads at once from what a model was published as."""

from __future__ import annotations

import json
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from answerwatch.errors import ServiceError, UsageError
from answerwatch.scorers.onnx.bert import Checkpoint
from answerwatch.scorers.onnx.comparing import difference_of
from answerwatch.scorers.onnx.config import FILE, OWN, Config, Head, damaged
from answerwatch.scorers.onnx.folder import ModelFolder
from answerwatch.scorers.onnx.graph import GRAPH
from answerwatch.scorers.onnx.preparing import ShowStep, Step, head_of, silent, write_model
from answerwatch.scorers.onnx.quantising import quantise
from answerwatch.scorers.onnx.scorers import POOLING_FILE
from answerwatch.scorers.onnx.tokenizing import READY, SETTINGS, VOCABULARY, read_tokenizer

_COPIED = (VOCABULARY, SETTINGS, POOLING_FILE)
"""Files that go along as they are, where they are there."""
_WHOLE = "whole"
"""Folder of the graph in float32 until the int8 one is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """What is to be converted, and into what."""

    folder: Path
    out: Path
    head: Head | None = None
    """None: what the model was made for."""
    int8: bool = False
    fold: bool = False
    """Make one logit of two labels."""
    positive: str = "1"
    """The label that means alike, where there are several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """What was written."""

    out: Path
    head: Head
    int8: bool
    labels: int
    """Of a pair head; 0: it has vectors."""
    megabytes: int
    difference: float | None
    """Of scores in int8 to those in float32, at most, over some pairs of everyday; None: it is not int8."""


def convert(wanted: Conversion, show: ShowStep = silent) -> Converted:
    """Write a folder with model.onnx, tokenizer.json and config.json; nothing of it is there when that fails.

    Raises ConfigurationError for a model that cannot be converted, UsageError for a folder that is there already,
    ServiceError where it cannot be written.
    """
    _refuse_taken(wanted.out)
    folder = ModelFolder(wanted.folder)
    if folder.is_graph:
        raise damaged(folder.model, "it is ONNX already; name a folder with model.safetensors or pytorch_model.bin")
    head = head_of(folder, wanted.head)
    labels = Checkpoint(folder.model, folder.config).sizes.labels if head is Head.PAIR else 0
    positive = _positive(wanted, folder.config, labels) if wanted.fold else None
    part = wanted.out.with_name(f".{wanted.out.name}-{secrets.token_hex(4)}.part")
    try:
        part.mkdir(parents=True)
        _write_beside(folder, part)
        labels = 1 if positive is not None else labels
        (part / FILE).write_text(_config(folder.config, head, labels, int8=wanted.int8), encoding="utf-8")
        graph = part / _WHOLE if wanted.int8 else part
        graph.mkdir(exist_ok=True)
        write_model(folder, head, graph, positive=positive, show=show)
        difference = _made_small(part, head, show) if wanted.int8 else None
        part.rename(wanted.out)
    except OSError as error:
        raise _unwritable(wanted.out, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    size = sum(file.stat().st_size for file in wanted.out.rglob("*") if file.is_file())
    return Converted(
        out=wanted.out,
        head=head,
        int8=wanted.int8,
        labels=labels,
        megabytes=round(size / 1e6),
        difference=difference,
    )


def _made_small(part: Path, head: Head, show: ShowStep) -> float:
    """Put an int8 graph in the place of the whole one; return how far their scores differ."""
    show(Step.QUANTISE, 0, 2)
    quantise(part / _WHOLE / GRAPH, part)
    show(Step.QUANTISE, 1, 2)
    found = difference_of(part, f"{_WHOLE}/{GRAPH}", GRAPH, head)
    shutil.rmtree(part / _WHOLE)
    show(Step.QUANTISE, 2, 2)
    return found


def _write_beside(folder: ModelFolder, out: Path) -> None:
    tokenizer = read_tokenizer(folder.path)
    tokenizer.save(str(out / READY))
    for name in _COPIED:
        if (folder.path / name).is_file():
            (out / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(folder.path / name, out / name)


def _config(config: Config, head: Head, labels: int, *, int8: bool) -> str:
    """Return `config.json` as everybody reads it: BERT by name, with the labels that the graph has."""
    raw: dict[str, Any] = dict(config.raw)
    family = "XLMRoberta" if config.is_roberta else "Bert"
    raw["model_type"] = raw["model_type"] if config.is_roberta else "bert"
    raw["architectures"] = [f"{family}ForSequenceClassification" if head is Head.PAIR else f"{family}Model"]
    raw[OWN] = {"int8": int8}
    if labels == 1:
        raw |= {"num_labels": 1, "id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}}
    return json.dumps(raw, ensure_ascii=False, indent=2) + "\n"


def _positive(wanted: Conversion, config: Config, labels: int) -> int:
    if labels != 2:
        text = f"Only a pair head with two labels can be folded; this one has {labels}. Leave --fold out."
        raise UsageError("onnx_fold", text, labels=labels)
    return config.positive(wanted.positive, labels)


def _refuse_taken(out: Path) -> None:
    if out.exists() or out.is_symlink():
        text = f"{out} is there already; name a folder that is not."
        raise UsageError("onnx_out_taken", text, folder=str(out))


def _unwritable(out: Path, error: OSError) -> ServiceError:
    why = error.strerror or str(error)
    text = f"{out} cannot be written ({why}), and nothing of it was left; look at its folder and the space there."
    return ServiceError("file_unwritable", text, file=str(out), why=why)
