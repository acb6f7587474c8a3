"""Waiting for a database that is busy or away, and knowing when to stop waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from answerwatch.errors import ServiceError

T = TypeVar("T")

log = structlog.get_logger(__name__)

HOPELESS = frozenset({"store_full", "store_denied"})
"""Codes of errors that waiting does not cure: a person must act."""

SHORTEST_WAIT_S = 0.05
LONGEST_WAIT_S = 2.0


async def patiently(call: Callable[[], Awaitable[T]], patience_s: float) -> T:
    """Return what `call` returns, tried again for `patience_s` while the database is busy or away.

    Raises the last ServiceError when patience is over, and at once when waiting cannot help.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + patience_s
    wait = SHORTEST_WAIT_S
    while True:
        try:
            return await call()
        except ServiceError as error:
            if error.code in HOPELESS or loop.time() + wait > end:
                raise
            log.warning("database_not_ready", error=error.text, wait_s=wait)
        await asyncio.sleep(wait)
        wait = min(2 * wait, LONGEST_WAIT_S)
