"""The protocols: which texts a request holds, and how a reply looks."""

import base64
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from answerwatch.simulator.scoring import numbers
from answerwatch.simulator.scoring.behaviour import Behaviour, Tells

Row = dict[str, object]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks for: vectors of texts, or scores of pairs."""

    texts: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()

    @property
    def count(self) -> int:
        """Return how many numbers or vectors are wanted."""
        return len(self.texts) or len(self.pairs)

    @property
    def every(self) -> tuple[str, ...]:
        """Return all texts."""
        return (*self.texts, *(text for pair in self.pairs for text in pair))


@dataclass(frozen=True, slots=True)
class Made:
    """Numbers as they go into a reply: vectors or scores, with places that are spoilt or missing already."""

    values: Sequence[Any]
    # Place of each value in the request; None where a fault leaves it out.
    index: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class Protocol:
    """An endpoint; `read` raises ValueError, KeyError or TypeError for a body that is not of the protocol."""

    suffix: str
    read: Callable[[dict[str, Any]], Asked]
    reply: Callable[[dict[str, Any], Made, Behaviour], object]
    # Rows name their place; else they stand in the order of the request.
    has_index: bool = True


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError("texts must be a list of strings")
    return tuple(value)


def _ranked(body: dict[str, Any], name: str) -> Asked:
    query = str(body["query"])
    return Asked(pairs=tuple((query, text) for text in _texts(body[name])))


def _scored(body: dict[str, Any]) -> Asked:
    left, right = _texts(body["text_1"]), _texts(body["text_2"])
    if len(left) == 1:
        left = left * len(right)
    return Asked(pairs=tuple(zip(left, right, strict=True)))


def _predicted(body: dict[str, Any]) -> Asked:
    return Asked(pairs=tuple((str(left), str(right)) for left, right in body["inputs"]))


def _classified(body: dict[str, Any]) -> Asked:
    found = [text.partition("[SEP]") for text in _texts(body["input"])]
    return Asked(pairs=tuple((left, right) for left, _, right in found))


def _usage(behaviour: Behaviour, body: dict[str, Any]) -> Mapping[str, object]:
    tokens = sum(len(text) for text in _every_text(body))
    told = {"revision": behaviour.revision} if behaviour.tells is Tells.BODY else {}
    return {"model": behaviour.model, "usage": {"total_tokens": tokens}, **told}


def _every_text(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for key, one in value.items() if key != "model" for text in _every_text(one)]
    if isinstance(value, list):
        return [text for one in value for text in _every_text(one)]
    return [value] if isinstance(value, str) else []


def _embedded(body: dict[str, Any], made: Made, behaviour: Behaviour) -> object:
    as_base64 = body.get("encoding_format") == "base64"
    rows = [
        {"object": "embedding", "index": place, "embedding": _packed(one) if as_base64 else one}
        for place, one in zip(made.index, made.values, strict=True)
    ]
    return {"object": "list", "data": rows, **_usage(behaviour, body)}


def _packed(vector: Sequence[float | None]) -> str:
    known = [float("nan") if one is None else one for one in vector]
    return base64.b64encode(struct.pack(f"<{len(known)}f", *known)).decode()


def _indexed(made: Made, name: str) -> list[Row]:
    return [{"index": place, name: one} for place, one in zip(made.index, made.values, strict=True)]


def _reranked(body: dict[str, Any], made: Made, behaviour: Behaviour) -> object:
    # As real servers: no more rows than top_n, the best first.
    rows = sorted(_indexed(made, "relevance_score"), key=lambda row: -float(str(row["relevance_score"] or 0)))
    return {"id": "rank-1", "results": rows[: body.get("top_n") or len(rows)], **_usage(behaviour, body)}


def _labelled(_: dict[str, Any], made: Made, __: Behaviour) -> object:
    """Return labels sorted by probability, so that the place of a label says nothing."""
    rows = []
    for one in made.values:
        rest = None if one is None else 1 - one
        labels: list[Row] = [{"score": one, "label": "1"}, {"score": rest, "label": "0"}]
        rows.append(sorted(labels, key=lambda label: -float(str(label["score"] or 0))))
    return rows


def _classes(body: dict[str, Any], made: Made, behaviour: Behaviour) -> object:
    rows = [
        {"index": place, "label": "1", "probs": [None if one is None else 1 - one, one], "num_classes": 2}
        for place, one in zip(made.index, made.values, strict=True)
    ]
    return {"object": "list", "data": rows, **_usage(behaviour, body)}


PROTOCOLS = (
    Protocol("/compatible-mode/v1/embeddings", lambda body: Asked(_texts(body["input"])), _embedded),
    Protocol("/compatible-api/v1/reranks", lambda body: _ranked(body, "documents"), _reranked),
    Protocol("/v1/embeddings", lambda body: Asked(_texts(body["input"])), _embedded),
    Protocol("/v1/rerank", lambda body: _ranked(body, "documents"), _reranked),
    Protocol(
        "/embed", lambda body: Asked(_texts(body["inputs"])), lambda _, made, __: list(made.values), has_index=False
    ),
    Protocol("/rerank", lambda body: _ranked(body, "texts"), lambda _, made, __: _indexed(made, "score")),
    Protocol("/predict", _predicted, _labelled, has_index=False),
    Protocol(
        "/score",
        _scored,
        lambda body, made, behaviour: {"data": _indexed(made, "score"), **_usage(behaviour, body)},
    ),
    Protocol("/classify", _classified, _classes),
)


def numbers_of(asked: Asked, behaviour: Behaviour, turn: int) -> Made:
    """Return the numbers of a request; spoilt ones in their places."""
    model = f"{behaviour.model}@{behaviour.revision}"
    values: list[Any] = [_vector(text, model, behaviour, turn) for text in asked.texts]
    values += [_score(pair, model, behaviour, turn) for pair in asked.pairs]
    return Made(values, range(len(values)))


def _vector(text: str, model: str, behaviour: Behaviour, turn: int) -> list[float | None]:
    found: list[float | None] = [
        number + behaviour.noise * (1 if (turn + place) % 2 else -1)
        for place, number in enumerate(numbers.vector(text, model, behaviour.dimensions))
    ]
    if behaviour.spoilt is None or behaviour.spoilt[0] not in text:
        return found
    return [None, *found[1:]] if behaviour.spoilt[1] == "nan" else found[:-1]


def _score(pair: Pair, model: str, behaviour: Behaviour, turn: int) -> float | None:
    if behaviour.spoilt is not None and any(behaviour.spoilt[0] in text for text in pair):
        return None
    return numbers.score(*pair, model) + behaviour.noise * (1 if turn % 2 else -1)
