"""Servers that misbehave byte by byte, for the tests of the sender."""

import asyncio
import contextlib
import gzip
import json
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable

from tests.unit.platforms.replies import chat_body

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

ANSWER = json.dumps(chat_body()).encode()


async def read_request(reader: asyncio.StreamReader) -> bytes:
    """The head and the body of one request, b"" when the client has gone."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""
    length = next(
        int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
    )
    return head + await reader.readexactly(length)


def whole(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """A complete response."""
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def always(response: bytes) -> Handler:
    """A server that gives the same bytes to every request, on connections that are kept."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await read_request(reader):
            writer.write(response)
            await writer.drain()

    return handle


def chunked_forever(piece: bytes, pause_s: float) -> Handler:
    """A server that sends one piece of a body after the other, without end."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        while True:
            writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await writer.drain()
            await asyncio.sleep(pause_s)

    return handle


async def blank_lines_first(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Some blank lines, as a sign of life, then the answer."""
    await read_request(reader)
    writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    for piece in (b"\n", b"\n", b"\r\n", ANSWER):
        writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Takes the request and never says a word."""
    await read_request(reader)
    await reader.read()


async def silent_after_headers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Sends headers and half a body, then nothing."""
    await read_request(reader)
    writer.write(b'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"choices"')
    await writer.drain()
    await reader.read()


def reset_after(sent: bytes) -> Handler:
    """Sends some bytes, then cuts the connection with a TCP reset."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(sent)
        await writer.drain()
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return handle


def bomb(size: int) -> Handler:
    """A server whose reply unpacks to `size` bytes."""
    return always(whole(gzip.compress(b"a" * size), "content-encoding: gzip"))


@contextlib.asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    """A server on this machine; gives its base URL."""

    async def guarded(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            await handler(reader, writer)
        writer.close()

    server = await asyncio.start_server(guarded, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.close()
