"""Sends one HTTP call once: the only place that touches the network and the secret.

No redirects, no retries, no cookies. A total deadline of our own, because platforms keep a waiting connection alive
with blank lines that reset every read timeout. Bodies are read in pieces and cut at a limit of decompressed bytes.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import TracebackType
from typing import Self

import anyio.lowlevel
import httpx2

from answerwatch.clock import Clock, SystemClock
from answerwatch.domain.answers import Reply
from answerwatch.platforms.bodies import readable
from answerwatch.platforms.connections import POOL_S, Connections, NoFreeConnection
from answerwatch.platforms.keys import find_key
from answerwatch.platforms.records import HttpCall, Surface
from answerwatch.platforms.redact import redact_bytes, redact_text

MAX_BODY = 8 * 1024 * 1024
"""Bytes of a reply, after decompression."""

HEADER_CHARS = 1000
"""Characters kept of one header."""

_KEPT_HEADERS = frozenset(
    {
        "cf-ray",
        "content-encoding",
        "content-length",
        "content-type",
        "date",
        "location",
        "request-id",
        "retry-after",
        "retry-after-ms",
        "server",
        "via",
        "x-dashscope-request-id",
        "x-request-id",
        "x-tt-logid",
    }
)
_KEPT_PREFIXES = ("x-ratelimit-", "ratelimit", "anthropic-ratelimit-")


@dataclass(slots=True)
class _Arrival:
    """What has come back so far."""

    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    body: bytearray = field(default_factory=bytearray)
    error: str | None = None
    error_text: str = ""


class Sender:
    """The connections of one event loop; use it as `async with Sender(slots=...) as sender`."""

    def __init__(
        self,
        *,
        slots: int,
        clock: Clock | None = None,
        environ: Mapping[str, str] | None = None,
        max_body: int = MAX_BODY,
        also_kept: frozenset[str] = frozenset(),
    ) -> None:
        """Prepare for `slots` calls at once; keys are read from `environ`, the process's own when None.

        `also_kept` names headers of replies, in lower case, that are kept besides those that are evidence.
        """
        self._slots = slots
        self._clock = clock or SystemClock()
        self._environ = os.environ if environ is None else environ
        self._max_body = max_body
        self._headers = _KEPT_HEADERS | also_kept
        self._connections: Connections | None = None

    async def __aenter__(self) -> Self:
        """Get ready in the running loop."""
        # Loads what the HTTP library loads at its first call, behind which the first calls would leave in a clump.
        await anyio.lowlevel.checkpoint()
        self._connections = Connections(self._slots)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        if self._connections is not None:
            await self._connections.close()
            self._connections = None

    async def send(self, call: HttpCall, surface: Surface, *, within_s: float | None = None) -> Reply:
        """Send the call once and return what came back, the secret already taken out.

        Trouble of the connection is part of the reply (`Reply.error`). Raises MissingKey and NoFreeConnection when
        nothing was sent. Cancelling is passed on and leaves the pool usable.
        """
        if self._connections is None:
            raise RuntimeError("open the sender with `async with` before sending")
        key = find_key(surface, self._environ)
        deadline_s = surface.deadline_s if within_s is None else min(surface.deadline_s, max(within_s, 0.0))
        arrival = _Arrival()
        with self._connections.lend() as client:
            started, tick = self._clock.now(), self._clock.monotonic()
            await self._exchange(client, _request(client, call, surface, key), arrival, deadline_s)
        # The wall clock may be set back meanwhile; the length of a call is measured on the other one.
        ended = started + timedelta(seconds=self._clock.monotonic() - tick)
        body, redacted = redact_bytes(bytes(arrival.body), key)
        return Reply(
            started_at=started,
            ended_at=ended,
            status=arrival.status,
            headers=tuple((name, redact_text(value, key)[:HEADER_CHARS]) for name, value in arrival.headers),
            body=body,
            error=arrival.error,
            error_text=readable(redact_text(arrival.error_text, key)),
            redacted=redacted,
        )

    async def _exchange(
        self, client: httpx2.AsyncClient, request: httpx2.Request, arrival: _Arrival, deadline_s: float
    ) -> None:
        """Fill `arrival` with what comes back before the deadline."""
        try:
            async with asyncio.timeout(deadline_s):
                await self._receive(client, request, arrival)
        except httpx2.PoolTimeout as error:
            text = f"No connection to {request.url.host} came free within {POOL_S:g} s; nothing was sent."
            raise NoFreeConnection("no_free_connection", text, host=request.url.host) from error
        except TimeoutError:
            arrival.error, arrival.error_text = "timeout", f"no whole reply within {deadline_s:g} s"
        except httpx2.HTTPError as error:
            arrival.error, arrival.error_text = _fault(error), str(error) or type(error).__name__

    async def _receive(self, client: httpx2.AsyncClient, request: httpx2.Request, arrival: _Arrival) -> None:
        """Send the request and collect the reply piece by piece."""
        response = await client.send(request, stream=True)
        try:
            arrival.status = response.status_code
            arrival.headers = tuple(_kept(response.headers, self._headers))
            async for piece in response.aiter_bytes():
                arrival.body += piece
                if len(arrival.body) > self._max_body:
                    del arrival.body[self._max_body :]
                    arrival.error = "too_large"
                    arrival.error_text = f"the reply is longer than {self._max_body} bytes"
                    return
        finally:
            await response.aclose()


def _request(client: httpx2.AsyncClient, call: HttpCall, surface: Surface, key: str | None) -> httpx2.Request:
    """Return the request with the secret added."""
    headers = list(call.headers)
    if key is not None:
        headers.append((surface.auth_header, surface.auth_format.replace("{key}", key)))
    timeout = httpx2.Timeout(connect=surface.connect_s, read=surface.read_gap_s, write=surface.write_s, pool=POOL_S)
    return client.build_request(call.method, call.url, headers=headers, content=call.body, timeout=timeout)


def _kept(headers: httpx2.Headers, wanted: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the headers that are wanted, names in lower case: no cookies, no surprises."""
    for name, value in headers.multi_items():
        if name.lower() in wanted or name.lower().startswith(_KEPT_PREFIXES):
            yield name.lower(), value


def _fault(error: httpx2.HTTPError) -> str:
    """Return the name of a transport fault, as `Reply.error` spells it."""
    if isinstance(error, httpx2.ConnectError):
        causes = tuple(_causes(error))
        if any(isinstance(cause, ssl.SSLError) for cause in causes):
            return "tls"
        return "dns" if any(isinstance(cause, socket.gaierror) for cause in causes) else "connect"
    if isinstance(error, (httpx2.ConnectTimeout, httpx2.ProxyError, httpx2.UnsupportedProtocol)):
        return "connect"
    if isinstance(error, httpx2.TimeoutException):
        return "timeout"
    return "decode" if isinstance(error, httpx2.DecodingError) else "reset"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and everything that led to it."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__
