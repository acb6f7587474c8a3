"""`answerwatch export WHAT FILE`: rows as CSV, JSONL or XLSX."""

from __future__ import annotations

from typing import Annotated

import typer

from answerwatch.interfaces.cli.exports.options import (
    Active,
    Batches,
    Bom,
    Brands,
    Columns,
    Force,
    Format,
    Headers,
    Questions,
    SomePlatforms,
    Target,
    Valid,
)
from answerwatch.interfaces.cli.exports.running import Asked, run_export
from answerwatch.interfaces.cli.options import AsJson, Scenes, Since, Until
from answerwatch.interfaces.cli.session import session_of

app = typer.Typer()


@app.command("export", help="help.export")
def export(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="option.export_what")],
    file: Target,
    *,
    format_: Format = None,
    columns: Columns = None,
    headers: Headers = None,
    bom: Bom = None,
    force: Force = False,
    batches: Batches = None,
    brands: Brands = None,
    platforms: SomePlatforms = None,
    scenes: Scenes = None,
    questions: Questions = None,
    valid: Valid = None,
    active: Active = None,
    since: Since = None,
    until: Until = None,
    as_json: AsJson = False,
) -> None:
    """Write rows into a file."""
    asked = Asked(what=what, file=file, format=format_, columns=columns, headers=headers, bom=bom, force=force)
    filters = {"batches": batches, "brands": brands, "platforms": platforms, "scenes": scenes, "questions": questions}
    flags = {"valid": valid, "active": active, "since": since, "until": until}
    run_export(session_of(context), asked, {**filters, **flags}, as_json=as_json)
