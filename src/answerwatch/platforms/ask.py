"""One call to a platform, from the question to an answer or a classified failure."""

from __future__ import annotations

from typing import Protocol

from answerwatch.domain.answers import Ask, Received, Reply
from answerwatch.platforms.records import HttpCall, Surface


class Sends(Protocol):
    """What is needed to send a call: `sender.Sender`, or a stand-in in tests."""

    async def send(self, call: HttpCall, surface: Surface, *, within_s: float | None = None) -> Reply:
        """Send one request once and return what came back."""


async def ask(question: Ask, surface: Surface, sender: Sends, *, within_s: float | None = None) -> Received:
    """Ask one question once and return what came of it; platform trouble is returned, not raised.

    `within_s` shortens the surface's deadline, for example to the end of the batch.
    Raises MissingKey (a ConfigurationError) or NoFreeConnection when nothing could be sent: neither is an attempt.
    """
    raise NotImplementedError
