"""What the demo shows at its end: figures with intervals, and what went wrong on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.reports.tables import Footnotes, show_parts
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import one_line

if TYPE_CHECKING:
    from answerwatch.workspace import Workspace
    from answerwatch.workspace.batches.views import BatchDetail, BatchRun

LONGEST_EXAMPLE = 60


def show_outcome(session: Session, workspace: Workspace, outcome: BatchRun) -> None:
    """Print the figures of the demo's brand and everything that did not go smoothly."""
    details = [workspace.batches.show(batch.batch_id) for batch in outcome.batches]
    view = workspace.reports.report(outcome.batches[0].brand_name)
    report, notes = view.report, Footnotes()
    session.terminal.say("")
    session.tell("demo.figures", brand=report.brand, valid=report.overall.valid, planned=report.overall.planned)
    show_parts(session, [report.overall, *report.by_platform, *report.cells], notes)
    for mark, reason in notes.lines():
        session.terminal.say(f"{mark} {session.word('na', reason)}")
    session.terminal.say("")
    session.tell("demo.trouble")
    rows = [row for detail in details for row in _troubles(session, workspace, detail)]
    session.terminal.table(session.words("column", ("what", "reason", "platform", "count", "example")), rows)


def _troubles(session: Session, workspace: Workspace, detail: BatchDetail) -> list[tuple[object, ...]]:
    """Return what went wrong in one batch: retries, invalid answers, dead letters, platforms that slowed us down."""
    rows: list[tuple[object, ...]] = [
        (
            session.say("trouble.retried"),
            session.word("error_type", retried.error_type),
            retried.platform,
            retried.count,
            one_line(session.say.stored(retried.example), LONGEST_EXAMPLE),
        )
        for retried in detail.retries
    ]
    rows += [
        (session.say("trouble.invalid"), session.word("invalid", reason), "", count, "")
        for reason, count in detail.invalid
    ]
    rows += [
        (
            session.say("trouble.dead"),
            session.word("error_type", failure.error_type),
            failure.platform,
            failure.count,
            one_line(session.say.stored(failure.example), LONGEST_EXAMPLE),
        )
        for failure in detail.failures
    ]
    lanes = (platform.lane for platform in workspace.platforms.list())
    rows += [
        (
            session.say("trouble.slowed"),
            session.say("trouble.speed", percent=round(lane.factor * 100)),
            lane.platform,
            "",
            "",
        )
        for lane in lanes
        if lane is not None and lane.factor < 1
    ]
    return rows
