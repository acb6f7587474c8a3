"""How the state of a workspace is shown to people: checks, queues, lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerwatch.interfaces.cli.alerts.tables import ALERTS
from answerwatch.interfaces.cli.listing import Listing, show_facts
from answerwatch.interfaces.cli.session import Session
from answerwatch.interfaces.cli.wording import NOT_KNOWN, duration

if TYPE_CHECKING:
    from answerwatch.workspace.health.doctor import Check
    from answerwatch.workspace.health.status import QueueView, WorkspaceStatus
    from answerwatch.workspace.platforms import LaneView


def _check_row(session: Session, check: Check) -> tuple[object, ...]:
    return session.word("check", check.name), session.word("grade", check.grade), check.message, check.fix


CHECKS: Listing[Check] = Listing(columns=("check", "grade", "found", "fix"), row=_check_row)


def _queue_row(session: Session, queue: QueueView) -> tuple[object, ...]:
    oldest = NOT_KNOWN if queue.oldest_s is None else duration(queue.oldest_s, session.say)
    return queue.queue, queue.ready, queue.waiting, queue.running, queue.held, oldest, queue.dead


_QUEUES: Listing[QueueView] = Listing(
    columns=("queue", "ready", "waiting", "running", "held", "oldest", "dead"), row=_queue_row
)


def _lane_row(session: Session, lane: LaneView) -> tuple[object, ...]:
    limit = NOT_KNOWN if lane.rate is None else f"{lane.rate * lane.factor:.2f}/s"
    return lane.lane, limit, lane.leased, lane.in_flight, session.word("lane", lane.breaker), _reason(session, lane)


def _reason(session: Session, lane: LaneView) -> str | None:
    return None if lane.reason is None else session.say.stored(lane.reason)


_LANES: Listing[LaneView] = Listing(columns=("lane", "speed", "running", "cap", "lane_state", "reason"), row=_lane_row)


def show_status(session: Session, status: WorkspaceStatus) -> None:
    """Print what is going on: counts, queues, lanes and open alerts."""
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
