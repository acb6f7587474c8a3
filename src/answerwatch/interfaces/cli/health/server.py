"""`--health`: two pages over HTTP for those who watch over workers; no framework, and nothing in them is secret.

`/healthz` tells whether the loop of every process is alive, `/readyz` whether work can be done. A request is read up to
a few kilobytes and for a few seconds, few are answered at a time, and each connection serves one.
"""

from __future__ import annotations

import json
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from answerwatch.errors import ServiceError, UsageError

LOCAL = "127.0.0.1"
LARGEST_REQUEST = 8192
REQUEST_WITHIN_S = 2.0
AT_A_TIME = 8
LARGEST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page says."""

    good: bool
    body: Mapping[str, object]


Pages = Mapping[str, Callable[[], Answer]]
"""Path -> what makes its answer, in a thread."""


def address_of(text: str) -> tuple[str, int]:
    """Return host and port of `HOST:PORT`, `[HOST]:PORT` or `PORT`; raises UsageError for anything else.

    >>> address_of("8080"), address_of("0.0.0.0:80"), address_of("[::1]:80")
    (('127.0.0.1', 8080), ('0.0.0.0', 80), ('::1', 80))
    """
    host, colon, port = text.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    if not (port.isascii() and port.isdigit() and int(port) <= LARGEST_PORT) or (":" in bare and bare == host):
        raise UsageError("health_address", f"--health {text}: write HOST:PORT, or PORT alone.", given=text)
    return (bare if colon and bare else LOCAL), int(port)


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], pages: Pages) -> None:
        self.pages = pages
        self._room = threading.BoundedSemaphore(AT_A_TIME)
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as socketserver has it
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as socketserver has it
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()


class _Handler(socketserver.BaseRequestHandler):
    request: socket.socket
    server: _Server

    def handle(self) -> None:
        with suppress(OSError):  # who asked has gone
            status, body = _answer(self._head(), self.server.pages)
            self.request.sendall(_message(status, body))

    def _head(self) -> bytes:
        """Return the request up to its blank line, or what came of it."""
        head, end = b"", time.monotonic() + REQUEST_WITHIN_S
        while b"\r\n\r\n" not in head and len(head) <= LARGEST_REQUEST and (left := end - time.monotonic()) > 0:
            self.request.settimeout(left)
            part = self.request.recv(LARGEST_REQUEST)
            if not part:
                break
            head += part
        return head


def _answer(head: bytes, pages: Pages) -> tuple[HTTPStatus, Mapping[str, object]]:
    words = head.split(b"\r\n", 1)[0].split(b" ")
    if len(head) > LARGEST_REQUEST:
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, {}
    if b"\r\n\r\n" not in head or len(words) != 3:
        return HTTPStatus.BAD_REQUEST, {}
    if words[0] != b"GET":
        return HTTPStatus.METHOD_NOT_ALLOWED, {}
    page = pages.get(words[1].split(b"?", 1)[0].decode("latin-1"))
    if page is None:
        return HTTPStatus.NOT_FOUND, {"pages": sorted(pages)}
    answer = page()
    return (HTTPStatus.OK if answer.good else HTTPStatus.SERVICE_UNAVAILABLE), answer.body


def _message(status: HTTPStatus, body: Mapping[str, object]) -> bytes:
    text = json.dumps(body or {"error": status.phrase}, ensure_ascii=False, indent=2).encode() + b"\n"
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Content-Type: application/json; charset=utf-8",
        f"Content-Length: {len(text)}",
        "Cache-Control: no-store",
        "Connection: close",
        *(["Allow: GET"] if status is HTTPStatus.METHOD_NOT_ALLOWED else []),
    ]
    return "\r\n".join((*lines, "", "")).encode() + text


@contextmanager
def served(address: tuple[str, int], pages: Pages) -> Iterator[str]:
    """Serve pages until the block ends and give the address of the server; raises ServiceError when it is taken."""
    host, port = address
    try:
        server = _Server(address, pages)
    except OSError as error:
        why = error.strerror or str(error)
        text = f"Health cannot be served at {host}:{port}: {why}. Choose another address with --health."
        raise ServiceError("health_taken", text, host=host, port=port, why=why) from error
    shown = f"[{host}]" if ":" in host else host
    with server:
        thread = threading.Thread(target=server.serve_forever, name="answerwatch-health", daemon=True)
        thread.start()
        try:
            yield f"http://{shown}:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
