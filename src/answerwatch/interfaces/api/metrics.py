"""Figures for Prometheus: what `answerwatch status` and lists of jobs say at the moment of asking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from answerwatch.domain.similarity import JobStatus
from answerwatch.workspace import Workspace
from answerwatch.workspace.health.status import WorkspaceStatus

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
OPEN = tuple(status for status in JobStatus if not status.is_final)
MOST_JOBS = 100
"""Open jobs that have figures of their own, the newest."""


def exposition(workspace: Workspace) -> bytes:
    """Return the figures in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Figures(workspace))
    return generate_latest(registry)


class _Figures(Collector):
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Yield every family of figures."""
        status = self._workspace.status()
        yield from _queues(status)
        yield from _lanes(status)
        yield _gauge("answerwatch_workers", "Processes that showed a sign of life lately.", status.workers)
        yield _gauge("answerwatch_samples", "Stored answers.", status.samples)
        yield _gauge("answerwatch_clean_tasks_stuck", "Clean tasks that work for too long.", status.stuck)
        yield _gauge("answerwatch_alerts_open", "Alerts that wait for a person.", len(status.alerts))
        yield _gauge("answerwatch_batches_running", "Batches that run.", status.batches_running)
        yield _gauge("answerwatch_batches_paused", "Batches that are paused.", status.batches_paused)
        yield self._jobs()

    def _jobs(self) -> GaugeMetricFamily:
        pairs = GaugeMetricFamily(
            "answerwatch_similarity_pairs", "Pairs of jobs that are not at their end.", labels=["job", "state"]
        )
        for job in self._workspace.similarity.list(limit=MOST_JOBS, statuses=OPEN):
            for state in ("processed", "pending", "failed"):
                pairs.add_metric([job.job_id, state], getattr(job, state))
        return pairs


def _queues(status: WorkspaceStatus) -> Iterator[GaugeMetricFamily]:
    tasks = GaugeMetricFamily("answerwatch_tasks", "Outstanding tasks.", labels=["queue", "state"])
    dead = GaugeMetricFamily("answerwatch_dead_letters", "Open dead letters.", labels=["queue"])
    oldest = GaugeMetricFamily(
        "answerwatch_oldest_task_seconds", "For how long the oldest task has been due.", labels=["queue"]
    )
    for queue in status.queues:
        for state in ("ready", "waiting", "running", "held"):
            tasks.add_metric([queue.queue, state], getattr(queue, state))
        dead.add_metric([queue.queue], queue.dead)
        if queue.oldest_s is not None:
            oldest.add_metric([queue.queue], queue.oldest_s)
    yield from (tasks, dead, oldest)


def _lanes(status: WorkspaceStatus) -> Iterator[GaugeMetricFamily]:
    running = GaugeMetricFamily("answerwatch_lane_running", "Calls in hand.", labels=["lane"])
    rate = GaugeMetricFamily("answerwatch_lane_rate", "Calls a second that may start.", labels=["lane"])
    parked = GaugeMetricFamily("answerwatch_lane_parked", "1: a person must act before calls go on.", labels=["lane"])
    for lane in status.lanes:
        running.add_metric([lane.lane], lane.leased)
        parked.add_metric([lane.lane], lane.parked)
        if lane.rate is not None:
            rate.add_metric([lane.lane], lane.rate * lane.factor)
    yield from (running, rate, parked)


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    found = GaugeMetricFamily(name, meaning)
    found.add_metric([], value)
    return found
