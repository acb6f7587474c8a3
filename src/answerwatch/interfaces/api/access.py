"""Who may ask: everybody on this machine as long as there is no key, then whoever shows one that holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import APIKeyHeader, HTTPBearer
from fastapi.security.http import HTTPAuthorizationCredentials

from answerwatch.interfaces.api.problems import Problem
from answerwatch.workspace import Workspace
from answerwatch.workspace.keys import Scope

_BEARER = HTTPBearer(auto_error=False, description="A key of `answerwatch keys create`.")
_HEADER = APIKeyHeader(name="X-API-Key", auto_error=False, description="The same key in a header of its own.")


def workspace_of(request: Request) -> Workspace:
    """Return the workspace that is served."""
    workspace: Workspace = request.app.state.workspace
    return workspace


Served = Annotated[Workspace, Depends(workspace_of)]


def allowed(scope: Scope) -> Callable[..., None]:
    """Return what raises Problem for a request without a key for the scope."""

    def check(
        workspace: Served,
        bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
        header: Annotated[str | None, Depends(_HEADER)],
    ) -> None:
        if not workspace.keys.are_wanted():
            return
        shown = bearer.credentials if bearer is not None else header
        holder = None if shown is None else workspace.keys.holder(shown)
        if holder is None:
            problem = Problem(401, "key_wanted" if shown is None else "key_refused", "no key")
            problem.headers["WWW-Authenticate"] = "Bearer"
            raise problem
        if scope is Scope.WRITE and holder.scope != Scope.WRITE:
            raise Problem(403, "key_reads_only", "reads only", name=holder.name)

    return check


MAY_READ, MAY_WRITE = Depends(allowed(Scope.READ)), Depends(allowed(Scope.WRITE))
