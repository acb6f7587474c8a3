"""How similarity jobs and plans are laid out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from answerwatch.domain.relevance import Fit
from answerwatch.interfaces.cli.listing import Listing, show_facts, yes_no
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import NOT_KNOWN, duration

if TYPE_CHECKING:
    from answerwatch.workspace.similarity.views import (
        CalibrationView,
        Histogram,
        JobPlan,
        JobView,
        LineProblem,
        RelevanceCount,
        ScorerView,
    )


def _job_row(session: Session, one: JobView) -> list[object]:
    status = session.word("similarity_status", one.status)
    return [one.job_id, status, one.scorer, one.total, f"{one.progress:g} %", one.failed, one.created_at, one.note]


JOBS: Listing[JobView] = Listing(
    columns=("job", "status", "scorer", "pairs", "progress", "failed", "created_at", "note"), row=_job_row, whole=(0,)
)


def show_job(session: Session, one: JobView, *, as_json: bool) -> None:
    """Print how far a job is."""
    if as_json:
        session.terminal.json(one)
        return
    _say_core(session, one.scorer)
    left = None if one.eta_seconds is None or one.status.is_final else duration(one.eta_seconds, session.say)
    show_facts(
        session,
        {
            "job": one.job_id,
            "status": session.word("similarity_status", one.status),
            "scorer": one.scorer_id,
            "pairs": one.total,
            "processed": one.processed,
            "failed": one.failed,
            "progress": f"{one.progress:g} %",
            "encoded": None if one.encoded is None else f"{one.encoded:g} %",
            "cache_hits": None if one.cache_hits is None else f"{one.cache_hits:.0%}",
            "pair_hits": None if one.pair_hits is None else f"{one.pair_hits:.0%}",
            "rate": None if one.rate is None else f"{one.rate:,.0f}/s",
            "remaining": left,
            "warning": None if one.warning is None else session.word("similarity_warning", one.warning),
            "note": one.note,
        },
    )


def _say_core(session: Session, scorer: str) -> None:
    """Say that only wording is compared, by the scorer that needs nothing."""
    if scorer == "lexical":
        session.remark("similarity.lexical_only")


def show_problems(session: Session, problems: Sequence[LineProblem]) -> None:
    """Print lines without a score, or cut, and why."""
    for one in problems:
        session.remark("similarity.problem", side=one.side, line=one.line, reason=one.reason, message=one.message)


def show_plan(session: Session, found: JobPlan, *, as_json: bool) -> None:
    """Print what a job would do."""
    if as_json:
        session.terminal.json(found)
        return
    plan = found.plan
    _say_core(session, found.scorer)
    show_facts(
        session,
        {
            "scorer": plan.scorer_id,
            "lines": f"{plan.left_lines} x {plan.right_lines}",
            "texts": f"{plan.left_texts} x {plan.right_texts}",
            "pairs": plan.pairs,
            "tokens": plan.tokens,
            "price": plan.price,
            "takes_about": NOT_KNOWN if plan.seconds is None else duration(plan.seconds, session.say),
            "problems": found.problems or None,
        },
    )
    show_problems(session, found.first_problems)
    session.tell("similarity.plan_next")


def _calibration_row(session: Session, one: CalibrationView) -> list[object]:
    numbers = [f"{value:.3f}" for value in (one.irrelevant_below, one.suspect_below, one.auc)]
    own = session.say("similarity.measured_here" if one.is_own else "similarity.measured_for_all")
    return [one.scorer_name, one.purpose, *numbers, one.pairs, yes_no(session, one.is_usable), own, one.created_at]


CALIBRATIONS: Listing[CalibrationView] = Listing(
    columns=("scorer", "purpose", "strict_below", "doubt_below", "auc", "pairs", "usable", "measured", "created_at"),
    row=_calibration_row,
)


def _scorer_row(session: Session, one: ScorerView) -> list[object]:
    return [one.name, one.kind, one.takes, one.model, one.revision, yes_no(session, one.is_default), one.problem]


SCORERS: Listing[ScorerView] = Listing(
    columns=("scorer", "kind", "takes", "model", "revision", "default", "problem"), row=_scorer_row, whole=(0,)
)


def show_relevance(session: Session, found: RelevanceCount) -> None:
    """Print how the answers of a batch go with their questions."""
    session.tell("similarity.ranked", questions=found.questions, scorer=found.scorer_id)
    session.terminal.facts([(session.word("fit", fit), getattr(found, fit)) for fit in Fit])
    if found.suspect:
        session.tell("similarity.ranked_next", batch=found.batch_id)


BARS = 20
WIDEST = 40
"""Characters of the longest bar."""


def show_histogram(session: Session, found: Histogram, *, as_json: bool) -> None:
    """Print a picture of how scores are distributed, and the scores below which shares of the pairs lie."""
    if as_json:
        session.terminal.json(found)
        return
    filled = [place for place, count in enumerate(found.counts) if count]
    if not filled:
        session.tell("similarity.no_scores")
        return
    first, last = filled[0], filled[-1] + 1
    step = max(1, -(-(last - first) // BARS))
    sums = [(found.edges[place], sum(found.counts[place : place + step])) for place in range(first, last, step)]
    most = max(count for _, count in sums)
    for edge, count in sums:
        session.terminal.say(f"{edge:6.2f} {'█' * -(-count * WIDEST // most):{WIDEST}} {count:,}")
    session.terminal.say("")
    session.terminal.facts([(f"{share:.0%}", f"< {score:.2f}") for share, score in found.quantiles])
    if found.unscored:
        session.tell("similarity.unscored", count=found.unscored)
