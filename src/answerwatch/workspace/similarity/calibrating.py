"""Measuring the thresholds of a scorer on the texts of a workspace, without labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from answerwatch.domain.relevance import HEAD
from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError
from answerwatch.similarity.calibration import Calibration, calibrate, derangement
from answerwatch.similarity.measured import MEASURED, RELEVANCE, SAMENESS
from answerwatch.similarity.pairing import scores_of
from answerwatch.similarity.rewording import rewordings
from answerwatch.similarity.scorer import ScorerFacts
from answerwatch.similarity.texts import normalised
from answerwatch.store.bank import questions as bank
from answerwatch.store.database import Read
from answerwatch.store.sample import asked
from answerwatch.store.similarity import calibrations
from answerwatch.workspace.filling import filled
from answerwatch.workspace.filters import known_batches
from answerwatch.workspace.similarity.scorers import ScorerDesk
from answerwatch.workspace.similarity.views import CalibrationView

PURPOSES = (RELEVANCE, SAMENESS)
MOST_PAIRS = 2_000
"""Pairs that are scored: more do not move a quantile of a hundredth."""
SEED = 1

Pair = tuple[str, str]
Row = dict[str, Any]


def check_purpose(purpose: str) -> str:
    """Return a purpose; raises UsageError for another word."""
    if purpose not in PURPOSES:
        known = ", ".join(PURPOSES)
        text = f"There is no purpose {in_short(purpose)!r}; there are: {known}."
        raise UsageError("calibration_purpose", text, purpose=in_short(purpose), known=known)
    return purpose


def own_pairs(read: Read, purpose: str, batch: str | None) -> list[Pair]:
    """Return texts that belong together: questions with heads of their answers, or with rewordings of themselves."""
    if purpose == RELEVANCE:
        batch_ids = None if batch is None else known_batches(read, [batch])
        found = asked.one_each(read, batch_ids, most=MOST_PAIRS, head=2 * HEAD)
        pairs = [(normalised(one.query_text), normalised(one.head)[:HEAD]) for one in found]
    else:
        texts = [one.question.query_text for one in bank.find(read, bank.Wanted(active=True, most=MOST_PAIRS))]
        pairs = [(normalised(text), normalised(other)) for text in texts for other in rewordings(text)]
    return [both for both in pairs if all(both)][:MOST_PAIRS]


def measured(desk: ScorerDesk, scorer: str, pairs: Sequence[Pair]) -> Calibration:
    """Return thresholds from pairs that belong together and the same texts shuffled.

    Raises UsageError where fewer than 50 are left, ScorerTrouble where a call failed.
    """
    partners = derangement(len(pairs), SEED) if len(pairs) > 1 else []
    strangers = [
        (left, pairs[other][1])
        for (left, _), other in zip(pairs, partners, strict=False)
        if left != pairs[other][0]  # another wording of the same question is no stranger
    ]
    if not strangers:
        return calibrate(np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.float32))
    with desk.alone(scorer):
        model = desk.get(scorer)
        return calibrate(scores_of(model, pairs), scores_of(model, strangers))


def row_of(facts: ScorerFacts, purpose: str, found: Calibration) -> Row:
    """Return a calibration as it is stored."""
    return {
        "scorer_name": facts.name,
        "scorer_id": facts.scorer_id,
        "purpose": purpose,
        "irrelevant_below": found.irrelevant_below,
        "suspect_below": found.suspect_below,
        "auc": found.auc,
        "pairs": found.pairs,
        "is_usable": int(found.is_usable),
        "quantiles": {"own": dict(found.own), "shuffled": dict(found.shuffled), "passed": found.passed},
    }


def listed(read: Read) -> tuple[CalibrationView, ...]:
    """Return the calibrations of the workspace, then those measured for everybody that it has no own ones of."""
    own = [filled(CalibrationView, row, is_own=True) for row in calibrations.listed(read)]
    there = {(one.purpose, one.scorer_id) for one in own}
    return (
        *own,
        *(view_of(purpose, id_, MEASURED[purpose, id_]) for purpose, id_ in MEASURED if (purpose, id_) not in there),
    )


def in_force(read: Read, facts: ScorerFacts, purpose: str) -> CalibrationView | None:
    """Return the thresholds that hold for a scorer; None where there are none."""
    own = calibrations.get(read, facts.scorer_id, purpose)
    if own is not None:
        return filled(CalibrationView, own, is_own=True)
    shipped = MEASURED.get((purpose, facts.scorer_id))
    return None if shipped is None else view_of(purpose, facts.scorer_id, shipped)


def view_of(purpose: str, scorer_id: str, found: Calibration) -> CalibrationView:
    """Return a calibration that was measured for everybody."""
    return CalibrationView(
        scorer_name=scorer_id.partition(";")[0],
        scorer_id=scorer_id,
        purpose=purpose,
        irrelevant_below=found.irrelevant_below,
        suspect_below=found.suspect_below,
        auc=found.auc,
        pairs=found.pairs,
        is_usable=found.is_usable,
        created_at=None,
        is_own=False,
    )
