"""The server: listens, reads requests and hands them to the reception."""

import asyncio
import contextlib
import ipaddress
from pathlib import Path

from answerwatch.simulator.control import answer_control, is_control, windows
from answerwatch.simulator.errors import BindError, RequestError
from answerwatch.simulator.inbound import MAX_HEAD, read_request
from answerwatch.simulator.log import CallLog
from answerwatch.simulator.plans import message
from answerwatch.simulator.reception import Reception
from answerwatch.simulator.scoring import desk
from answerwatch.simulator.scoring.desk import ScoringDesk
from answerwatch.simulator.script import Script
from answerwatch.simulator.wire import Line, perform

# A burst of new connections must not be refused by the waiting room of the operating system.
_BACKLOG = 2048
_HEAR_OUT_S = 1.0


class Simulator:
    """Fake AI platforms on one port; lives in the event loop that starts it.

    `seed` replaces the script's; `log_path` receives one JSON line per finished call and is appended to. The simulator
    listens on loopback addresses only, unless `allow_remote` is set.
    """

    def __init__(
        self,
        script: Script | None = None,
        seed: int | None = None,
        log_path: Path | None = None,
        *,
        allow_remote: bool = False,
    ) -> None:
        """Prepare everything but the socket; raises OSError when the log cannot be opened."""
        self._log = CallLog(log_path)
        self._reception = Reception(script or Script(), seed, self._log)
        self._allow_remote = allow_remote
        self._server: asyncio.Server | None = None
        self._lines: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Listen and return the port; raises BindError outside of loopback and OSError when the port is taken."""
        if not self._allow_remote and not _is_loopback(host):
            raise BindError(f"{host} can be reached from other machines; allow it explicitly or listen on 127.0.0.1")
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._new_line, host, port, backlog=_BACKLOG)
        bound: int = self._server.sockets[0].getsockname()[1]
        self._reception.other_origin = f"http://localhost:{bound}"
        return bound

    async def stop(self) -> None:
        """Stop listening, drop open connections (their calls are logged as unanswered) and close the log."""
        if self._server is None:
            return
        self._server.close()
        # Not by cancelling: a dropped connection ends its call in the same way as a client that leaves.
        for writer in self._lines.values():
            writer.transport.abort()
        await asyncio.gather(*self._lines, return_exceptions=True)
        await self._server.wait_closed()
        self._server = None
        self._log.close()

    def calls(self) -> list[dict[str, object]]:
        """Return the log, oldest call first; unfinished calls have `ended` None."""
        return self._log.calls()

    @property
    def scoring(self) -> ScoringDesk:
        """Return the servers of embeddings and scores below `/scoring/`."""
        return self._reception.scoring

    def reset(self) -> None:
        """Forget all counts, bucket levels and log records in memory."""
        self._reception.reset()

    def use(self, script: Script) -> None:
        """Replace the script for all further requests; counts stay."""
        self._reception.use(script)

    def windows(self, rate: float, capacity: float) -> dict[str, float]:
        """Return by profile how many calls the fullest window exceeds `capacity + rate * seconds`."""
        return windows(self._reception, rate, capacity)

    def _new_line(self) -> Line:
        """Return the protocol of a new connection."""
        return Line(asyncio.StreamReader(limit=MAX_HEAD), self._serve_line)

    async def _serve_line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until either side ends it."""
        task = asyncio.current_task()
        line = writer.transport.get_protocol()
        if task is None or not isinstance(line, Line):  # Neither can happen; the type checker cannot know.
            return
        self._lines[task] = writer
        # A reply counts as sent when the operating system has it, so nothing may wait in our own buffer.
        writer.transport.set_write_buffer_limits(high=0)
        try:
            await self._converse(reader, writer, line.gone)
        except (ConnectionError, asyncio.IncompleteReadError):
            # The client left in the middle; the log has it already.
            pass
        finally:
            self._lines.pop(task, None)
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gone: asyncio.Event) -> None:
        """Answer requests as long as the connection stays open."""
        keep_open = True
        while keep_open:
            try:
                request = await read_request(reader)
            except RequestError as problem:
                await perform(message(problem.status, str(problem)).steps, writer, gone)
                await _hear_out(reader, writer)
                return
            if request is None:
                return
            if is_control(request):
                keep_open = (await perform((answer_control(request, self._reception),), writer, gone)).open
            elif request.path.startswith(desk.PREFIX):
                keep_open = await self.scoring.handle(request, writer, gone, self._reception.other_origin)
            else:
                keep_open = await self._reception.handle(request, writer, gone)
            keep_open = keep_open and request.keep_alive


async def _hear_out(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take in what a client still sends: closing over unread data is a reset, which would cost it our reply."""
    writer.write_eof()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_HEAR_OUT_S):
            while await reader.read(MAX_HEAD):
                pass


def _is_loopback(host: str) -> bool:
    """Say whether an address can only be reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        # A name may lead anywhere.
        return False
