"""Makes the scorer that settings describe."""

from __future__ import annotations

from answerwatch.scorers.onnx.config import Head
from answerwatch.scorers.onnx.model import Model, Wanted
from answerwatch.scorers.onnx.scorers import OnnxPairs, OnnxVectors, Pooling, pooling_of
from answerwatch.scorers.onnx.settings import OnnxSettings
from answerwatch.similarity.scorer import Scorer


def scorer_of(name: str, settings: OnnxSettings) -> Scorer:
    """Return a scorer; raises ConfigurationError for a folder that cannot be used."""
    wanted = Wanted(
        path=settings.folder,
        model=settings.model,
        head=None if settings.head is None else Head(settings.head),
        int8=settings.int8,
        tokens=settings.max_tokens,
        budget=settings.batch_tokens,
        threads=settings.threads,
    )
    model = Model(wanted)
    if model.head is Head.PAIR:
        return OnnxPairs(name, model, settings.positive)
    pooling = pooling_of(model.folder, None if settings.pooling is None else Pooling(settings.pooling))
    return OnnxVectors(name, model, pooling, (settings.query_prefix, settings.passage_prefix))
