"""What goes over the wire: replies as lists of steps, and the connection that carries them out."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus

from answerwatch.simulator.answers import Answer


class Act(Enum):
    """A step that is neither sending nor waiting."""

    # Say nothing more until the client gives up.
    SILENCE = auto()
    # Drop the connection with a TCP reset.
    RESET = auto()
    # Close the connection in good order.
    CLOSE = auto()


# Bytes are sent, a number is a pause in seconds.
Step = bytes | float | Act
Headers = tuple[tuple[str, str], ...]
Connected = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

JSON = "application/json"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A reply, worked out before the first byte is sent."""

    # Status of the reply as the client will see it; None when it never sees one.
    status: int | None
    steps: Iterable[Step]
    # The platform works on an answer first, which takes the profile's latency.
    works: bool = False
    # The steps end with a whole response body.
    complete: bool = True
    # The answer that was written for this call, delivered or not.
    answer: Answer | None = None


@dataclass(slots=True)
class Sent:
    """How carrying out a plan went."""

    size: int = 0
    # All steps were done and the connection still stood.
    whole: bool = False
    # The connection can take another request.
    open: bool = False


def http_head(status: int, *, length: int | None, content_type: str = JSON, headers: Headers = ()) -> bytes:
    """Return status line and headers; without a length the body is announced as chunked."""
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "Overloaded"
    size = "transfer-encoding: chunked" if length is None else f"content-length: {length}"
    extra = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {status} {phrase}\r\ncontent-type: {content_type}\r\n{size}\r\n{extra}\r\n".encode()


def http_reply(status: int, body: bytes, *, content_type: str = JSON, headers: Headers = ()) -> bytes:
    """Return a whole response with the right length."""
    return http_head(status, length=len(body), content_type=content_type, headers=headers) + body


def chunk(data: bytes) -> bytes:
    """Return one piece of a chunked body; the empty piece ends it."""
    return b"%x\r\n%s\r\n" % (len(data), data)


class Line(asyncio.StreamReaderProtocol):
    """One connection of a client, which notices at once when the client is gone."""

    def __init__(self, reader: asyncio.StreamReader, connected: Connected) -> None:
        """Wrap the stream protocol of the standard library."""
        super().__init__(reader, connected)
        self.gone = asyncio.Event()

    def eof_received(self) -> bool:
        """Note that the client will say nothing more: it closed, or its process died."""
        self.gone.set()
        super().eof_received()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection no longer exists."""
        self.gone.set()
        super().connection_lost(exc)


async def pause(seconds: float, gone: asyncio.Event) -> None:
    """Wait, but no longer than the client does."""
    if seconds <= 0:
        return
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await gone.wait()


def reset(writer: asyncio.StreamWriter) -> None:
    """Drop the connection so that the client sees a TCP reset instead of an orderly end."""
    sock: socket.socket = writer.get_extra_info("socket")
    # Lingering for zero seconds is what turns a close into a reset.
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def perform(steps: Iterable[Step], writer: asyncio.StreamWriter, gone: asyncio.Event) -> Sent:
    """Carry out the steps until they end or the client leaves."""
    sent = Sent()
    for step in steps:
        if isinstance(step, bytes):
            if gone.is_set():
                return sent
            writer.write(step)
            await writer.drain()
            sent.size += len(step)
        elif isinstance(step, float):
            await pause(step, gone)
        else:
            await _act(step, writer, gone)
            sent.whole = step is Act.CLOSE and not gone.is_set()
            return sent
    sent.whole = sent.open = not gone.is_set()
    return sent


async def _act(act: Act, writer: asyncio.StreamWriter, gone: asyncio.Event) -> None:
    """Fall silent, reset or close."""
    if act is Act.SILENCE:
        await gone.wait()
    elif act is Act.RESET:
        reset(writer)
    else:
        writer.close()
