"""`answerwatch demo`: the whole product once, against three simulated platforms, in a throw-away workspace."""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from answerwatch.domain.batches import DEFAULT_ROUNDS
from answerwatch.errors import UsageError
from answerwatch.interfaces.cli.demo.setup import (
    BRAND,
    PLATFORMS,
    load_demo_script,
    prepare,
    write_settings,
)
from answerwatch.interfaces.cli.demo.tables import show_outcome
from answerwatch.interfaces.cli.exit_codes import INTERRUPTED
from answerwatch.interfaces.cli.running.following import followed
from answerwatch.interfaces.cli.session import Session, opened, session_of

if TYPE_CHECKING:
    from answerwatch.simulator import SimulatorThread
    from answerwatch.workspace import Workspace
    from answerwatch.workspace.batches.views import BatchRun, ShowProgress
    from answerwatch.workspace.running.stopping import Stop

app = typer.Typer()


@app.command("demo", help="help.demo")
def demo(
    context: typer.Context,
    *,
    keep: Annotated[Path | None, typer.Option("--keep", metavar="DIR", help="option.keep")] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=20, help="option.rounds")] = DEFAULT_ROUNDS,
) -> int:
    """Run the main job once and show what came of it."""
    session = session_of(context)
    folder = keep.absolute() if keep else Path(tempfile.mkdtemp(prefix="answerwatch-demo-"))
    session.tell("demo.begin", folder=folder)
    finished = False
    try:
        finished = _demo(session, folder, rounds)
    finally:
        if not finished:
            session.remark("demo.resumable", folder=folder)
        elif keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    if not finished:
        return INTERRUPTED
    session.tell("demo.kept" if keep else "demo.gone", folder=folder, brand=BRAND)
    return 0


def _demo(session: Session, folder: Path, rounds: int) -> bool:
    """Do the demo in a folder and return whether it came to its end."""
    write_settings(folder)
    with opened(session, folder) as workspace:
        fresh = workspace.init()
        with _simulator(_port_before(workspace, folder, fresh=fresh)) as simulator:
            if fresh:
                prepare(workspace, simulator.base_url)
                session.tell("demo.ready", platforms=", ".join(PLATFORMS), url=simulator.base_url)
            outcome, stopped = followed(session, partial(_work, workspace, rounds))
        if stopped:
            return False
        show_outcome(session, workspace, outcome)
    return True


def _port_before(workspace: Workspace, folder: Path, *, fresh: bool) -> int:
    """Return the port that an interrupted demo used, 0 (any) for a new one; raises UsageError for another workspace."""
    if fresh:
        return 0
    ports = {platform.name: urlsplit(platform.base_url).port for platform in workspace.platforms.list()}
    port = ports.get(PLATFORMS[0])
    if port is None or set(ports) != set(PLATFORMS):
        text = f"{folder} holds a workspace that is not the demo's; name another folder with --keep."
        raise UsageError("demo_folder", text, folder=str(folder))
    return port


def _simulator(port: int) -> SimulatorThread:
    from answerwatch.simulator import SimulatorThread  # noqa: PLC0415 - keeps --help quick

    return SimulatorThread(load_demo_script(), port=port)


def _work(workspace: Workspace, rounds: int, *, progress: ShowProgress, stop: Stop) -> BatchRun:
    """Go on with the batch that was interrupted, else make one."""
    from answerwatch.workspace.batches.views import BatchRequest  # noqa: PLC0415 - keeps --help quick

    for batch in workspace.batches.list(brand=BRAND):
        if batch.completed_at is None:
            return workspace.batches.resume(batch.batch_id, progress=progress, stop=stop)
    request = BatchRequest(brands=(BRAND,), platforms=PLATFORMS, rounds=rounds)
    return workspace.batches.run(request, progress=progress, stop=stop)
