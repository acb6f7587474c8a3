"""What may be done with the key that was shown; the door has looked at the key itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import APIKeyHeader, HTTPBearer
from fastapi.security.http import HTTPAuthorizationCredentials

from answerwatch.interfaces.api.problems import Problem
from answerwatch.workspace import Workspace
from answerwatch.workspace.keys import Scope
from answerwatch.workspace.shown_records import ApiKey

# These two tell in the description how a key is shown.
_BEARER = HTTPBearer(auto_error=False, description="A key of `answerwatch keys create`.")
_HEADER = APIKeyHeader(name="X-API-Key", auto_error=False, description="The same key in a header of its own.")


def workspace_of(request: Request) -> Workspace:
    """Return the workspace that is served."""
    workspace: Workspace = request.app.state.workspace
    return workspace


Served = Annotated[Workspace, Depends(workspace_of)]


def allowed(scope: Scope) -> Callable[..., None]:
    """Return what raises Problem for a request whose key does not reach so far."""

    def check(
        request: Request,
        _bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
        _header: Annotated[str | None, Depends(_HEADER)],
    ) -> None:
        holder: ApiKey | None = request.state.holder  # missing where the door did not look: then nobody gets on
        if holder is not None and scope is Scope.WRITE and holder.scope != Scope.WRITE:
            challenge = f'Bearer error="insufficient_scope", scope="{scope}"'
            raise Problem(403, "key_reads_only", headers={"WWW-Authenticate": challenge}, name=holder.name)

    return check


MAY_READ, MAY_WRITE = Depends(allowed(Scope.READ)), Depends(allowed(Scope.WRITE))
