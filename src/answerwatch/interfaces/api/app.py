"""The app: routes, errors, limits, and who may ask."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware

from answerwatch import __version__
from answerwatch.interfaces.api import batches, pages, problems, similarity
from answerwatch.interfaces.api.limits import BodyLimit
from answerwatch.workspace import Workspace

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def make_app(workspace: Workspace, *, hosts: tuple[str, ...] = LOOPBACK) -> FastAPI:
    """Return the app that serves a workspace.

    `hosts` are the names by which it may be called: a page of somebody else's that makes its own name lead here is
    refused by them. `*` allows any, where keys decide.
    """
    app = FastAPI(
        title="answerwatch", version=__version__, openapi_url=pages.OPENAPI, docs_url=None, redoc_url=None,
        summary="Similarity jobs, and progress of batches.",
    )  # fmt: skip
    app.state.workspace = workspace
    app.state.readiness = workspace.readiness()
    problems.install(app)
    for router in (similarity.router, batches.router, pages.router):
        app.include_router(router)
    pages.mount_assets(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    return app
