"""Following long work to its end: progress, and Ctrl-C."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from answerwatch.interfaces.cli.running.interrupts import Interrupts
from answerwatch.interfaces.cli.running.logs import log_to_stderr
from answerwatch.interfaces.cli.running.progress import shown_progress
from answerwatch.interfaces.cli.session import Session

if TYPE_CHECKING:
    from answerwatch.workspace.batches.views import ShowProgress, Snapshot
    from answerwatch.workspace.running.stopping import Stop

T_co = TypeVar("T_co", covariant=True)


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
