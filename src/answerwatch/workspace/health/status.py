"""What is going on: queues, lanes, workers, alerts in one record."""

from __future__ import annotations

from dataclasses import dataclass

from answerwatch.clock import MICROSECONDS
from answerwatch.domain.addresses import hide_password
from answerwatch.domain.work import QUEUES
from answerwatch.store.bank import brands, lexicons, questions
from answerwatch.store.batch import batches
from answerwatch.store.clean import cleaning_tasks
from answerwatch.store.database import Read
from answerwatch.store.ops import alerts, dead_letters
from answerwatch.store.ops.alerts import Alert
from answerwatch.store.sample import listing
from answerwatch.store.work import ledger, workers
from answerwatch.workspace.parts import Parts
from answerwatch.workspace.platforms import LaneView, lane_views


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueView:
    """How much work of one queue is outstanding."""

    queue: str
    ready: int
    """Due now."""
    waiting: int
    """Due later: retries."""
    running: int
    held: int
    """Of paused groups."""
    oldest_s: float | None
    """For how long the oldest task that could start has been due; None where none is: held, in hand or due later."""
    dead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceStatus:
    """What is going on in the workspace."""

    home: str
    database: str
    """Address without its password."""
    questions: int
    """Active ones."""
    brands: int
    lexicon_version: int
    batches_running: int
    """Running ones that are not paused."""
    batches_paused: int
    samples: int
    queues: tuple[QueueView, ...]
    lanes: tuple[LaneView, ...]
    workers: int
    """Processes that showed a sign of life lately."""
    stuck: int
    alerts: tuple[Alert, ...]


def workspace_status(parts: Parts) -> WorkspaceStatus:
    """Return what is going on."""
    settings = parts.settings
    with parts.store().reading() as read:
        running, paused = batches.count_open(read)
        return WorkspaceStatus(
            home=str(settings.home),
            database=hide_password(settings.database_url),
            questions=sum(questions.scenes(read).values()),
            brands=sum(1 for brand in brands.every(read) if brand.is_active),
            lexicon_version=lexicons.newest_number(read),
            batches_running=running,
            batches_paused=paused,
            samples=listing.count(read),
            queues=tuple(queue_view(read, queue) for queue in QUEUES),
            lanes=lane_views(read),
            workers=workers.count_living(read, lease_s=settings.lease_s, sweep_s=settings.sweep_s),
            stuck=cleaning_tasks.count_stuck(read, parts.clock.now()),
            alerts=tuple(alerts.every(read)),
        )


def queue_view(read: Read, queue: str) -> QueueView:
    """Return how much work of one queue is outstanding."""
    depths = ledger.depths(read, queue=queue)
    free = [one for one in depths if not one.held]
    oldest = min((one.oldest_due_us for one in free if one.oldest_due_us is not None), default=None)
    return QueueView(
        queue=queue,
        ready=sum(one.ready for one in free),
        waiting=sum(one.waiting for one in free),
        running=sum(one.leased for one in depths),
        held=sum(one.ready + one.waiting for one in depths if one.held),
        oldest_s=None if oldest is None else max(0.0, (read.now_us() - oldest) / MICROSECONDS),
        dead=dead_letters.count_open(read, queue),
    )
