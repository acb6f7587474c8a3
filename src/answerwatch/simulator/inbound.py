"""Reads HTTP/1.1 requests from a connection, with bounded sizes."""

import asyncio
import time
from dataclasses import dataclass

from answerwatch.simulator.errors import RequestError

MAX_HEAD = 64 * 1024
MAX_BODY = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """One request; header names are lower case, `arrived` is monotonic seconds when the headers were complete."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes
    arrived: float

    @property
    def keep_alive(self) -> bool:
        """Say whether the client wants to send another request over this connection."""
        return self.headers.get("connection", "").lower() != "close"

    @property
    def api_key(self) -> str:
        """Return the bearer key, or an empty string when there is none."""
        scheme, _, key = self.headers.get("authorization", "").partition(" ")
        return key.strip() if scheme.lower() == "bearer" else ""


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """Return the next request, or None when the client has closed the connection in good order.

    Raises RequestError for what cannot be read and asyncio.IncompleteReadError when the client leaves half-way.
    """
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as stop:
        if stop.partial.strip():
            raise
        return None
    except asyncio.LimitOverrunError as excess:
        raise RequestError(431, f"headers are larger than {MAX_HEAD} bytes") from excess
    arrived = time.monotonic()
    method, target, headers = _parse_head(head)
    path, _, query = target.partition("?")
    body = await reader.readexactly(_body_length(headers))
    return Request(method, path, query, headers, body, arrived)


def _parse_head(head: bytes) -> tuple[str, str, dict[str, str]]:
    """Split request line and headers."""
    first, *lines = head.decode("latin-1").split("\r\n")
    parts = first.split(" ")
    if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
        raise RequestError(400, f"not an HTTP/1.1 request line: {first[:80]!r}")
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    return parts[0], parts[1], headers


def _body_length(headers: dict[str, str]) -> int:
    """Return the announced body size, 0 when none is announced."""
    if "transfer-encoding" in headers:
        raise RequestError(411, "send the body with a content-length; chunked requests are not read")
    text = headers.get("content-length", "0")
    if not text.isascii() or not text.isdigit():
        raise RequestError(400, f"content-length is not a number: {text[:40]!r}")
    if int(text) > MAX_BODY:
        raise RequestError(413, f"the body is larger than {MAX_BODY} bytes")
    return int(text)
