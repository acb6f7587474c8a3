"""A wire between workers and their database that can be cut: also right after a COMMIT went through.

Then the server has committed and the client sees a dead connection: it cannot know what became of its transaction.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

COMMIT = b"COMMIT"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Proxy:
    """Passes bytes on; everything happens on its own loop, in a thread."""

    target: int
    port: int = 0
    cuts: int = 0
    """How many of the next commits lose their answer."""
    spared: int = 0
    """How many commits pass before those."""
    cut: int = 0
    """How many have lost it."""
    commits: int = 0
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    def cut_commits(self, count: int, *, after: int = 0) -> None:
        """Let the next commits through to the server, and none of their answers back."""
        self.spared, self.cuts = after, count

    async def serve(self, ready: threading.Event, stop: asyncio.Event) -> None:
        """Listen until told to stop."""
        server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await stop.wait()
        server.close()
        for writer in list(self._open):
            writer.close()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        self._open |= {writer, there[1]}
        dead = asyncio.Event()
        asks = asyncio.create_task(self._pass(reader, there[1], dead, asking=True))
        answers = asyncio.create_task(self._pass(there[0], writer, dead, asking=False))
        # A proxy that ends cancels this; streams would print it.
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([asks, answers], return_when=asyncio.FIRST_COMPLETED)
        for task in (asks, answers):
            task.cancel()
        for each in (writer, there[1]):
            self._open.discard(each)
            each.close()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, dead: asyncio.Event, *, asking: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if asking and COMMIT in data and self._take():
                    dead.set()
                if not asking and dead.is_set():
                    self.cut += 1
                    return
                writer.write(data)
                await writer.drain()

    def _take(self) -> bool:
        """Tell whether this commit is to lose its answer."""
        self.commits += 1
        if self.cuts and self.spared:
            self.spared -= 1
        elif self.cuts:
            self.cuts -= 1
            return True
        return False


@contextmanager
def proxy_to(port: int) -> Iterator[Proxy]:
    """Run a proxy to a port of this machine."""
    proxy, ready = Proxy(port), threading.Event()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    def serve() -> None:
        loop.run_until_complete(proxy.serve(ready, stop))
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    thread = threading.Thread(target=serve, name="proxy", daemon=True)
    thread.start()
    ready.wait()
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
