"""`answerwatch clean correct | uncorrect | corrections`: setting readings right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.interfaces.cli.listing import Listing
from answerwatch.interfaces.cli.options import LARGEST_ID, AsJson, Limit
from answerwatch.interfaces.cli.session import Session, opened, session_of

if TYPE_CHECKING:
    from answerwatch.workspace.cleaning.views import CorrectionView

Note = Annotated[str, typer.Option("--note", help="option.correction_note")]
Brand = Annotated[str | None, typer.Option("--brand", help="option.correction_brand")]


def correction_row(session: Session, one: CorrectionView) -> list[object]:
    """Return the cells of one correction."""
    place = None if one.start is None else f"{one.start}:{one.end} {one.text}"
    return [
        one.correction_id,
        one.source_task_id,
        one.brand_name,
        one.field,
        place,
        one.read_value,
        one.value,
        session.say("clean.agrees_now") if one.agrees_now else one.reads_now,
        one.created_by,
        one.note,
    ]


CORRECTIONS: Listing[CorrectionView] = Listing(
    columns=("correction", "sample", "brand", "field", "place", "read_value", "right_value", "reads_now", "by", "note"),
    row=correction_row,
    whole=(1,),
)


def add_to(app: typer.Typer) -> None:
    """Add these commands to those of cleaning."""
    app.command("correct", help="help.clean.correct")(correct)
    app.command("uncorrect", help="help.clean.uncorrect")(uncorrect)
    app.command("corrections", help="help.clean.corrections")(corrections)


def correct(
    context: typer.Context,
    task: Annotated[str, typer.Argument(metavar="TASK", help="option.clean_task_id")],
    *,
    field: Annotated[str, typer.Option("--field", help="option.correction_field")],
    to: Annotated[str, typer.Option("--to", metavar="VALUE", help="option.correction_to")],
    brand: Brand = None,
    at: Annotated[str | None, typer.Option("--at", metavar="START:END", help="option.correction_at")] = None,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Set a value of a reading right."""
    session = session_of(context)
    with opened(session) as workspace:
        done = workspace.cleaning.correct(task, field, to, brand=brand, at=at, note=note)
    if as_json:
        session.terminal.json(done)
        return
    session.tell("clean.corrected", correction=done.correction_id, field=done.field, value=done.value)


def uncorrect(
    context: typer.Context,
    correction: Annotated[int, typer.Argument(metavar="ID", min=1, max=LARGEST_ID, help="option.correction_id")],
    *,
    note: Note = "",
    as_json: AsJson = False,
) -> None:
    """Take a correction back."""
    session = session_of(context)
    with opened(session) as workspace:
        done = workspace.cleaning.uncorrect(correction, note=note)
    if as_json:
        session.terminal.json(done)
        return
    session.tell("clean.uncorrected", correction=done.correction_id)


def corrections(
    context: typer.Context,
    *,
    brand: Annotated[str | None, typer.Option("--brand", help="option.brand_name")] = None,
    batch: Annotated[str | None, typer.Option("--batch", help="option.of_batch")] = None,
    labels: Annotated[Path | None, typer.Option("--labels", metavar="FILE", help="option.correction_labels")] = None,
    force: Annotated[bool, typer.Option("--force", help="option.export_force")] = False,
    limit: Limit = 200,
    as_json: AsJson = False,
) -> None:
    """List corrections, or write the corrected answers as labelled rows."""
    session = session_of(context)
    with opened(session) as workspace:
        if labels is not None:
            count = workspace.cleaning.write_labelled(labels, brand=brand, batch=batch, force=force)
            session.done("clean.labelled", as_json=as_json, count=count, file=str(labels))
            return
        found = workspace.cleaning.corrections(brand=brand, batch=batch, limit=limit)
    CORRECTIONS.show(session, found, as_json=as_json, empty="clean.no_corrections")
