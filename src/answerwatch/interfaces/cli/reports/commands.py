"""`answerwatch report BRAND`: figures with numerator, denominator, interval and all that they rest on."""

from __future__ import annotations

from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from answerwatch.interfaces.cli.moments import placed
from answerwatch.interfaces.cli.options import AsJson, BrandName, Scenes, Since, Until
from answerwatch.interfaces.cli.reports.tables import show_report
from answerwatch.interfaces.cli.session import opened, session_of

app = typer.Typer()


@app.command("report", help="help.report")
def report(
    context: typer.Context,
    brand: BrandName,
    *,
    since: Since = None,
    until: Until = None,
    batch: Annotated[list[str] | None, typer.Option("--batch", help="option.batch_id")] = None,
    platform: Annotated[list[str] | None, typer.Option("--platform", help="option.platform")] = None,
    scene: Scenes = None,
    as_read: Annotated[bool, typer.Option("--as-read", help="option.as_read")] = False,
    as_json: AsJson = False,
) -> None:
    """Show all figures of a brand."""
    session = session_of(context)
    with opened(session) as workspace:
        zone = ZoneInfo(workspace.settings.time_zone)
        view = workspace.reports.report(
            brand,
            since=placed(since, zone),
            until=placed(until, zone),
            batches=batch or (),
            platforms=platform or (),
            scenes=scene or (),
            as_read=as_read,
        )
    if as_json:
        session.terminal.json(view)
    else:
        show_report(session, view)
