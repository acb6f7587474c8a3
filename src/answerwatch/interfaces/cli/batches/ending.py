"""How a run of batches ends: its table, the next command, the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.batches.tables import RUN
from answerwatch.interfaces.cli.exit_codes import DONE, FAILED, INTERRUPTED
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace.batches.views import BatchRun

LONGEST_REASON = 300


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
            session.remark("batch.recollectable", batch=batch.batch_id)
        if batch.done and batch.completed and batch.brand_name:
            session.remark("batch.reportable", brand=batch.brand_name)
