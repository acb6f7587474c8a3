"""BERT written down a second time, slowly and in numpy: the tokenizer and the network, for one text or pair."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from math import erf, sqrt

import numpy as np
import numpy.typing as npt

from answerwatch.similarity.scorer import Floats
from tests.checkpoints import HEADS, LAYERS, VOCABULARY

Wide = npt.NDArray[np.float64]
NUMBERS = {word: number for number, word in enumerate(VOCABULARY)}


def words_of(text: str) -> list[str]:
    """Cut a text as the basic tokenizer of BERT does: small letters, no accents, CJK and punctuation alone."""
    bare = "".join(one for one in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(one) != "Mn")
    apart = "".join(f" {one} " if _stands_alone(one) else one for one in bare)
    return apart.split()


def _stands_alone(letter: str) -> bool:
    is_sign = 33 <= ord(letter) <= 47 or 58 <= ord(letter) <= 64 or 91 <= ord(letter) <= 96 or 123 <= ord(letter) <= 126
    return is_sign or unicodedata.category(letter).startswith("P") or 0x4E00 <= ord(letter) <= 0x9FFF


def pieces_of(word: str) -> list[str]:
    """Cut a word into the longest pieces that are known."""
    found: list[str] = []
    start = 0 if len(word) <= 100 else len(word)
    while start < len(word):
        end = len(word)
        while end > start and (("##" if start else "") + word[start:end]) not in NUMBERS:
            end -= 1
        if end == start:
            return ["[UNK]"]
        found.append(("##" if start else "") + word[start:end])
        start = end
    return found or ["[UNK]"]


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text."""
    return [piece for word in words_of(text) for piece in pieces_of(word)]


def encoded(*texts: str, most: int = 10_000) -> tuple[list[int], list[int]]:
    """Return tokens and types of a text or pair, cut from the longer one first."""
    parts = [tokens_of(one) for one in texts]
    while sum(map(len, parts)) > most - 1 - len(parts):
        longest = max(parts, key=len) if len(parts[0]) != len(parts[-1]) else parts[-1]
        longest.pop()
    tokens, types = ["[CLS]"], [0]
    for number, part in enumerate(parts):
        tokens += [*part, "[SEP]"]
        types += [number] * (len(part) + 1)
    return [NUMBERS[one] for one in tokens], types


def forward(weights: Mapping[str, Floats], tokens: Sequence[int], types: Sequence[int]) -> Wide:
    """Return the vectors of all tokens after the last layer."""
    w = {name: values.astype(np.float64) for name, values in weights.items()}
    state = np.stack(
        [
            w["embeddings.word_embeddings.weight"][token]
            + w["embeddings.position_embeddings.weight"][place]
            + w["embeddings.token_type_embeddings.weight"][type_]
            for place, (token, type_) in enumerate(zip(tokens, types, strict=True))
        ]
    )
    state = _norm(w, "embeddings", state)
    for number in range(LAYERS):
        name = f"encoder.layer.{number}"
        attended = _linear(w, f"{name}.attention.output.dense", _attention(w, f"{name}.attention.self", state))
        state = _norm(w, f"{name}.attention.output", attended + state)
        inner = _linear(w, f"{name}.intermediate.dense", state)
        bent = inner * 0.5 * (1 + np.vectorize(erf)(inner / sqrt(2)))
        state = _norm(w, f"{name}.output", _linear(w, f"{name}.output.dense", bent) + state)
    return state


def logits(weights: Mapping[str, Floats], left: str, right: str, most: int = 10_000) -> Wide:
    """Return what the classifier says of a pair."""
    w = {name: values.astype(np.float64) for name, values in weights.items()}
    first = forward(weights, *encoded(left, right, most=most))[:1]
    found: Wide = _linear(w, "classifier", np.tanh(_linear(w, "pooler.dense", first)))[0]
    return found


def positive(weights: Mapping[str, Floats], left: str, right: str, most: int = 10_000) -> float:
    """Return the probability of the second of two labels."""
    powers = np.exp(logits(weights, left, right, most))
    return float(powers[1] / powers.sum())


def _linear(w: Mapping[str, Wide], name: str, given: Wide) -> Wide:
    return given @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def _norm(w: Mapping[str, Wide], name: str, given: Wide) -> Wide:
    centred = given - given.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
    found: Wide = centred / spread * w[f"{name}.LayerNorm.weight"] + w[f"{name}.LayerNorm.bias"]
    return found


def _attention(w: Mapping[str, Wide], name: str, given: Wide) -> Wide:
    query, key, value = (_linear(w, f"{name}.{part}", given) for part in ("query", "key", "value"))
    width = given.shape[1] // HEADS
    mixed = np.empty_like(given)
    for head in range(HEADS):
        own = slice(head * width, (head + 1) * width)
        powers = np.exp(query[:, own] @ key[:, own].T / sqrt(width))
        mixed[:, own] = powers / powers.sum(axis=1, keepdims=True) @ value[:, own]
    return mixed
