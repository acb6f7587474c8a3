"""Server-sent events about something that moves on until it is at its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from answerwatch.domain.plain import to_plain
from answerwatch.errors import ServiceError
from answerwatch.workspace.files.as_json import json_bytes
from answerwatch.workspace.running.stopping import Stop

LOOK_EVERY_S = 1.0
MEDIA_TYPE = "text/event-stream"

T = TypeVar("T")


def followed(look: Callable[[], T], is_done: Callable[[T], bool], stop: Stop) -> StreamingResponse:
    """Return a stream of what `look` gives, told whenever it changed, until it is done or the server is to stop.

    Raises what the first look raises. Between two looks no thread is held, so that many may follow.
    """
    return StreamingResponse(_events(look(), look, is_done, stop), media_type=MEDIA_TYPE)


async def _events(now: T, look: Callable[[], T], is_done: Callable[[T], bool], stop: Stop) -> AsyncIterator[bytes]:
    yield _event(now)
    while not is_done(now) and not stop.is_set():
        await asyncio.sleep(LOOK_EVERY_S)
        before = now
        try:
            now = await run_in_threadpool(look)
        except ServiceError:  # a busy database is looked at again
            continue
        yield _event(now) if now != before else b": still here\n\n"


def _event(view: object) -> bytes:
    return b"event: progress\ndata: " + json_bytes(to_plain(view)) + b"\n\n"
