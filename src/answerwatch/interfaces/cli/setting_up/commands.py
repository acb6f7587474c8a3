"""`answerwatch init`, `config show` and `db ...`: the workspace itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from answerwatch.interfaces.cli.exit_codes import DONE, FAILED
from answerwatch.interfaces.cli.options import AsJson
from answerwatch.interfaces.cli.session import opened, session_of
from answerwatch.interfaces.cli.setting_up.tables import SETTINGS
from answerwatch.interfaces.cli.wording import NOT_KNOWN

app = typer.Typer()
config = typer.Typer()
db = typer.Typer()


@app.command("init", help="help.init")
def init(
    context: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="FOLDER", help="option.folder")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Make a workspace; harmless when there is one."""
    session = session_of(context)
    with opened(session, folder or _folder_here()) as workspace:
        fresh = workspace.init()
        session.done(
            "init.fresh" if fresh else "init.there", as_json=as_json, folder=workspace.settings.home, fresh=fresh
        )
    if fresh and not as_json:
        session.tell("init.next")


def _folder_here() -> Path | None:
    """Return `./.answerwatch` where nothing names a workspace: a new one begins beside the work."""
    from answerwatch.settings import FOLDER_NAME, Origin, find_home  # noqa: PLC0415 - keeps --help quick

    _, origin = find_home(None, os.environ)
    return Path(FOLDER_NAME) if origin is Origin.DEFAULT else None


@config.command("show", help="help.config.show")
def show_config(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Show every setting with its origin."""
    session = session_of(context)
    with opened(session) as workspace:
        SETTINGS.show(session, workspace.config(), as_json=as_json)


@db.command("upgrade", help="help.db.upgrade")
def upgrade(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Bring the database to the newest revision."""
    session = session_of(context)
    with opened(session) as workspace:
        before, after = workspace.upgrade()
    if as_json:
        session.terminal.json({"before": before, "after": after})
        return
    session.tell("db.upgraded", before=before or NOT_KNOWN, after=after or NOT_KNOWN)


@db.command("check", help="help.db.check")
def check(context: typer.Context, *, as_json: AsJson = False) -> int:
    """Compare the database with what this version expects."""
    session = session_of(context)
    with opened(session) as workspace:
        differences = workspace.check_database()
    if as_json:
        session.terminal.json({"differences": differences})
        return FAILED if differences else DONE
    for difference in differences:
        session.terminal.say(session.say.translated(difference))
    session.tell("db.differs" if differences else "db.same", count=len(differences))
    return FAILED if differences else DONE
