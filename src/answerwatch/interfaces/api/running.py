"""Serving the app until somebody asks to stop, with workers beside it."""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import uvicorn

from answerwatch.domain.work import QUEUES
from answerwatch.errors import ConfigurationError
from answerwatch.interfaces.api.app import LOOPBACK, make_app
from answerwatch.workspace import Workspace

if TYPE_CHECKING:
    from answerwatch.workspace.running.stopping import Stop

END_WITHIN_S = 10
"""Seconds that requests may still take after a wish to stop."""


class _Server(uvicorn.Server):
    """A server that leaves signals to the command."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take over nothing."""
        yield


def serve(workspace: Workspace, host: str, port: int, stop: Stop, *, works: bool, ready: Callable[[str], None]) -> None:
    """Serve until `stop` is set; with `works` this process is a worker too. `ready` is told the address.

    Raises ConfigurationError for an address beyond this machine as long as no key holds, ServiceError for a database
    that cannot be used.
    """
    workspace.refuse_unready()
    local = _is_loopback(host)
    if not local and not workspace.keys.are_wanted():
        text = f"{host} can be reached from other machines, and there is no key; first: `answerwatch keys create NAME`."
        raise ConfigurationError("serve_without_keys", text, host=host)
    app = make_app(workspace, hosts=LOOPBACK if local else ("*",))
    config = uvicorn.Config(
        app, host=host, port=port, log_config=None, access_log=False, server_header=False,
        timeout_graceful_shutdown=END_WITHIN_S, lifespan="off",
    )  # fmt: skip
    server = _Server(config)
    socket = config.bind_socket()
    socket.listen(config.backlog)  # from here on nobody is turned away, whoever is told first
    bound = socket.getsockname()
    threads = [threading.Thread(target=_watch, args=(server, stop), daemon=True)]
    if works:
        threads.append(threading.Thread(target=workspace.work, kwargs={"queues": QUEUES, "stop": stop}))
    for thread in threads:
        thread.start()
    shown = f"[{bound[0]}]" if ":" in str(bound[0]) else bound[0]
    ready(f"http://{shown}:{bound[1]}")
    server.run(sockets=[socket])
    for thread in threads[1:]:
        thread.join()


def _watch(server: uvicorn.Server, stop: Stop) -> None:
    while not stop.wait(1.0):
        pass
    server.should_exit = True


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    return False
