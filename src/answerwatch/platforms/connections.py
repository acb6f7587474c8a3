"""The open connections of one event loop: many small pools instead of a large one.

The HTTP library looks at every connection of a pool whenever a call begins or ends. Measured with 500 calls at once on
one core: 50 calls a second from one pool of 500, 250 to 500 from small ones.
"""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx2

from answerwatch.errors import WorkError

POOL_SIZE = 8
SPARE = 4
"""Connections of a pool above the calls it is lent for: a cancelled call's connection takes a moment to close."""

POOL_S = 15.0
"""Wait for a free connection; with the spare ones it is never needed."""

KEEP_S = 15.0
"""Seconds that an idle connection is kept: shorter than usual servers keep theirs."""

_DIRECT = {"all://localhost": None, "all://127.0.0.1": None, "all://[::1]": None}
"""Never through a proxy of the environment."""


class NoFreeConnection(WorkError):
    """Nothing was sent, because all connections of this process were in use: our own fault, not an attempt."""


class Connections:
    """Lends one connection per call, at most `slots` at once; the last one given back is lent first, it is warm."""

    def __init__(self, slots: int) -> None:
        """Connect nothing yet; pools are made as they are needed."""
        self._slots = slots
        self._made = 0
        self._free: list[httpx2.AsyncClient] = []
        self._pools = AsyncExitStack()
        _trusted()  # now, not on the loop while the first calls wait: they would go out in a clump behind it
        # At debug level these libraries log headers of replies, and platforms repeat keys in those.
        for name in ("httpcore2", "httpx2"):
            logging.getLogger(name).setLevel(logging.WARNING)

    @contextmanager
    def lend(self) -> Iterator[httpx2.AsyncClient]:
        """Give a client that has a connection free; raises NoFreeConnection when more than the slots are wanted."""
        if not self._free:
            self._grow()
        client = self._free.pop()
        try:
            yield client
        finally:
            self._free.append(client)

    async def close(self) -> None:
        """Close all connections."""
        self._free.clear()
        await self._pools.aclose()

    def _grow(self) -> None:
        """Make one more pool."""
        wanted = min(POOL_SIZE, self._slots - self._made)
        if wanted <= 0:
            text = f"All {self._slots} connections of this process are in use; nothing was sent."
            raise NoFreeConnection("no_free_connection", text, slots=self._slots)
        client = _client(wanted + SPARE)
        self._pools.push_async_callback(client.aclose)
        self._made += wanted
        self._free += [client] * wanted


def _client(most: int) -> httpx2.AsyncClient:
    """Return one pool: no redirects, no cookies."""
    return httpx2.AsyncClient(
        verify=_trusted(),
        limits=httpx2.Limits(max_connections=most, max_keepalive_connections=most, keepalive_expiry=KEEP_S),
        mounts=_DIRECT,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        headers={"user-agent": "answerwatch", "accept-encoding": "gzip, deflate"},
        follow_redirects=False,
    )


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    """Return the certificates to trust, read once: reading them takes longer than a call."""
    return httpx2.create_ssl_context()
