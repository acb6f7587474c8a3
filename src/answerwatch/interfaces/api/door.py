"""The door of the app: who asks and how much is looked at before a request is read, and every request has an answer."""

from __future__ import annotations

import asyncio
import ipaddress
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from answerwatch.interfaces.api import problems
from answerwatch.interfaces.api.problems import Problem
from answerwatch.workspace import Workspace
from answerwatch.workspace.shown_records import ApiKey

MOST_BYTES = 64 * 2**20
"""Of a body: two lists of a million short sentences."""
LINGER_S = 5
"""Seconds for which a body that nobody wants is read on."""
OPENAPI = "/api/v1/openapi.json"
OPEN = frozenset({"/healthz", "/readyz", "/docs", "/docs/start.js", OPENAPI})
"""Addresses that tell nothing of what is stored: they are there for everybody."""
OPEN_FOLDER = "/docs/assets/"

_ON_ALL = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every answer that does not say otherwise."""


class Door:
    """Lets requests in to an app."""

    def __init__(self, app: ASGIApp, workspace: Workspace, *, keys_only: bool) -> None:
        """Guard an app; with `keys_only` nobody is let in without a key, though none was ever made."""
        self._app = app
        self._workspace = workspace
        self._keys_only = keys_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        exchange = _Exchange(request, receive, send)
        try:
            await self._look(request)
            await self._app(scope, exchange.receive, exchange.send)
        except Exception as error:
            if exchange.is_begun:
                raise
            await problems.reply(request, error)(scope, exchange.receive, exchange.send)

    async def _look(self, request: Request) -> None:
        """Raise Problem for a request that is not let in."""
        if int(request.headers.get("content-length", "0")) > MOST_BYTES:
            raise _too_large()
        path = request.scope["path"]
        if path not in OPEN and not path.startswith(OPEN_FOLDER):
            request.state.holder = await run_in_threadpool(self._holder, request)

    def _holder(self, request: Request) -> ApiKey | None:
        """Return the key that was shown, None where nobody needs one."""
        keys = self._workspace.keys
        if not self._keys_only and not keys.are_wanted():
            _refuse_foreign(request)
            return None
        shown = _shown(request)
        if shown is None:
            raise Problem(401, "key_wanted", headers={"WWW-Authenticate": "Bearer"})
        holder = keys.holder(shown)
        if holder is None:
            raise Problem(401, "key_refused", headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
        return holder


def is_loopback(host: str) -> bool:
    """Tell whether a host can be nothing but this machine."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    return False


def _refuse_foreign(request: Request) -> None:
    """Raise Problem where somebody else's page made a name of its own lead here: browsers then ask by that name."""
    host: str | None = None
    with suppress(ValueError):
        host = urlsplit("//" + request.headers.get("host", "")).hostname
    if host is None or not is_loopback(host):
        raise Problem(400, "host_refused")


def _shown(request: Request) -> str | None:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else request.headers.get("x-api-key")


def _too_large() -> Problem:
    return Problem(413, "too_large", most=MOST_BYTES)


class _Exchange:
    """One request and its answer: counts the body as it comes, and gives the answer the headers that all have."""

    def __init__(self, request: Request, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._size = 0
        self._left = "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"
        """Whether some of the body was not read yet."""
        self.is_begun = False

    async def receive(self) -> Message:
        """Return the next part of the body; raises Problem for one that is too large, whatever it said of itself."""
        message = await self._receive()
        self._size += len(message.get("body", b""))
        self._left = self._left and bool(message.get("more_body"))
        if self._size > MOST_BYTES and not self.is_begun:
            raise _too_large()
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self.is_begun = True
            headers = MutableHeaders(scope=message)
            for name, value in _ON_ALL.items():
                headers.setdefault(name, value)
            if self._left:
                headers["Connection"] = "close"
        elif self._left and not message.get("more_body"):
            await self._send({**message, "more_body": True})
            await self._throw_away()
            message = {"type": "http.response.body", "body": b""}
        await self._send(message)

    async def _throw_away(self) -> None:
        """Read on for a while after the answer: who still sends when a connection closes may never see it."""
        most = self._size + MOST_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_S):
                while self._left and self._size <= most:
                    await self.receive()
