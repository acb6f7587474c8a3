"""`answerwatch samples ...`: raw answers, collected or brought along."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from answerwatch.domain.relevance import Fit
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED, WRONG_USE
from answerwatch.interfaces.cli.exports import options as exports
from answerwatch.interfaces.cli.exports.running import Asked, run_export
from answerwatch.interfaces.cli.options import (
    SHOWN,
    AsJson,
    Encoding,
    File,
    Limit,
    Scenes,
    Sheet,
    Since,
    SubTaskId,
    Until,
    mapped_columns,
)
from answerwatch.interfaces.cli.samples.tables import SAMPLES, show_detail, show_import
from answerwatch.interfaces.cli.session import opened, session_of

app = typer.Typer()

Optional = str | None


@app.command("import", help="help.samples.import")
def import_(
    context: typer.Context,
    file: File,
    *,
    format_: Annotated[str, typer.Option("--format", metavar="auto|NAME", help="option.import_format")] = "auto",
    brand: Annotated[Optional, typer.Option("--brand", help="option.import_brand")] = None,
    platform: Annotated[Optional, typer.Option("--platform", help="option.import_platform")] = None,
    scene: Annotated[Optional, typer.Option("--scene", help="option.import_scene")] = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    column: Annotated[list[str] | None, typer.Option("--map", metavar="COLUMN=FIELD", help="option.import_map")] = None,
    requests: Annotated[Path | None, typer.Option("--requests", metavar="FILE", help="option.requests")] = None,
    skip_errors: Annotated[bool, typer.Option("--skip-errors", help="option.skip_errors")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="option.dry_run")] = False,
    as_json: AsJson = False,
) -> int:
    """Take in answers that were collected elsewhere."""
    session = session_of(context)
    columns = mapped_columns(column or ())
    with opened(session) as workspace:
        outcome = workspace.samples.import_file(
            file,
            format=format_,
            brand=brand,
            platform=platform,
            scene=scene,
            encoding=encoding,
            sheet=sheet,
            requests=requests,
            columns=columns,
            skip_errors=skip_errors,
            dry_run=dry_run,
        )
    if as_json:
        session.terminal.json(outcome)
    else:
        show_import(session, outcome, dry=dry_run, skips=skip_errors)
    if not outcome.bad_rows:
        return DONE
    return FAILED if skip_errors or outcome.known else WRONG_USE


@app.command("list", help="help.samples.list")
def list_(
    context: typer.Context,
    *,
    batch: Annotated[Optional, typer.Option("--batch", help="option.batch_id")] = None,
    brand: Annotated[Optional, typer.Option("--brand", help="option.brand_filter")] = None,
    platform: Annotated[Optional, typer.Option("--platform", help="option.of_platform")] = None,
    question: Annotated[Optional, typer.Option("--question", metavar="ID", help="option.question_id")] = None,
    valid: Annotated[bool | None, typer.Option("--valid/--invalid", help="option.valid")] = None,
    fit: Annotated[Fit | None, typer.Option("--fit", help="option.fit")] = None,
    limit: Limit = SHOWN,
    after: Annotated[Optional, typer.Option("--after", metavar="ID", help="option.after")] = None,
    as_json: AsJson = False,
) -> None:
    """List samples by id."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.samples.list(
            batch=batch,
            brand=brand,
            platform=platform,
            question=question,
            valid=valid,
            fit=fit,
            limit=limit + 1,
            after=after,
        )
    SAMPLES.show(session, found[:limit], as_json=as_json, empty="samples.none")
    if len(found) > limit and not as_json:
        session.remark("samples.more", last=found[limit - 1].sub_task_id)


@app.command("show", help="help.samples.show")
def show(context: typer.Context, task: SubTaskId, *, as_json: AsJson = False) -> None:
    """Show one answer with everything that is known about it."""
    session = session_of(context)
    with opened(session) as workspace:
        detail = workspace.samples.show(task)
    if as_json:
        session.terminal.json(detail)
    else:
        show_detail(session, detail)


@app.command("export", help="help.samples.export")
def export(
    context: typer.Context,
    file: exports.Target,
    *,
    format_: exports.Format = None,
    columns: exports.Columns = None,
    headers: exports.Headers = None,
    bom: exports.Bom = None,
    force: exports.Force = False,
    batches: exports.Batches = None,
    brands: exports.Brands = None,
    platforms: exports.SomePlatforms = None,
    scenes: Scenes = None,
    questions: exports.Questions = None,
    valid: exports.Valid = None,
    since: Since = None,
    until: Until = None,
    as_json: AsJson = False,
) -> None:
    """Write samples into a file, as `answerwatch export samples` does."""
    asked = Asked(what="samples", file=file, format=format_, columns=columns, headers=headers, bom=bom, force=force)
    filters = {"batches": batches, "brands": brands, "platforms": platforms, "scenes": scenes, "questions": questions}
    rest = {"valid": valid, "since": since, "until": until}
    run_export(session_of(context), asked, {**filters, **rest}, as_json=as_json)
