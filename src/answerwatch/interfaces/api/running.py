"""Serving the app until somebody asks to stop, with a worker beside it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import uvicorn

from answerwatch.domain.work import QUEUES
from answerwatch.errors import ConfigurationError, ServiceError
from answerwatch.interfaces.api.app import make_app
from answerwatch.interfaces.api.door import is_loopback
from answerwatch.workspace import Workspace
from answerwatch.workspace.running.stopping import UrgentStop

END_WITHIN_S = 10
"""Seconds that requests may still take after a wish to stop."""
LISTEN_EVERY_S = 0.1
"""Seconds between two looks at the wish to stop."""
WAITING = 1_024
"""Connections that may wait to be taken up."""


class Wish(UrgentStop, Protocol):
    """A wish to stop that can be had here too."""

    def ask(self, *, urgent: bool = False) -> None:
        """Wish to stop."""


class _Server(uvicorn.Server):
    """A server that leaves signals to the command."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take over nothing."""
        yield


def serve(workspace: Workspace, host: str, port: int, stop: Wish, *, works: bool, ready: Callable[[str], None]) -> None:
    """Serve until `stop` is set; with `works` this process is a worker too. `ready` is told the address.

    Raises ConfigurationError for an address beyond this machine as long as no key holds, ServiceError for a database
    that cannot be used and an address that is taken. Where the worker fails, the server stops and this raises its
    error: a server that takes jobs which nobody does looks well and is not.
    """
    workspace.refuse_unready()
    is_local = is_loopback(host)
    if not is_local and not workspace.keys.any_holds():
        text = f"{host} can be reached from other machines, and there is no key; first: `answerwatch keys create NAME`."
        raise ConfigurationError("serve_without_keys", text, host=host)
    config = uvicorn.Config(
        make_app(workspace, keys_only=not is_local, stop=stop), log_config=None, access_log=False,
        server_header=False, timeout_graceful_shutdown=END_WITHIN_S, lifespan="off",
    )  # fmt: skip
    with _bound(host, port) as bound, _working(workspace, stop, works=works):
        shown = f"[{host}]" if ":" in host else host
        ready(f"http://{shown}:{bound.getsockname()[1]}")
        asyncio.run(_served(_Server(config), bound, stop))


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens: from here on nobody is turned away, whoever is told first."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=WAITING)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (while ")[0]  # the address is told by our own words
        text = f"{host}:{port} cannot be served: {why}. Choose another address with --host and --port."
        raise ServiceError("serve_taken", text, host=host, port=port, why=why) from error


@contextmanager
def _working(workspace: Workspace, stop: Wish, *, works: bool) -> Iterator[None]:
    """Work in a thread for the time of the block; raises at its end what the worker ended with."""
    failed: list[BaseException] = []

    def work() -> None:
        try:
            workspace.work(queues=QUEUES, stop=stop)
        except BaseException as error:  # noqa: BLE001 - raised again in the main thread
            failed.append(error)
        stop.ask()

    thread = threading.Thread(target=work, name="answerwatch-worker")
    if works:
        thread.start()
    try:
        yield
    finally:
        stop.ask()
        if works:
            thread.join()
    if failed:
        raise failed[0]


async def _served(server: uvicorn.Server, bound: socket.socket, stop: Wish) -> None:
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    while not serving.done():
        server.should_exit = server.should_exit or stop.is_set()
        server.force_exit = server.force_exit or stop.is_urgent()
        await asyncio.wait({serving}, timeout=LISTEN_EVERY_S)
    await serving
