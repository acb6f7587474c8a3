"""How well answers go with their questions, by a similarity scorer: a doubt, and the strict case of being invalid."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
import structlog

from answerwatch.domain.relevance import HEAD, Relevance, Thresholds
from answerwatch.errors import AnswerwatchError
from answerwatch.similarity.measured import MEASURED, RELEVANCE
from answerwatch.similarity.products import of_pairs
from answerwatch.similarity.scorer import (
    Floats,
    PairScorer,
    Role,
    Scorer,
    ScorerFacts,
    Scorers,
    ScorerTrouble,
    VectorScorer,
)
from answerwatch.similarity.texts import normalised
from answerwatch.store.database import Read
from answerwatch.store.similarity import calibrations

log = structlog.get_logger(__name__)

KEPT = 4096
"""Questions whose vectors are kept: a batch asks each many times."""


class Gauge:
    """Scores answers against their questions with one scorer of a workspace."""

    def __init__(self, scorers: Scorers, name: str) -> None:
        """Take the scorer `name` when the first answer comes."""
        self._scorers = scorers
        self._name = name
        self._questions: OrderedDict[str, Floats] = OrderedDict()
        self._questions_of: str | None = None

    @property
    def scorer_id(self) -> str | None:
        """Return the id of the scorer, None for a server that cannot be asked."""
        facts = self._facts()
        return None if facts is None else facts.scorer_id

    def thresholds(self, read: Read) -> Thresholds | None:
        """Return the scorer's thresholds, the workspace's own before those measured for everybody; None: none.

        A server that cannot be asked has none, as long as it cannot.
        """
        facts = self._facts()
        if facts is None:
            return None
        own = calibrations.get(read, facts.scorer_id, RELEVANCE)
        if own is not None:
            strict, doubt, usable = own["irrelevant_below"], own["suspect_below"], own["is_usable"] == 1
        else:
            shipped = MEASURED.get((RELEVANCE, facts.scorer_id))
            if shipped is None:
                return None
            strict, doubt, usable = shipped.irrelevant_below, shipped.suspect_below, shipped.is_usable
        return Thresholds(doubt, strict if facts.sees_meaning else None) if usable else None

    def _facts(self) -> ScorerFacts | None:
        scorer = self._scorers.get(self._name)
        try:
            return scorer.facts
        except ScorerTrouble as error:
            log.warning("relevance_unknown", scorer=self._name, error=str(error))
            return None

    def of(self, pairs: Sequence[tuple[str, str]], thresholds: Thresholds | None) -> list[Relevance]:
        """Return the relevance of questions and their answers, in their order.

        A scorer that fails leaves the scores unknown: an answer is read whether or not its fit is known.
        """
        texts = [(normalised(question), normalised(answer[: 2 * HEAD])[:HEAD]) for question, answer in pairs]
        asked = [place for place, both in enumerate(texts) if all(both)]
        found = [Relevance(None, thresholds) for _ in texts]
        if not asked:
            return found
        try:
            with self._scorers.alone(self._name):
                scores = self._scores(self._scorers.get(self._name), [texts[place] for place in asked])
        except (ScorerTrouble, AnswerwatchError) as error:
            log.warning("relevance_unknown", scorer=self._name, answers=len(asked), error=str(error))
            return found
        for place, score in zip(asked, scores, strict=True):
            found[place] = Relevance(None if np.isnan(score) else float(score), thresholds)
        return found

    def _scores(self, scorer: Scorer, pairs: Sequence[tuple[str, str]]) -> Floats:
        if isinstance(scorer, PairScorer):
            return scorer.score(pairs).scores
        if scorer.facts.scorer_id != self._questions_of:
            self._questions.clear()
            self._questions_of = scorer.facts.scorer_id
        roles = (Role.QUERY, Role.PASSAGE) if scorer.facts.asymmetric_roles else (Role.SAME, Role.SAME)
        questions = self._vectors(scorer, [question for question, _ in pairs], roles[0])
        return of_pairs(questions, scorer.encode([answer for _, answer in pairs], roles[1]).vectors)

    def _vectors(self, scorer: VectorScorer, questions: Sequence[str], role: Role) -> Floats:
        """Return the vectors of questions; those of the last ones are kept."""
        new = [one for one in dict.fromkeys(questions) if one not in self._questions]
        if new:
            self._questions.update(zip(new, scorer.encode(new, role).vectors, strict=True))
        vectors: Floats = np.stack([self._questions[one] for one in questions])
        for one in dict.fromkeys(questions):
            self._questions.move_to_end(one)
        while len(self._questions) > KEPT:
            self._questions.popitem(last=False)
        return vectors
