"""The two scorers: texts as vectors, and pairs as probabilities of being alike."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from hashlib import blake2b

import numpy as np

from answerwatch.domain.said import Said
from answerwatch.scorers.onnx.bert import Checkpoint
from answerwatch.scorers.onnx.config import damaged, read_json
from answerwatch.scorers.onnx.folder import ModelFolder
from answerwatch.scorers.onnx.model import Model
from answerwatch.similarity.scorer import Encoded, Floats, Refusal, Role, Scored, ScorerFacts, ScorerKind

POOLING_FILE = "1_Pooling/config.json"
"""Where sentence-transformers notes how tokens become one vector."""
_LONGEST_NAME = 64


class Pooling(StrEnum):
    """How vectors of tokens become the vector of their text."""

    MEAN = "mean"
    CLS = "cls"
    """That of the first token."""


def pooling_of(folder: ModelFolder, wanted: Pooling | None) -> Pooling:
    """Return the wanted way, else what the folder says, else the mean; raises ConfigurationError for another one."""
    path = folder.path / POOLING_FILE
    if wanted is not None or not path.is_file():
        return wanted or Pooling.MEAN
    said = read_json(path)
    ways = {name for name, value in said.items() if name.startswith("pooling_mode_") and value is True}
    found = {"pooling_mode_cls_token": Pooling.CLS, "pooling_mode_mean_tokens": Pooling.MEAN}
    if len(ways) != 1 or not ways <= found.keys():
        raise damaged(path, "it asks for another pooling than mean or cls; say `pooling` where one of these will do")
    return found[ways.pop()]


class OnnxVectors:
    """Vectors of single texts."""

    def __init__(self, name: str, model: Model, pooling: Pooling, prefixes: tuple[str, str] = ("", "")) -> None:
        """Take a model; `prefixes` go before a query and before a passage, as the model was trained."""
        self._model = model
        self._pooling = pooling
        self._prefixes = prefixes
        self._width = model.config.number("hidden_size")
        longest = model.longest - max(map(len, prefixes))
        parts = [f"pool={pooling}"] + ([f"prefix={_digest(prefixes)}"] if any(prefixes) else [])
        self._facts = ScorerFacts(
            name=name,
            kind=ScorerKind.VECTOR,
            model=_model_name(model),
            revision=model.revision,
            settings=_settings(model, parts),
            dimensions=self._width,
            asymmetric_roles=prefixes[0] != prefixes[1],
            longest=longest,
        )

    @property
    def facts(self) -> ScorerFacts:
        """Return what is known of it."""
        return self._facts

    def encode(self, texts: Sequence[str], role: Role = Role.SAME) -> Encoded:
        """Return vectors of length 1; raises ScorerTrouble when the model fails, ConfigurationError for a bad one."""
        session = self._model.session()
        if len(session.shape) != 3:
            raise damaged(self._model.folder.model, f"its output has the shape {session.shape}, not a vector a token")
        prefix = self._prefixes[1 if role is Role.PASSAGE else 0]
        vectors = self._model.rows([prefix + one for one in texts], self._pooled, self._width)
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        with np.errstate(invalid="ignore"):
            vectors /= np.where(lengths == 0, 1, lengths)[:, None]
        return Encoded(vectors=vectors, refused=_not_finite(vectors))

    def close(self) -> None:
        """Let go of the model; what runs ends with ScorerTrouble."""
        self._model.close()

    def _pooled(self, tokens: Floats, mask: Floats) -> Floats:
        if self._pooling is Pooling.CLS:
            return tokens[:, 0]
        total: Floats = np.einsum("blh,bl->bh", tokens, mask)
        total /= mask.sum(axis=1, keepdims=True)
        return total


class OnnxPairs:
    """Probabilities that both texts of a pair are alike."""

    def __init__(self, name: str, model: Model, positive: str) -> None:
        """Take a model; `positive` is the label that means alike, where it has several.

        Raises ConfigurationError where weights have no classifier, or that label is not known.
        """
        self._model = model
        self._positive = positive
        if not model.folder.is_graph:
            _, shift = Checkpoint(model.folder.model, model.config).classifier()
            self._place(len(shift))
        self._facts = ScorerFacts(
            name=name,
            kind=ScorerKind.PAIR,
            model=_model_name(model),
            revision=model.revision,
            settings=_settings(model, [] if positive == "1" else [f"label={positive}"]),
            symmetric=False,
            longest=model.longest,
        )

    @property
    def facts(self) -> ScorerFacts:
        """Return what is known of it."""
        return self._facts

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scored:
        """Return probabilities of the positive label, also where it is the less likely one.

        Raises ScorerTrouble when the model fails, ConfigurationError for one that cannot score.
        """
        session = self._model.session()
        labels = session.shape[-1]
        if len(session.shape) != 2 or not isinstance(labels, int):
            raise damaged(self._model.folder.model, f"its output has the shape {session.shape}, not a number a label")
        logits = self._model.rows(pairs, lambda found, _: found, labels)
        scores = probabilities(logits, self._place(labels))
        return Scored(scores=scores, refused=_not_finite(scores[:, None]))

    def close(self) -> None:
        """Let go of the model; what runs ends with ScorerTrouble."""
        self._model.close()

    def _place(self, labels: int) -> int | None:
        """Return which of several labels means alike; None: there is one alone."""
        return None if labels == 1 else self._model.config.positive(self._positive, labels)


def probabilities(logits: Floats, positive: int | None) -> Floats:
    """Return the probability of a label; of a single logit its sigmoid. What is not finite becomes NaN."""
    wide = logits.astype(np.float64)
    wide[~np.isfinite(wide).all(axis=1)] = np.nan
    if positive is None:
        return (1 / (1 + np.exp(-np.clip(wide[:, 0], -700, 700)))).astype(np.float32)
    powers = np.exp(wide - wide.max(axis=1, keepdims=True))
    found: Floats = (powers[:, positive] / powers.sum(axis=1)).astype(np.float32)
    return found


def _not_finite(rows: Floats) -> dict[int, Refusal]:
    """Make rows NaN that hold anything that is not finite; return why."""
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    rows[bad] = np.nan
    message = Said("onnx_not_finite", "the model gave no finite number for it")
    return {int(place): Refusal(reason="not_finite", message=message) for place in bad}


def _model_name(model: Model) -> str:
    return model.folder.path.resolve().name[:_LONGEST_NAME]


def _settings(model: Model, more: Sequence[str]) -> str:
    parts = [f"head={model.head}", f"len={model.tokens}", *(["int8"] if model.is_int8 else []), *more]
    return ";".join(parts)


def _digest(prefixes: tuple[str, str]) -> str:
    return blake2b("\0".join(prefixes).encode(), digest_size=4).hexdigest()
