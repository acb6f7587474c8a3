"""After a batch: is the own question of an answer the one that it is most like among all that were asked?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from answerwatch.domain.relevance import HEAD, Fit, Relevance, Thresholds
from answerwatch.errors import UsageError
from answerwatch.similarity.scorer import Floats, Role, ScorerKind, VectorScorer
from answerwatch.similarity.texts import normalised
from answerwatch.store.sample.asked import Asked
from answerwatch.store.similarity.relevance import Ranked
from answerwatch.workspace.similarity.scorers import ScorerDesk

FEWEST = 50
"""Questions from which a rank says something."""
NEAR, FAR = 0.05, 0.5
"""Shares of the questions: within the first the own one is found, beyond the second it is lost."""


def ranked(
    desk: ScorerDesk, scorer: str, answers: Sequence[Asked], named: frozenset[str], thresholds: Thresholds | None
) -> list[Ranked]:
    """Return score, rank and verdict of every answer; `named` are those that name a tracked brand.

    Raises UsageError for a pair scorer and for fewer than 50 different questions, ScorerTrouble where a call failed.
    """
    facts = desk.facts(scorer)
    texts = list(dict.fromkeys(normalised(one.query_text) for one in answers))
    if facts.kind is not ScorerKind.VECTOR:
        text = f"{scorer} scores pairs; every answer with every question would be too many, take a vector scorer."
        raise UsageError("ranking_pairs", text, scorer=scorer)
    if len(texts) < FEWEST:
        text = f"A rank needs {FEWEST} different questions, the batch has {len(texts)}."
        raise UsageError("ranking_few", text, needed=FEWEST, found=len(texts))
    heads = [normalised(one.head)[:HEAD] for one in answers]
    questions, found = _vectors(desk, scorer, texts, heads)
    places = {text: place for place, text in enumerate(texts)}
    ranks = []
    for one, head, vector in zip(answers, heads, found, strict=True):
        if head:
            score, rank = _placed(questions @ vector, places[normalised(one.query_text)])
            fit = _fit(rank / len(texts), Relevance(score, thresholds).fit)
            fit = Fit.RELEVANT if one.sub_task_id in named else fit
            ranks.append(Ranked(one.sub_task_id, facts.scorer_id, score, str(fit), rank, len(texts)))
    return ranks


def _vectors(desk: ScorerDesk, scorer: str, texts: Sequence[str], heads: Sequence[str]) -> tuple[Floats, Floats]:
    model = desk.get(scorer)
    assert isinstance(model, VectorScorer)  # noqa: S101 - its facts said so
    apart = model.facts.asymmetric_roles
    with desk.alone(scorer):
        questions = model.encode(texts, Role.QUERY if apart else Role.SAME).vectors
        return questions, model.encode([head or " " for head in heads], Role.PASSAGE if apart else Role.SAME).vectors


def _placed(scores: Floats, own: int) -> tuple[float | None, int]:
    """Return the score of the own question, and its place among all from 1."""
    score = None if np.isnan(scores[own]) else float(scores[own])
    return score, 1 + int((scores > scores[own]).sum())


def _fit(share: float, by_score: Fit) -> Fit:
    """Return the verdict: a rank clears a doubt that the score raises and raises one of its own, it never decides."""
    if share <= NEAR:
        return Fit.RELEVANT
    if share > FAR and by_score in (Fit.RELEVANT, Fit.UNKNOWN):
        return Fit.SUSPECT
    return by_score
