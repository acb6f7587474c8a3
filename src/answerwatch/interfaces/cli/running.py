"""Following a run to its end: progress, Ctrl-C, the final word and the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from answerwatch.interfaces.cli.batch_tables import RUN
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED, INTERRUPTED
from answerwatch.interfaces.cli.interrupts import Interrupts
from answerwatch.interfaces.cli.logs import log_to_stderr
from answerwatch.interfaces.cli.progress import shown_progress
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace.batches.views import BatchRun, ShowProgress, Snapshot
    from answerwatch.workspace.running.stopping import Stop

T_co = TypeVar("T_co", covariant=True)

LONGEST_REASON = 300


class Work(Protocol[T_co]):
    """Long work of the workspace: it shows its progress and ends early when asked to."""

    def __call__(self, *, progress: ShowProgress, stop: Stop) -> T_co:
        """Work until nothing is left or `stop` is set."""


def followed(session: Session, work: Work[T_co]) -> tuple[T_co, bool]:
    """Do the work with its progress shown; return its result and whether Ctrl-C ended it."""
    log_to_stderr()
    with shown_progress(session) as shown, Interrupts() as stop:
        result = work(progress=_Announcing(session, shown, stop), stop=stop)
    return result, stop.is_set()


class _Announcing:
    """A display that says once which batches run (their ids are needed when it is cut short) and that it stops."""

    def __init__(self, session: Session, shown: ShowProgress, stop: Stop) -> None:
        self._session = session
        self._shown = shown
        self._stop = stop
        self._named = set[str]()
        self._told = False

    def __call__(self, snapshot: Snapshot) -> None:
        for batch in snapshot.batches:
            if batch.batch_id not in self._named:
                self._named.add(batch.batch_id)
                self._session.remark("batch.started", batch=batch.batch_id, calls=batch.total)
        if self._stop.is_set() and not self._told:
            self._told = True
            self._session.remark("cli.stopping")
        self._shown(snapshot)


def finish(session: Session, outcome: BatchRun, *, as_json: bool, stopped: bool) -> int:
    """Say how a run of batches ended and return the exit code."""
    if as_json:
        first = session.terminal.plain(outcome.batches[0]) if len(outcome.batches) == 1 else {}
        session.terminal.json({**first, **session.terminal.plain(outcome)})
    else:
        RUN.show(session, outcome.batches, as_json=False)
    _say_how_to_go_on(session, outcome)
    if stopped:
        return INTERRUPTED
    return DONE if outcome.succeeded else FAILED


def _say_how_to_go_on(session: Session, outcome: BatchRun) -> None:
    """Name the next command: to standard error, because it is no part of the result."""
    for lane in outcome.parked:
        reason = one_line(lane.reason, LONGEST_REASON)
        session.remark("batch.parked", platform=lane.platform, waiting=lane.waiting, reason=reason)
    for batch in outcome.batches:
        if not batch.done:
            session.remark("batch.resumable", batch=batch.batch_id, left=batch.pending + batch.running)
        elif batch.failed:
            session.remark("batch.failed", batch=batch.batch_id, failed=batch.failed)
        if batch.done and batch.completed and batch.brand_name:
            session.remark("batch.reportable", brand=batch.brand_name)
