"""How far int8 leads a model away from itself, on sentences of everyday: a first look, no measure of its quality."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np

from answerwatch.scorers.onnx.config import Head
from answerwatch.scorers.onnx.model import Model, Wanted
from answerwatch.scorers.onnx.scorers import OnnxVectors, pooling_of, probabilities
from answerwatch.similarity.scorer import Floats

SENTENCES = (
    "怎么把买来的商品退掉？",
    "我想退货，应该怎么办理？",
    "这款手机的电池很耐用。",
    "这款手机续航时间不长，一天要充两次电。",
    "北京有哪些适合带孩子去的博物馆？",
    "带小朋友在北京看展览，去哪里比较好？",
    "推荐几家性价比高的连锁酒店。",
    "今天晚上吃什么好呢？",
    "明天上午十点开会，请准时参加。",
    "会议改到明天下午三点了。",
    "How do I return an item that I bought last week?",
    "Which hotel chains offer good value for money?",
)


def difference_of(folder: Path, whole: str, small: str, head: Head) -> float:
    """Return the largest difference of scores between two graphs of a folder, over all pairs of SENTENCES.

    Vectors are compared by the products of theirs.
    """
    scores = _judged if head is Head.PAIR else _products
    found = [_with(Model(Wanted(path=folder, model=name, head=head)), scores) for name in (whole, small)]
    return float(np.abs(found[0] - found[1]).max())


def _with(model: Model, scores: Callable[[Model], Floats]) -> Floats:
    try:
        return scores(model)
    finally:
        model.close()


def _judged(model: Model) -> Floats:
    """Return probabilities of the last label: where a difference is all that is wanted, which one does not matter."""
    labels = int(str(model.session().shape[-1]))
    logits = model.rows(list(combinations(SENTENCES, 2)), lambda found, _: found, labels)
    return probabilities(logits, None if labels == 1 else labels - 1)


def _products(model: Model) -> Floats:
    vectors = OnnxVectors("whole", model, pooling_of(model.folder, None)).encode(SENTENCES).vectors
    products: Floats = vectors @ vectors.T
    return products
