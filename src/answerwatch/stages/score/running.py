"""Items become scores here: no database, models and servers in a thread, one call of a scorer at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TypeVar

import numpy as np

from answerwatch.domain.failures import Failure, Scope, Severity
from answerwatch.domain.similarity import memory_of
from answerwatch.domain.work import Done, Failed, Outcome
from answerwatch.errors import AnswerwatchError
from answerwatch.similarity.products import of_pairs, product
from answerwatch.similarity.scorer import (
    CHANGED,
    Encoded,
    Floats,
    PairScorer,
    Refusal,
    Scored,
    Scorer,
    Scorers,
    ScorerTrouble,
    Served,
    VectorScorer,
)
from answerwatch.similarity.scores import (
    PAIR_PRECISION,
    VECTOR_PRECISION,
    Counts,
    Precision,
    checksum,
    histogram,
    packed,
)
from answerwatch.stages.score.recent import Recent
from answerwatch.stages.score.records import Encode, EncodedUnit, Item, Output, Pairs, Product, ScoredBlock
from answerwatch.store.similarity.blocks import Scores

T = TypeVar("T")


class Runner:
    """Runs items; one scorer works at a time, because two at once would share a core or break a server's limit."""

    def __init__(self, scorers: Scorers) -> None:
        """Keep where scorers come from."""
        self._scorers = scorers
        self._locks: dict[str, asyncio.Lock] = {}
        self._lately: dict[str, Recent] = {}

    async def run(self, items: Sequence[Item]) -> AsyncIterator[Outcome[Output]]:
        """Yield an outcome for every item."""
        for item in items:
            try:
                value = await self._output(item)
            except ScorerTrouble as error:
                yield Failed(claim=item.claim, failure=error.failure)
            except AnswerwatchError as error:
                yield Failed(claim=item.claim, failure=_own_fault(error))
            else:
                yield Done(claim=item.claim, value=value)

    async def _output(self, item: Item) -> Output:
        if isinstance(item, Product):
            return await asyncio.to_thread(_product, item)
        if isinstance(item, Encode):
            return await self._with(item.job.encoder_name, lambda scorer: _encoded(item, scorer))
        return await self._with(item.job.scorer_name, lambda scorer: _scored(item, scorer, self._recent(item)))

    async def _with(self, name: str, work: Callable[[Scorer], T]) -> T:
        async with self._locks.setdefault(name, asyncio.Lock()):
            return await asyncio.to_thread(self._alone, name, work)

    def _recent(self, item: Pairs) -> Recent:
        return self._lately.setdefault(item.job.scorer_name, Recent())

    def _alone(self, name: str, work: Callable[[Scorer], T]) -> T:
        with self._scorers.alone(name):
            return work(self._scorers.get(name))


def _own_fault(error: AnswerwatchError) -> Failure:
    """Return the failure of a scorer that cannot be made here: a model that is not installed, a key that is missing."""
    return Failure(error_type=error.code[:64], severity=Severity.PERMANENT, scope=Scope.LOCAL, message=error.text)


def _changed(expected: str, found: str) -> ScorerTrouble:
    text = f"The job began with {expected}, the scorer is {found} now; scores of two models are never mixed."
    return ScorerTrouble(Failure(error_type=CHANGED, severity=Severity.PERMANENT, message=text))


def _is(scorer: Scorer, scorer_id: str) -> bool:
    """Tell whether a scorer is the one that a job began with; a server is asked anew before it is called a stranger."""
    if scorer.facts.scorer_id != scorer_id and isinstance(scorer, Served):
        scorer.look_again()
    return scorer.facts.scorer_id == scorer_id


def _encoded(item: Encode, scorer: Scorer) -> EncodedUnit:
    """Encode what is not remembered."""
    began = time.monotonic()
    if not isinstance(scorer, VectorScorer) or not _is(scorer, item.job.encoder_id):
        raise _changed(item.job.encoder_id, scorer.facts.scorer_id)
    fresh = {one.text_hash: one for one in item.texts if one.text_hash not in item.known}
    made = scorer.encode([one.text for one in fresh.values()], item.role) if fresh else None
    vectors = {text_hash: np.frombuffer(data, dtype=VECTOR_PRECISION) for text_hash, data in item.known.items()}
    refused: dict[str, Refusal] = {}
    if made is not None:
        refused = _take(made, list(fresh), vectors)
    width = len(next(iter(vectors.values()))) if vectors else 1
    unit = np.full((len(item.texts), width), np.nan, dtype=VECTOR_PRECISION)
    for place, one in enumerate(item.texts):
        if one.text_hash in vectors:
            unit[place] = vectors[one.text_hash]
    keep = scorer.facts.has_memory
    return EncodedUnit(
        name=item.name,
        job=item.job,
        vectors=unit.tobytes(),
        dimensions=width,
        role=item.role,
        made={one: packed_vector(vectors[one]) for one in fresh if keep and one in vectors},
        refused=[(one, refused[one.text_hash]) for one in item.texts if one.text_hash in refused],
        chars=sum(len(one.text) for one in item.texts),
        cached_chars=sum(len(one.text) for one in item.texts if one.text_hash in item.known),
        seconds=time.monotonic() - began,
    )


