"""Pages beside the resources: health, readiness, metrics, and the documentation, which loads nothing from elsewhere."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

from answerwatch import __version__
from answerwatch.interfaces.api.access import MAY_READ, Served
from answerwatch.interfaces.api.door import OPENAPI
from answerwatch.interfaces.api.metrics import METRICS_TYPE, exposition
from answerwatch.interfaces.api.problems import language_of
from answerwatch.messages import Messages
from answerwatch.workspace.health.readiness import Readiness

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<link rel="icon" href="/docs/assets/favicon.png"><link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>
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
    return Response(exposition(workspace), media_type=METRICS_TYPE)


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
    app.mount("/docs/assets", StaticFiles(directory=str(files("fastapi_offline") / "static")), name="assets")
