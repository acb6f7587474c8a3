"""One call to a platform, from the question to an answer or a classified failure."""

from __future__ import annotations

from typing import Protocol

from answerwatch.domain.answers import Ask, Received, Reply
from answerwatch.errors import UsageError
from answerwatch.platforms.envelope import Envelope, decode, encode
from answerwatch.platforms.families import ADAPTERS
from answerwatch.platforms.records import HttpCall, PlatformAdapter, Surface


class Sends(Protocol):
    """What is needed to send a call: `sender.Sender`, or a stand-in in tests."""

    async def send(self, call: HttpCall, surface: Surface, *, within_s: float | None = None) -> Reply:
        """Send one request once and return what came back, secrets already taken out."""


async def ask(question: Ask, surface: Surface, sender: Sends, *, within_s: float | None = None) -> Received:
    """Ask one question once and return what came of it; platform trouble is returned, not raised.

    `within_s` shortens the surface's deadline, for example to the end of the batch.
    Raises MissingKey (a ConfigurationError) or NoFreeConnection when nothing could be sent: neither is an attempt.
    """
    adapter = adapter_of(surface)
    reply = await sender.send(adapter.request(question, surface), surface, within_s=within_s)
    return adapter.read(reply, surface)


def evidence(question: Ask, surface: Surface, reply: Reply) -> tuple[bytes, str]:
    """Return the payload to keep of an exchange, and the SHA-256 of the body in it."""
    return encode(adapter_of(surface).request(question, surface), reply)


def adopt(payload: bytes, surface: Surface) -> tuple[Envelope, Received]:
    """Read a kept payload as if its reply had just arrived.

    Raises EvidenceDamaged when the payload is not what was kept.
    """
    envelope = decode(payload)
    return envelope, adapter_of(surface).read(envelope.reply, surface)


def adapter_of(surface: Surface) -> PlatformAdapter:
    """Return the adapter of the surface's family; raises UsageError when it cannot be collected yet."""
    adapter = ADAPTERS.get(surface.family)
    if adapter is None:
        text = (
            f"Platform {surface.name} speaks the protocol {surface.family!r}, which cannot be collected yet; "
            f"choose one of the family {', '.join(ADAPTERS)}, or import its answers."
        )
        raise UsageError("platform_not_collectable", text, platform=surface.name, family=surface.family)
    return adapter
