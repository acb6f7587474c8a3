"""Pages beside the resources: health, readiness, metrics, and the documentation, which loads nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from swagger_ui_bundle import swagger_ui_path

from answerwatch import __version__
from answerwatch.interfaces.api.access import MAY_READ, Served
from answerwatch.interfaces.api.problems import language_of
from answerwatch.messages import Messages
from answerwatch.workspace import Workspace
from answerwatch.workspace.health.readiness import Readiness

OPENAPI = "/api/v1/openapi.json"
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>
<body><div id="swagger-ui"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>
"""
_START = f'SwaggerUIBundle({{url: "{OPENAPI}", dom_id: "#swagger-ui", validatorUrl: null}});\n'

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def healthz() -> dict[str, object]:
    """Tell that the process answers."""
    return {"healthy": True, "version": __version__}


@router.get("/readyz")
def readyz(request: Request) -> JSONResponse:
    """Tell whether work can be done here, and if not why."""
    readiness: Readiness = request.app.state.readiness
    say = Messages(language_of(request))
    faults = [f"{say(f'check.{one.check}')}: {say.translated(one.why)}" for one in readiness.faults()]
    return JSONResponse({"ready": not faults, "reasons": faults}, status_code=503 if faults else 200)


@router.get("/metrics", dependencies=[MAY_READ])
def metrics(workspace: Served) -> Response:
    """Return figures about queues, workers and jobs in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Figures(workspace))
    return Response(generate_latest(registry), media_type=METRICS_TYPE)


@router.get("/docs")
def docs() -> HTMLResponse:
    """Return the page that shows the interface."""
    title = escape(f"answerwatch {__version__}")
    return HTMLResponse(_PAGE.format(title=title), headers={"Content-Security-Policy": _POLICY})


@router.get("/docs/start.js")
def start() -> Response:
    """Return the script that starts the page; it is a file of its own, so that the page needs no inline script."""
    return Response(_START, media_type="text/javascript")


def mount_assets(app: FastAPI) -> None:
    """Serve the files that the page of the documentation loads."""
    app.mount("/docs/assets", StaticFiles(directory=swagger_ui_path), name="assets")


class _Figures(Collector):
    """What `answerwatch status` and lists of jobs say, at the moment of asking."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Yield every family of figures."""
        status = self._workspace.status()
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
        yield _gauge("answerwatch_workers", "Processes that showed a sign of life lately.", status.workers)
        yield _gauge("answerwatch_samples", "Stored answers.", status.samples)
        yield _gauge("answerwatch_clean_tasks_stuck", "Clean tasks that work for too long.", status.stuck)
        yield _gauge("answerwatch_alerts_open", "Alerts that wait for a person.", len(status.alerts))
        yield _gauge("answerwatch_batches_running", "Batches that run.", status.batches_running)
        yield from self._jobs()

    def _jobs(self) -> Iterator[GaugeMetricFamily]:
        pairs = GaugeMetricFamily(
            "answerwatch_similarity_pairs", "Pairs of jobs that are not at their end.", labels=["job", "state"]
        )
        for job in self._workspace.similarity.list(limit=100):
            if not job.status.is_final:
                pairs.add_metric([job.job_id, "processed"], job.processed)
                pairs.add_metric([job.job_id, "pending"], job.pending)
                pairs.add_metric([job.job_id, "failed"], job.failed)
        yield pairs


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    found = GaugeMetricFamily(name, meaning)
    found.add_metric([], value)
    return found
