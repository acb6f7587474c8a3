"""`answerwatch report BRAND`: figures with numerator, denominator, interval and all that they rest on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from answerwatch.errors import UsageError
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
    as_json: AsJson = False,
) -> None:
    """Show all figures of a brand."""
    session = session_of(context)
    with opened(session) as workspace:
        zone = ZoneInfo(workspace.settings.time_zone)
        view = workspace.reports.report(
            brand,
            since=_placed(since, zone),
            until=_placed(until, zone),
            batches=batch or (),
            platforms=platform or (),
            scenes=scene or (),
        )
    if as_json:
        session.terminal.json(view)
    else:
        show_report(session, view)


def _placed(moment: datetime | None, zone: ZoneInfo) -> datetime | None:
    """Return a moment typed by a person in the time zone of the workspace.

    Raises UsageError where it is none in UTC: at the very beginning and end of the calendar.
    """
    if moment is None:
        return None
    placed = moment.replace(tzinfo=zone)
    try:
        placed.astimezone(UTC)
    except OverflowError as error:
        day = moment.date().isoformat()
        raise UsageError(
            "date_far", f"{day} lies too far away; give a day of the years 2 to 9998.", date=day
        ) from error
    return placed
