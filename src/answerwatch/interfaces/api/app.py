"""The app: routes, errors, and the door before them."""

from __future__ import annotations

from fastapi import FastAPI

from answerwatch import __version__
from answerwatch.interfaces.api import batches, described, pages, problems, similarity
from answerwatch.interfaces.api.door import OPENAPI, Door
from answerwatch.workspace import Workspace
from answerwatch.workspace.running.stopping import NEVER, Stop


def make_app(workspace: Workspace, *, keys_only: bool = False, stop: Stop = NEVER) -> FastAPI:
    """Return the app that serves a workspace.

    With `keys_only` everybody needs a key; without it nobody does as long as none was made, and then the server may be
    called by names of this machine alone. Streams end when `stop` is set.
    """
    app = FastAPI(
        title="answerwatch", version=__version__, openapi_url=OPENAPI, docs_url=None, redoc_url=None,
        summary="Similarity jobs, and progress of batches.", redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )  # fmt: skip
    app.state.workspace = workspace
    app.state.stop = stop
    app.state.readiness = workspace.readiness()
    problems.install(app)
    for router in (similarity.router, batches.router, pages.router):
        app.include_router(router)
    pages.mount_assets(app)
    described.install(app)
    app.add_middleware(Door, workspace=workspace, keys_only=keys_only)
    return app
