"""`answerwatch doctor` and `status`: whether everything works, and what is going on."""

from __future__ import annotations

import typer

from answerwatch.interfaces.cli.exit_codes import DONE, NOT_REACHABLE
from answerwatch.interfaces.cli.health.tables import CHECKS, show_status
from answerwatch.interfaces.cli.options import AsJson
from answerwatch.interfaces.cli.session import opened, session_of

app = typer.Typer()


@app.command("doctor", help="help.doctor")
def doctor(context: typer.Context, *, as_json: AsJson = False) -> int:
    """Check every configured service."""
    session = session_of(context)
    with opened(session) as workspace:
        checks = workspace.doctor()
    CHECKS.show(session, checks, as_json=as_json)
    return NOT_REACHABLE if any(check.grade == "fail" for check in checks) else DONE


@app.command("status", help="help.status")
def status(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Show what is going on."""
    session = session_of(context)
    with opened(session) as workspace:
        found = workspace.status()
    if as_json:
        session.terminal.json(found)
    else:
        show_status(session, found)
