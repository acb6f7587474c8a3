"""`answerwatch samples ...`: raw answers, collected or brought along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.domain.answers import facts_of
from answerwatch.interfaces.cli.exit_codes import DONE, WRONG_USE
from answerwatch.interfaces.cli.import_tables import show_row_problems
from answerwatch.interfaces.cli.listing import Listing, show_facts, yes_no
from answerwatch.interfaces.cli.options import SHOWN, AsJson, Encoding, File, Limit, SubTaskId
from answerwatch.interfaces.cli.session import Session, opened, session_of
from answerwatch.interfaces.cli.wording import number

if TYPE_CHECKING:
    from answerwatch.workspace.samples.views import SampleDetail, SampleImport, SampleView

app = typer.Typer()

Optional = str | None


@app.command("import", help="help.samples.import")
def import_(
    context: typer.Context,
    file: File,
    *,
    format_: Annotated[str, typer.Option("--format", metavar="auto|jsonl|csv", help="option.format")] = "auto",
    brand: Annotated[Optional, typer.Option("--brand", help="option.import_brand")] = None,
    platform: Annotated[Optional, typer.Option("--platform", help="option.import_platform")] = None,
    scene: Annotated[Optional, typer.Option("--scene", help="option.import_scene")] = None,
    encoding: Encoding = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="option.dry_run")] = False,
    as_json: AsJson = False,
) -> int:
    """Take in answers that were collected elsewhere."""
    session = session_of(context)
    with opened(session) as workspace:
        outcome = workspace.samples.import_file(
            file, format=format_, brand=brand, platform=platform, scene=scene, encoding=encoding, dry_run=dry_run
        )
    if as_json:
        session.terminal.json(outcome)
    else:
        _show_import(session, outcome)
    return WRONG_USE if outcome.errors else DONE


@app.command("list", help="help.samples.list")
def list_(
    context: typer.Context,
    *,
    batch: Annotated[Optional, typer.Option("--batch", help="option.batch_id")] = None,
    brand: Annotated[Optional, typer.Option("--brand", help="option.brand_filter")] = None,
    platform: Annotated[Optional, typer.Option("--platform", help="option.platform")] = None,
    question: Annotated[Optional, typer.Option("--question", metavar="ID", help="option.question_id")] = None,
    valid: Annotated[bool | None, typer.Option("--valid/--invalid", help="option.valid")] = None,
    limit: Limit = SHOWN,
    after: Annotated[Optional, typer.Option("--after", metavar="ID", help="option.after")] = None,
    as_json: AsJson = False,
) -> None:
    """List samples by id."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.samples.list(
            batch=batch, brand=brand, platform=platform, question=question, valid=valid, limit=limit, after=after
        )
    SAMPLES.show(session, found, as_json=as_json, empty="samples.none")


@app.command("show", help="help.samples.show")
def show(context: typer.Context, task: SubTaskId, *, as_json: AsJson = False) -> None:
    """Show one answer with everything that is known about it."""
    session = session_of(context)
    with opened(session) as workspace:
        detail = workspace.samples.show(task)
    if as_json:
        session.terminal.json(detail)
    else:
        _show_detail(session, detail)


def verdict(session: Session, *, valid: bool | None, reason: str | None) -> str:
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
        verdict(session, valid=sample.is_valid, reason=sample.invalid_reason),
        sample.response_length,
    )


SAMPLES: Listing[SampleView] = Listing(
    columns=("sample", "platform", "scene", "round", "verdict", "characters"), row=_sample_row, whole=(0,)
)


def _show_import(session: Session, outcome: SampleImport) -> None:
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


def _show_detail(session: Session, detail: SampleDetail) -> None:
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
            "verdict": verdict(session, valid=sample.is_valid, reason=sample.invalid_reason),
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
