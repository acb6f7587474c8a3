"""How answers are shown to people: lists, one with all that is known about it, and what a file brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.domain.answers import facts_of
from answerwatch.interfaces.cli.listing import Listing, show_facts, yes_no
from answerwatch.interfaces.cli.row_problems import show_row_problems
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import number

if TYPE_CHECKING:
    from answerwatch.workspace.samples.views import SampleDetail, SampleImport, SampleView


def _verdict(session: Session, *, valid: bool | None, reason: str | None) -> str:
    """Return whether an answer is valid, or why not, as one word."""
    if valid is None:
        return session.word("verdict", "not_cleaned")
    return session.word("verdict", "valid") if valid else session.word("invalid", reason)


def _sample_row(session: Session, sample: SampleView) -> tuple[object, ...]:
    return (
        sample.sub_task_id,
        sample.platform,
        sample.scene_type,
        sample.round,
        _verdict(session, valid=sample.is_valid, reason=sample.invalid_reason),
        sample.response_length,
    )


SAMPLES: Listing[SampleView] = Listing(
    columns=("sample", "platform", "scene", "round", "verdict", "characters"), row=_sample_row, whole=(0,)
)


def show_import(session: Session, outcome: SampleImport) -> None:
    """Say what a file brought."""
    show_row_problems(session, outcome.errors, outcome.notes)
    counts = {"rows": outcome.rows, "imported": outcome.imported, "duplicates": outcome.duplicates}
    if outcome.errors:
        session.remark("cli.nothing_imported", errors=len(outcome.errors))
    elif outcome.known:
        session.tell("samples.known", batch=outcome.batch_id)
    elif outcome.batch_id is None:
        session.tell("samples.dry", **counts)
    else:
        session.tell("samples.imported", batch=outcome.batch_id, **counts)


def _fact(session: Session, value: object) -> object:
    """Return a fact as people read it."""
    if isinstance(value, bool):
        return yes_no(session, value)
    return number(value) if isinstance(value, int) else value


def show_detail(session: Session, detail: SampleDetail) -> None:
    """Print one answer with everything that is known about it."""
    sample = detail.sample
    show_facts(
        session,
        {
            "sample": sample.sub_task_id,
            "batch": sample.batch_id,
            "brand": sample.brand_name,
            "platform": sample.platform,
            "scene": sample.scene_type,
            "round": sample.round,
            "verdict": _verdict(session, valid=sample.is_valid, reason=sample.invalid_reason),
            "collected_at": sample.collected_at,
            "model_asked": detail.model_asked,
            **{name: _fact(session, value) for name, value in facts_of(sample).items()},
            "milliseconds": detail.response_time_ms,
            "altered": detail.altered_characters or None,
            "raw": detail.raw_data_url,
            "sources": "\n".join(citation.url for citation in detail.citations),
            "text": detail.query_text,
        },
    )
    session.terminal.say("")
    session.terminal.say(detail.raw_response)
