"""How answers are shown to people: lists, one with all that is known about it, and what a file brought."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from answerwatch.domain.answers import facts_of
from answerwatch.interfaces.cli.file_reading import show_reading
from answerwatch.interfaces.cli.listing import Listing, show_facts, yes_no
from answerwatch.interfaces.cli.row_problems import show_row_problems
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import number, one_line

if TYPE_CHECKING:
    from answerwatch.workspace.samples.views import FirstRow, SampleDetail, SampleImport, SampleView


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


_BESIDE_SHOWN = 200
"""Characters of what one other column held; `--json` has all."""


def _first_row(_session: Session, row: FirstRow) -> tuple[object, ...]:
    question, answer = one_line(row.question, 60), one_line(row.answer, 60)
    return row.line, row.platform, question, answer, row.asked_at, row.model, row.sources


_FIRST: Listing[FirstRow] = Listing(
    columns=("line", "platform", "question", "answer", "asked_at", "model", "sources"), row=_first_row
)


def show_import(session: Session, outcome: SampleImport, *, dry: bool, skips: bool) -> None:
    """Say what a file brought; of a dry run and where nothing could be stored also how it was read.

    `skips` says that rows with errors are left out; otherwise one of them keeps all others out.
    """
    if dry or outcome.batch_id is None:
        show_reading(session, outcome, unread="samples.beside")
        if outcome.first:
            _FIRST.show(session, outcome.first, as_json=False)
    show_row_problems(session, outcome.errors, outcome.notes)
    if outcome.known:
        if outcome.bad_rows:
            session.remark("samples.skipped", errors=outcome.bad_rows)
        session.tell("samples.known", batch=outcome.batch_id)
        if outcome.restored:
            session.tell("samples.restored")
    elif outcome.bad_rows and not skips:
        session.remark("samples.refused", errors=outcome.bad_rows, good=outcome.rows)
    else:
        if outcome.bad_rows:
            session.remark("samples.would_skip" if dry else "samples.skipped", errors=outcome.bad_rows)
        _show_counts(session, outcome, dry=dry)


def _show_counts(session: Session, outcome: SampleImport, *, dry: bool) -> None:
    """Say how many rows were stored, or would be."""
    fresh = outcome.rows - outcome.duplicates - outcome.stored_before
    counts = {
        "rows": outcome.rows + outcome.bad_rows,
        "fresh": fresh,
        "duplicates": outcome.duplicates,
        "stored": outcome.stored_before,
    }
    if not outcome.rows:
        session.tell("samples.none_good")
    elif not fresh:
        session.tell("samples.all_stored", rows=outcome.rows)
    elif dry:
        session.tell("samples.dry", **counts)
    else:
        session.tell("samples.imported", batch=outcome.batch_id, **counts)


def _fact(session: Session, value: object) -> object:
    """Return a fact as people read it."""
    if isinstance(value, bool):
        return yes_no(session, value)
    return number(value) if isinstance(value, int) else value


def _beside(provenance: object) -> str:
    """Return what an imported row held in other columns, a line each; '' for nothing."""
    if not isinstance(provenance, dict):
        return "" if provenance is None else json.dumps(provenance, ensure_ascii=False)
    texts = {
        name: one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for name, one in provenance.items()
    }
    return "\n".join(f"{name}: {one_line(text, _BESIDE_SHOWN)}" for name, text in texts.items())


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
            "question_id": sample.question_id,
            "version": sample.question_version or None,
            "verdict": _verdict(session, valid=sample.is_valid, reason=sample.invalid_reason),
            "collected_at": sample.collected_at,
            "model_asked": detail.model_asked,
            **{name: _fact(session, value) for name, value in facts_of(sample).items()},
            "milliseconds": detail.response_time_ms,
            "cost": None if detail.cost is None else f"{detail.cost:.9f}".rstrip("0").rstrip("."),
            "altered": detail.altered_characters or None,
            "raw": detail.raw_data_url,
            "named_sources": "\n".join(citation.url for citation in detail.citations),
            "beside": _beside(detail.provenance),
            "thinking": detail.reasoning,
            "question": detail.query_text,
        },
    )
    session.terminal.say("")
    session.terminal.say(detail.raw_response)
