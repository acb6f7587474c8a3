"""What is refused before a request is read: bodies that are too large, hosts that are not ours."""

from __future__ import annotations

import json
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from answerwatch.interfaces.api.problems import MEDIA_TYPE

MOST_BYTES = 64 * 2**20
"""Of a body: two lists of a million short sentences."""


class BodyLimit:
    """Counts the bytes of each body as they come, whatever its length was said to be."""

    def __init__(self, app: ASGIApp, most: int = MOST_BYTES) -> None:
        """Let at most so many bytes through to an app."""
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, with 413 where its body is too large."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = await self._read(receive)
        if body is None:
            await _too_large(send, self._most)
            return
        await self._app(scope, _replayed(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """Return the whole body; None for one that is too large."""
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return b"".join(parts)
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self._most:
                return None
            if not message.get("more_body"):
                return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _too_large(send: Send, most: int) -> None:
    problem: dict[str, Any] = {
        "type": "urn:answerwatch:problem:too_large", "title": "too_large", "status": 413,
        "detail": f"The body has more than {most} bytes; hand the lists in as several jobs.", "params": {"most": most},
    }  # fmt: skip
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(problem).encode()})
