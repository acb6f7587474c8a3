"""`answerwatch alerts ...`: what needs a person."""

from __future__ import annotations

from typing import Annotated

import typer

from answerwatch.interfaces.cli.alerts.tables import ALERTS
from answerwatch.interfaces.cli.options import LARGEST_ID, SHOWN, AsJson, Limit, one_of
from answerwatch.interfaces.cli.session import opened, session_of

app = typer.Typer()


@app.command("list", help="help.alerts.list")
def list_(
    context: typer.Context,
    *,
    acknowledged: Annotated[bool, typer.Option("--acknowledged", help="option.acknowledged")] = False,
    limit: Limit = SHOWN,
    as_json: AsJson = False,
) -> None:
    """List open alerts."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.alerts.list(acknowledged=acknowledged, limit=limit)
    ALERTS.show(session, found, as_json=as_json, empty="alerts.none")


@app.command("ack", help="help.alerts.ack")
def ack(
    context: typer.Context,
    alert: Annotated[
        list[int] | None, typer.Argument(metavar="ID", min=1, max=LARGEST_ID, help="option.alert_id")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="option.ack_all")] = False,
    as_json: AsJson = False,
) -> None:
    """Mark alerts as seen."""
    session = session_of(context)
    one_of(alert, everything=everything)
    with opened(session) as workspace:
        count = workspace.alerts.ack(alert or (), everything=everything)
    session.done("alerts.acknowledged", as_json=as_json, count=count)
