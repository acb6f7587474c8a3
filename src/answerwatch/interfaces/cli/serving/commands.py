"""`answerwatch serve`: the HTTP interface, with a worker beside it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from answerwatch.errors import ConfigurationError
from answerwatch.interfaces.cli.exit_codes import DONE
from answerwatch.interfaces.cli.running.interrupts import Interrupts
from answerwatch.interfaces.cli.running.logs import log_to_stderr
from answerwatch.interfaces.cli.session import opened, session_of

app = typer.Typer()

LIBRARIES = ("fastapi", "fastapi_offline", "prometheus_client", "uvicorn")


@app.command("serve", help="help.serve")
def serve(
    context: typer.Context,
    *,
    host: Annotated[str, typer.Option("--host", help="option.serve_host")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="option.serve_port")] = 8000,
    no_workers: Annotated[bool, typer.Option("--no-workers", help="option.no_workers")] = False,
) -> int:
    """Serve until Ctrl-C or SIGTERM."""
    session = session_of(context)
    if lacking := [name for name in LIBRARIES if find_spec(name) is None]:
        libraries = ", ".join(lacking)
        text = f"The HTTP interface needs {libraries}: pip install 'answerwatch[serve]'."
        raise ConfigurationError("serve_extra", text, libraries=libraries)
    from answerwatch.interfaces.api.running import serve as run  # noqa: PLC0415 - its libraries are an extra

    log_to_stderr()
    with opened(session) as workspace, Interrupts() as stop:
        ready = lambda url: session.remark("serve.ready", url=url)  # noqa: E731 - one line
        run(workspace, host, port, stop, works=not no_workers, ready=ready)
    session.remark("serve.done")
    return DONE