def packed_vector(vector: Floats) -> bytes:
    """Return a vector as it is remembered."""
    return packed(vector, VECTOR_PRECISION)


def _take(made: Encoded, hashes: Sequence[str], vectors: dict[str, Floats]) -> dict[str, Refusal]:
    """Put vectors that were made beside those that were remembered; return the refused texts."""
    refused = {hashes[place]: refusal for place, refusal in made.refused.items()}
    for place, text_hash in enumerate(hashes):
        if text_hash not in refused:
            vectors[text_hash] = made.vectors[place].astype(VECTOR_PRECISION)
    return refused


def _product(item: Product) -> ScoredBlock:
    began = time.monotonic()
    if item.by_pairs:
        scores = of_pairs(item.left, item.right)[:, None]
    else:
        scores = product(item.left, [item.right], len(item.right))
    scores[item.same.reshape(scores.shape) & ~np.isnan(scores)] = 1.0
    return _block(item, scores, began)


def _block(item: Product, scores: Floats, began: float) -> ScoredBlock:
    if item.cells.is_plain:
        counts, missing = None, int(np.isnan(scores).sum())
    else:
        counts = item.cells.counts()
        scores = np.where(counts > 0, scores, np.float32(np.nan))
        missing = int(counts[np.isnan(scores)].sum())
    kept = _kept(scores, counts, VECTOR_PRECISION, began)
    return ScoredBlock(name=item.name, job=item.job, kept=kept, processed=item.cells.total(), failed=missing)


def _kept(scores: Floats, counts: Counts | None, precision: Precision, began: float) -> Scores:
    data = packed(scores, precision)
    return Scores(
        scores=data,
        checksum=checksum(data),
        histogram=histogram(scores, counts).astype("<i8").tobytes(),
        process_time=time.monotonic() - began,
    )


def _scored(item: Pairs, scorer: Scorer, recent: Recent) -> ScoredBlock:
    """Score the pairs that are not remembered, each of them once."""
    began = time.monotonic()
    if not isinstance(scorer, PairScorer) or not _is(scorer, item.job.scorer_id):
        raise _changed(item.job.scorer_id, scorer.facts.scorer_id)
    names = [one.either if scorer.facts.symmetric else one.ordered for one in item.hashes]
    memory = memory_of(item.job.scorer_id, item.job.job_id)
    known = {**recent.known(memory, names), **item.known}
    fresh: dict[str, int] = {}
    for place, name in enumerate(names):
        if name not in known:
            fresh.setdefault(name, place)
    pairs = [(item.pairs[place][0].text, item.pairs[place][1].text) for place in fresh.values()]
    made = scorer.score(pairs) if pairs else None
    new, refused = _made(list(fresh), made)
    recent.keep(memory, new)
    known |= new
    values: Floats = np.array([known.get(name, np.nan) for name in names] or [np.nan], dtype=np.float32)
    scores = np.where(item.layout.numbers >= 0, values[item.layout.numbers], np.float32(np.nan))
    places = item.layout.places
    return ScoredBlock(
        name=item.name,
        job=item.job,
        kept=_kept(scores, item.layout.counts, PAIR_PRECISION, began)
        if places is None
        else _kept_candidates(scores, places.astype("<i4").tobytes(), began),
        processed=item.layout.processed,
        failed=int(item.layout.counts[np.isnan(scores) & (item.layout.numbers >= 0)].sum()),
        made=new,
        asked=len(names),
        cached=len(names) - len(fresh),
        refused=[(item.layout.where(fresh[name]), *item.pairs[fresh[name]], why) for name, why in refused.items()],
    )


def _made(names: Sequence[str], made: Scored | None) -> tuple[dict[str, float], dict[str, Refusal]]:
    """Return scores by the hash of their pair, and why others have none."""
    if made is None:
        return {}, {}
    scores = {name: float(score) for name, score in zip(names, made.scores, strict=True) if not np.isnan(score)}
    return scores, {names[place]: why for place, why in made.refused.items()}


def _kept_candidates(scores: Floats, places: bytes, began: float) -> Scores:
    data = packed(scores, PAIR_PRECISION)
    return Scores(scores=data, places=places, checksum=checksum(places, data), process_time=time.monotonic() - began)
