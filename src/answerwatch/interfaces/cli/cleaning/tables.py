"""How cleaning is shown to people: states, verdicts, what was found and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.brands.tables import MATCHES
from answerwatch.interfaces.cli.cleaning.correcting import CORRECTIONS
from answerwatch.interfaces.cli.listing import Listing, show_facts, yes_no
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import NOT_KNOWN, duration, one_line

if TYPE_CHECKING:
    from answerwatch.workspace.cleaning.views import (
        BrandFinding,
        CleanStatus,
        Explanation,
        RedoPlan,
        RelevanceView,
    )
    from answerwatch.workspace.shown_records import BrandReading, CleanedAnswer, StuckTask, Transition

LONGEST_ERROR = 200


def _stuck_row(session: Session, task: StuckTask) -> tuple[object, ...]:
    error = one_line(task.last_error or "", LONGEST_ERROR)
    return task.clean_task_id, session.word("state", task.state), task.since, error


STUCK: Listing[StuckTask] = Listing(columns=("clean_task", "state", "since", "error"), row=_stuck_row, whole=(0,))


def _transition_row(session: Session, step: Transition) -> tuple[object, ...]:
    return session.word("state", step.from_state), session.word("state", step.to_state), step.at


_TRANSITIONS: Listing[Transition] = Listing(columns=("from", "to", "at"), row=_transition_row)


def _finding_row(session: Session, finding: BrandFinding) -> tuple[object, ...]:
    return (
        finding.brand_name,
        yes_no(session, finding.is_focal),
        yes_no(session, finding.is_mentioned),
        finding.mention_count,
        yes_no(session, finding.is_recommended),
        finding.recommendation_rank,
        yes_no(session, finding.cites_near),
    )


_FINDINGS: Listing[BrandFinding] = Listing(
    columns=("brand", "focal", "mentioned", "mentions", "recommended", "rank", "sourced"), row=_finding_row
)


def _reading_row(session: Session, reading: BrandReading) -> tuple[object, ...]:
    return (
        reading.standard_name,
        yes_no(session, reading.is_mentioned),
        reading.mention_count,
        yes_no(session, reading.is_recommended),
        reading.recommendation_rank,
    )


_READINGS: Listing[BrandReading] = Listing(
    columns=("brand", "mentioned", "mentions", "recommended", "rank"), row=_reading_row
)


def show_status(session: Session, status: CleanStatus) -> None:
    """Print where cleaning stands."""
    session.terminal.facts([(session.word("state", state), count) for state, count in status.states])
    session.terminal.say("")
    show_facts(
        session,
        {
            "outstanding": status.outstanding,
            "oldest": NOT_KNOWN if status.oldest_s is None else duration(status.oldest_s, session.say),
            "stuck": status.stuck,
            "dead": status.dead,
            "generation": status.generation,
            "lexicon_version": status.lexicon_version,
            "cleaner_version": status.cleaner_version,
        },
    )


def show_plan(session: Session, plan: RedoPlan) -> None:
    """Print what a redo would do: how many answers, and from which versions to which."""
    if plan.nothing_to_do:
        session.tell("clean.redo_nothing")
        return
    session.tell(
        "clean.redo_plan",
        answers=plan.answers,
        generation=plan.generation,
        lexicon=plan.lexicon_version,
        cleaner=plan.cleaner_version,
    )
    for one in plan.behind:
        if one.generation is None:
            session.tell("clean.redo_unread", answers=one.answers)
        else:
            session.tell(
                "clean.redo_from",
                answers=one.answers,
                generation=one.generation,
                lexicon=one.lexicon_version,
                cleaner=one.cleaner_version,
            )
    if plan.waiting:
        session.tell("clean.redo_waiting", waiting=plan.waiting)


def _say_relevance(session: Session, relevance: RelevanceView) -> None:
    session.tell(
        "clean.relevance",
        verdict=session.word("fit", relevance.verdict),
        score=NOT_KNOWN if relevance.score is None else f"{relevance.score:.3f}",
        scorer=relevance.scorer_id,
    )
    if relevance.rank is not None:
        session.tell("clean.relevance_rank", rank=relevance.rank, questions=relevance.questions)


def show_explanation(session: Session, explained: Explanation) -> None:
    """Print why an answer was read as it was: the verdict, the answer, every candidate with its reason."""
    show_facts(
        session,
        {
            "clean_task": explained.clean_task_id,
            "sample": explained.source_task_id,
            "generation": explained.generation,
            "generations": ", ".join(str(number) for number in explained.generations),
            "taken_from": explained.taken_from,
            "state": session.word("state", explained.state),
            "error": explained.last_error,
            "platform": explained.platform,
            "scene": explained.scene_type,
            "text": explained.query_text,
            "lexicon_version": explained.lexicon_version,
            "cleaner_version": explained.cleaner_version,
        },
    )
    _say_verdict(session, explained.is_valid, explained.invalid_reason, explained.invalid_note)
    if explained.truncated:
        session.tell("clean.truncated")
    if explained.relevance is not None:
        _say_relevance(session, explained.relevance)
    session.terminal.say("")
    session.terminal.say(explained.raw_response)
    session.terminal.say("")
    if explained.brands:
        _FINDINGS.show(session, explained.brands, as_json=False)
    MATCHES.show(session, explained.matches, as_json=False, empty="brands.no_match")
    if explained.not_found:
        session.tell("clean.not_found", brands=", ".join(explained.not_found))
    if explained.corrections:
        CORRECTIONS.show(session, explained.corrections, as_json=False)
    _TRANSITIONS.show(session, explained.history, as_json=False)


def show_cleaned(session: Session, cleaned: CleanedAnswer) -> None:
    """Print how a text was read."""
    _say_verdict(session, cleaned.is_valid, cleaned.invalid_reason, cleaned.verdict.note)
    if cleaned.truncated:
        session.tell("clean.truncated")
    if cleaned.reading is None:
        return
    if cleaned.reading.brands:
        _READINGS.show(session, cleaned.reading.brands, as_json=False)
    MATCHES.show(session, cleaned.reading.traces, as_json=False, empty="brands.no_match")
    for citation in cleaned.reading.citations:
        session.tell("clean.source", url=citation.url)


def _say_verdict(session: Session, valid: bool | None, reason: str | None, note: str | None) -> None:  # noqa: FBT001 - a flag of the view, passed on as it is
    if valid is None:
        session.tell("clean.not_judged")
    elif valid:
        session.tell("clean.valid")
    else:
        session.tell("clean.invalid", reason=session.word("invalid", reason), note=f" ({note})" if note else "")
