"""`answerwatch init`, `doctor`, `status`, `config show` and `db ...`: the workspace itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from answerwatch.interfaces.cli.alerts import ALERTS
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED, NOT_REACHABLE
from answerwatch.interfaces.cli.listing import Listing, show_facts
from answerwatch.interfaces.cli.options import AsJson
from answerwatch.interfaces.cli.session import Session, opened, session_of
from answerwatch.interfaces.cli.wording import NOT_KNOWN, duration

if TYPE_CHECKING:
    from answerwatch.settings import SettingView
    from answerwatch.workspace.health.doctor import Check
    from answerwatch.workspace.health.status import QueueView, WorkspaceStatus
    from answerwatch.workspace.platforms import LaneView

app = typer.Typer()
config = typer.Typer()
db = typer.Typer()


@app.command("init", help="help.init")
def init(
    context: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="FOLDER", help="option.folder")] = None,
) -> None:
    """Make a workspace; harmless when there is one."""
    session = session_of(context)
    with opened(session, folder or _folder_here()) as workspace:
        fresh = workspace.init()
        session.tell("init.fresh" if fresh else "init.there", folder=workspace.settings.home)
    if fresh:
        session.tell("init.next")


def _folder_here() -> Path | None:
    """Return `./.answerwatch` where nothing names a workspace: a new one begins beside the work."""
    from answerwatch.settings import FOLDER_NAME, Origin, find_home  # noqa: PLC0415 - keeps --help quick

    _, origin = find_home(None, os.environ)
    return Path(FOLDER_NAME) if origin is Origin.DEFAULT else None


@app.command("doctor", help="help.doctor")
def doctor(context: typer.Context, *, as_json: AsJson = False) -> int:
    """Check every configured service."""
    session = session_of(context)
    with opened(session) as workspace:
        checks = workspace.doctor()
    _CHECKS.show(session, checks, as_json=as_json)
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
        _show_status(session, found)


@config.command("show", help="help.config.show")
def show_config(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Show every setting with its origin."""
    session = session_of(context)
    with opened(session) as workspace:
        _SETTINGS.show(session, workspace.config(), as_json=as_json)


@db.command("upgrade", help="help.db.upgrade")
def upgrade(context: typer.Context) -> None:
    """Bring the database to the newest revision."""
    session = session_of(context)
    with opened(session) as workspace:
        before, after = workspace.upgrade()
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


def _check_row(session: Session, check: Check) -> tuple[object, ...]:
    return session.word("check", check.name), session.word("grade", check.grade), check.message, check.fix


_CHECKS: Listing[Check] = Listing(columns=("check", "grade", "found", "fix"), row=_check_row)


def _setting_row(session: Session, setting: SettingView) -> tuple[object, ...]:
    return setting.key, setting.value, session.word("origin", setting.origin)


_SETTINGS: Listing[SettingView] = Listing(columns=("setting", "value", "origin"), row=_setting_row)


def _queue_row(session: Session, queue: QueueView) -> tuple[object, ...]:
    oldest = NOT_KNOWN if queue.oldest_s is None else duration(queue.oldest_s, session.say)
    return queue.queue, queue.ready, queue.waiting, queue.running, queue.held, oldest, queue.dead


_QUEUES: Listing[QueueView] = Listing(
    columns=("queue", "ready", "waiting", "running", "held", "oldest", "dead"), row=_queue_row
)


def _lane_row(session: Session, lane: LaneView) -> tuple[object, ...]:
    limit = NOT_KNOWN if lane.rate is None else f"{lane.rate * lane.factor:.2f}/s"
    return lane.lane, limit, lane.leased, lane.in_flight, session.word("lane", lane.breaker), lane.reason


_LANES: Listing[LaneView] = Listing(columns=("lane", "speed", "running", "cap", "lane_state", "reason"), row=_lane_row)


def _show_status(session: Session, status: WorkspaceStatus) -> None:
    show_facts(
        session,
        {
            "folder": status.home,
            "database": status.database,
            "questions": status.questions,
            "brands": status.brands,
            "lexicon_version": status.lexicon_version,
            "batches_running": status.batches_running,
            "batches_paused": status.batches_paused,
            "samples": status.samples,
            "workers": status.workers,
            "stuck": status.stuck,
        },
    )
    _QUEUES.show(session, status.queues, as_json=False, empty="status.no_work")
    if status.lanes:
        _LANES.show(session, status.lanes, as_json=False)
    ALERTS.show(session, status.alerts, as_json=False, empty="alerts.none")
