"""`answerwatch worker`: a process that works on what others have created."""

from __future__ import annotations

from typing import Annotated

import typer

from answerwatch.domain.queues import check_queues
from answerwatch.domain.work import QUEUES
from answerwatch.interfaces.cli.interrupts import Interrupts
from answerwatch.interfaces.cli.logs import log_to_stderr
from answerwatch.interfaces.cli.session import opened, session_of

app = typer.Typer()


@app.command("worker", help="help.worker")
def worker(
    context: typer.Context,
    *,
    queues: Annotated[str, typer.Option("--queues", metavar="NAME,NAME", help="option.queues")] = ",".join(QUEUES),
    slots: Annotated[int | None, typer.Option("--slots", min=1, help="option.slots")] = None,
) -> None:
    """Work until Ctrl-C or SIGTERM; work in hand ends well first."""
    session = session_of(context)
    names = check_queues([name.strip() for name in queues.split(",") if name.strip()])
    log_to_stderr()
    with opened(session, collect_slots=slots) as workspace, Interrupts() as stop:
        session.remark("worker.ready", queues=", ".join(names), folder=workspace.settings.home)
        workspace.work(queues=names, stop=stop)
    session.remark("worker.done")
