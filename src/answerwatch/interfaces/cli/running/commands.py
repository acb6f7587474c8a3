"""`answerwatch worker`: one process, or a crew of them, that works on what others have created."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from answerwatch.domain.queues import check_queues
from answerwatch.domain.work import QUEUES
from answerwatch.errors import UsageError
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED
from answerwatch.interfaces.cli.running.interrupts import Interrupts
from answerwatch.interfaces.cli.running.logs import log_to_stderr
from answerwatch.interfaces.cli.session import Session, opened, session_of

if TYPE_CHECKING:
    from answerwatch.workspace import Workspace
    from answerwatch.workspace.running.crew import Fallen, Member

app = typer.Typer()

MOST_PROCESSES = 256


@app.command("worker", help="help.worker")
def worker(
    context: typer.Context,
    *,
    queues: Annotated[str, typer.Option("--queues", metavar="NAME,NAME", help="option.queues")] = ",".join(QUEUES),
    slots: Annotated[int | None, typer.Option("--slots", min=1, help="option.slots")] = None,
    processes: Annotated[int, typer.Option("--processes", min=1, max=MOST_PROCESSES, help="option.processes")] = 1,
    health: Annotated[str | None, typer.Option("--health", metavar="HOST:PORT", help="option.health")] = None,
    supervised: Annotated[bool, typer.Option("--supervised", help="option.supervised")] = False,
) -> int:
    """Work until Ctrl-C or SIGTERM; work in hand ends well first."""
    session = session_of(context)
    names = check_queues([name.strip() for name in queues.split(",") if name.strip()])
    if supervised and (processes > 1 or health is not None):
        raise UsageError("worker_supervised", "--supervised goes with neither --processes nor --health.")
    log_to_stderr()
    with opened(session, collect_slots=slots) as workspace, Interrupts() as stop:
        if supervised:
            _work_supervised(workspace, names, stop)
            return DONE
        workspace.refuse_unready()
        run = _alone if processes == 1 else _together
        ended_well = run(session, workspace, Order(names, slots, processes, health), stop)
    session.remark("worker.done" if ended_well else "worker.killed")
    return DONE if ended_well else FAILED


class Order(NamedTuple):
    """What the command was asked for."""

    queues: tuple[str, ...]
    slots: int | None
    processes: int
    health: str | None


def _work_supervised(workspace: Workspace, queues: tuple[str, ...], stop: Interrupts) -> None:
    from answerwatch.interfaces.cli.running.supervised import obey, report  # noqa: PLC0415 - keeps --help quick

    obey(stop)
    workspace.work(queues=queues, stop=stop, beat=report)


def _alone(session: Session, workspace: Workspace, order: Order, stop: Interrupts) -> bool:
    """Be the worker."""
    from answerwatch.workspace.running.crew import Member, Pulse  # noqa: PLC0415 - keeps --help quick

    pulse, pid, since = Pulse(), os.getpid(), datetime.now(UTC)

    def members() -> tuple[Member, ...]:
        beaten = pulse.in_hand, pulse.silent_s
        return (Member(number=1, pid=pid, since=since, restarts=0, in_hand=beaten[0], silent_s=beaten[1]),)

    with _health_served(session, workspace, order, members):
        session.remark("worker.ready", queues=", ".join(order.queues), folder=workspace.settings.home)
        workspace.work(queues=order.queues, stop=stop, beat=pulse.beat)
    return True


def _together(session: Session, workspace: Workspace, order: Order, stop: Interrupts) -> bool:
    """Watch over several workers; return whether none had to be killed or failed in the end."""
    from answerwatch.interfaces.cli.running.supervised import command_of  # noqa: PLC0415 - keeps --help quick
    from answerwatch.workspace.running.crew import Crew  # noqa: PLC0415 - the same

    crew = Crew(command_of(order.queues, order.slots), order.processes)
    with _health_served(session, workspace, order, crew.members):
        facts = {"processes": order.processes, "queues": ", ".join(order.queues), "folder": workspace.settings.home}
        session.remark("worker.ready_together", **facts)
        return crew.run(stop, lambda fallen: _tell(session, fallen))


@contextmanager
def _health_served(
    session: Session, workspace: Workspace, order: Order, members: Callable[[], tuple[Member, ...]]
) -> Iterator[None]:
    if order.health is None:
        yield
        return
    from answerwatch.interfaces.cli.health.pages import pages  # noqa: PLC0415 - the same
    from answerwatch.interfaces.cli.health.server import address_of, served  # noqa: PLC0415 - few workers have a server

    with served(address_of(order.health), pages(session, members, workspace.readiness())) as url:
        session.remark("worker.health", url=url)
        yield


def _tell(session: Session, fallen: Fallen) -> None:
    """Say in one line that a process died and will be replaced."""
    why = session.say("worker.by_code", code=fallen.code)
    if fallen.code < 0:
        known = {int(one): one.name for one in signal.Signals}
        why = session.say("worker.by_signal", signal=known.get(-fallen.code, str(-fallen.code)))
    if fallen.silent_s is not None:
        why = session.say("worker.by_silence", seconds=f"{fallen.silent_s:.0f}", how=why)
    pid = "-" if fallen.pid is None else fallen.pid
    # A terminal that is gone is no reason to let workers down.
    with suppress(OSError):
        session.remark("worker.replaced", number=fallen.number, pid=pid, why=why, seconds=f"{fallen.pause_s:g}")
