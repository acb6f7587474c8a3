"""Near duplicates in the question bank, found by a scorer at its own threshold."""

from __future__ import annotations

from answerwatch.errors import UsageError
from answerwatch.similarity.alike import twins
from answerwatch.similarity.matrix import score_matrix
from answerwatch.similarity.measured import SAMENESS
from answerwatch.store.bank import questions as bank
from answerwatch.store.database import Read
from answerwatch.workspace.similarity.calibrating import in_force
from answerwatch.workspace.similarity.scorers import ScorerDesk
from answerwatch.workspace.similarity.views import AlikeQuestions, TwinView

MANY = 0.3
"""Share of a bank that may be duplicates before the threshold is doubted."""
MOST = 5_000
"""Questions that are compared with each other."""


def alike(read: Read, desk: ScorerDesk, *, scorer: str, above: float | None, scene: str | None) -> AlikeQuestions:
    """Return the active questions that say the same as an earlier one of their scene.

    Without `above` the threshold is the scorer's own for sentences that say the same. Raises UsageError where it has
    none, or the bank is too large, and ScorerTrouble where a call failed.
    """
    least = _least(read, desk, scorer) if above is None else above
    wanted = bank.Wanted(active=True, scenes=None if scene is None else [scene], most=MOST + 1)
    found = [one.question for one in bank.find(read, wanted)]
    if len(found) > MOST:
        text = f"More than {MOST} questions are too many at once; take one scene at a time (--scene)."
        raise UsageError("alike_many", text, most=MOST)
    views = []
    for name in sorted({one.scene_type for one in found}):
        same = [one for one in found if one.scene_type == name]
        texts = [one.query_text for one in same]
        with desk.alone(scorer):
            scores = score_matrix(texts, scorer=desk.get(scorer))
        views += [
            TwinView(
                question_id=same[one.place].question_id,
                query_text=texts[one.place],
                scene_type=name,
                kept_id=same[one.kept].question_id,
                kept_text=texts[one.kept],
                score=round(one.score, 4),
            )
            for one in twins(scores, least, texts)
        ]
    share = len(views) / len(found) if found else 0.0
    return AlikeQuestions(
        scorer_id=desk.facts(scorer).scorer_id,
        above=least,
        questions=len(found),
        twins=tuple(views),
        share=round(share, 4),
        is_doubtful=share > MANY,
    )


def _least(read: Read, desk: ScorerDesk, scorer: str) -> float:
    found = in_force(read, desk.facts(scorer), SAMENESS)
    if found is not None and found.is_usable:
        return found.suspect_below
    text = (
        f"From which score on questions say the same is not known for {scorer}; measure it "
        f"(`answerwatch similarity calibrate --scorer {scorer} --purpose sameness`), or say --above."
    )
    raise UsageError("alike_threshold", text, scorer=scorer)
