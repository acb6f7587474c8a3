"""What `config.json` says of a model; sizes are taken from the weights themselves where these are at hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from answerwatch.domain.texts import in_short
from answerwatch.errors import ConfigurationError

FILE = "config.json"
BERT = ("bert", "structbert", "sbert")
ROBERTA = ("roberta", "xlm-roberta")
"""Same network; positions are counted from behind the padding token, and the pooler stands in the classifier."""
ACTIVATIONS = ("gelu", "gelu_new", "gelu_pytorch_tanh", "relu")
OWN = "answerwatch"
"""Key under which the converter notes what it did."""


class Head(StrEnum):
    """What a model ends in."""

    VECTOR = "vector"
    PAIR = "pair"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The parts of `config.json` that numbers depend on."""

    path: Path
    raw: Mapping[str, Any]

    @property
    def is_roberta(self) -> bool:
        """Tell whether it has the layout of RoBERTa."""
        return self.raw.get("model_type") in ROBERTA

    @property
    def is_int8(self) -> bool:
        """Tell whether the converter made it int8."""
        own = self.raw.get(OWN)
        return isinstance(own, dict) and own.get("int8") is True

    @property
    def pad(self) -> int:
        """Return the number of the token that fills up."""
        found = self.raw.get("pad_token_id")
        return int(self.is_roberta) if type(found) is not int else found

    @property
    def epsilon(self) -> float:
        """Return what keeps layer norms from dividing by 0."""
        found = self.raw.get("layer_norm_eps")
        return float(found) if isinstance(found, int | float) else 1e-12

    @property
    def activation(self) -> str:
        """Return the name of the activation."""
        return str(self.raw.get("hidden_act") or "gelu")

    @property
    def tokens(self) -> int | None:
        """Return how many tokens it has positions for; None: not said."""
        found = self.raw.get("max_position_embeddings")
        if not isinstance(found, int):
            return None
        return found - self.pad - 1 if self.is_roberta else found

    @property
    def head(self) -> Head | None:
        """Return its head by the name of its architecture; None: not said."""
        names = self.raw.get("architectures")
        if not isinstance(names, list) or not names:
            return None
        return Head.PAIR if any("SequenceClassification" in str(one) for one in names) else Head.VECTOR

    def number(self, key: str) -> int:
        """Return a whole number above 0; raises ConfigurationError where it is missing."""
        found = self.raw.get(key)
        if type(found) is not int or found < 1:
            file = str(self.path)
            text = f"{file} does not say {key}, a whole number; take the file that belongs to the weights."
            raise ConfigurationError("onnx_config_number", text, file=file, key=key)
        return found

    def check_kind(self) -> None:
        """Raise ConfigurationError for a network that `graph` cannot write."""
        self._one_of("model_type", self.raw.get("model_type") or BERT[0], (*BERT, *ROBERTA))
        self._one_of("hidden_act", self.activation, ACTIVATIONS)
        self._one_of("position_embedding_type", self.raw.get("position_embedding_type") or "absolute", ("absolute",))

    def _one_of(self, key: str, value: object, known: Sequence[str]) -> None:
        if value not in known:
            file, found, all_ = str(self.path), in_short(str(value)), ", ".join(known)
            text = f"{file}: {key} is {found!r}; only {all_} can be converted. Bring such a model as model.onnx."
            raise ConfigurationError("onnx_kind_unknown", text, file=file, key=key, value=found, known=all_)

    def positive(self, wanted: str, labels: int) -> int:
        """Return which of several labels means alike: the one that is called `wanted`.

        Without any names of labels it is the one with that number. Raises ConfigurationError where none is.
        """
        if "id2label" not in self.raw and "label2id" not in self.raw and wanted.isdecimal() and int(wanted) < labels:
            return int(wanted)
        names = self._labels()
        found = {place for place, name in names if name in (wanted, f"LABEL_{wanted}") and place < labels}
        if len(found) != 1:
            file, told = str(self.path), ", ".join(sorted({in_short(name) for _, name in names})) or "-"
            text = (
                f"{file} has the labels {told}; which of them means alike is not clear. "
                f"Name it as `positive`; it is {wanted!r} now."
            )
            raise ConfigurationError("onnx_label_unclear", text, file=file, labels=told, wanted=wanted)
        return found.pop()

    def _labels(self) -> set[tuple[int, str]]:
        by_id, by_label = self.raw.get("id2label") or {}, self.raw.get("label2id") or {}
        try:
            return {(int(place), str(name)) for place, name in by_id.items()} | {
                (int(place), str(name)) for name, place in by_label.items()
            }
        except (AttributeError, TypeError, ValueError):
            return set()


def read_config(folder: Path) -> Config:
    """Read `config.json` of a folder; raises ConfigurationError where it is missing or no JSON object."""
    path = folder / FILE
    return Config(path=path, raw=read_json(path))


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; raises ConfigurationError where it is missing or none."""
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise missing(path.parent, path.name) from error
    except (OSError, ValueError) as error:
        raise damaged(path, str(error)) from error
    if not isinstance(found, dict):
        raise damaged(path, "it is no JSON object")
    return found


def missing(folder: Path, files: str) -> ConfigurationError:
    """Return the error of a folder that lacks a file, or any of some."""
    text = f"{folder} has no {files}; copy it from where the model came from."
    return ConfigurationError("onnx_file_missing", text, folder=str(folder), files=files)


def damaged(path: Path, why: str) -> ConfigurationError:
    """Return the error of a file that cannot be read."""
    told = in_short(why, 200)
    text = f"{path} cannot be used: {told}. Copy it again from where the model came from."
    return ConfigurationError("onnx_file_damaged", text, file=str(path), why=told)
