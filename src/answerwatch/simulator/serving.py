"""Two ways to run a simulator without an event loop of one's own: in a thread, and as the main thing of a process."""

import asyncio
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from answerwatch.simulator.errors import SimulatorError
from answerwatch.simulator.script import Script
from answerwatch.simulator.server import Simulator

T = TypeVar("T")
_START_SECONDS = 30.0


class SimulatorThread:
    """A simulator in a background thread, as a context manager.

    Example: `with SimulatorThread(seed=7) as sim: ask(sim.base_url + "/v1/chat/completions")`.
    """

    def __init__(
        self,
        script: Script | None = None,
        seed: int | None = None,
        log_path: Path | None = None,
        *,
        port: int = 0,
    ) -> None:
        """Keep what is needed; nothing runs before `with`."""
        self._script = script
        self._seed = seed
        self._log_path = log_path
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="simulator", daemon=True)
        self._simulator: Simulator | None = None
        # `http://127.0.0.1:port`, without a path.
        self.base_url = ""

    def __enter__(self) -> Self:
        """Start thread and server; the port is open when this returns."""
        self._thread.start()
        try:
            self._simulator = Simulator(self._script, self._seed, self._log_path)
            port = asyncio.run_coroutine_threadsafe(self._simulator.start(port=self._port), self._loop).result(
                _START_SECONDS
            )
        except BaseException:
            # Whatever it was (a taken port, an interrupt), the thread must not be left running.
            self._end_thread()
            raise
        self.base_url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop server and thread."""
        try:
            asyncio.run_coroutine_threadsafe(self._running().stop(), self._loop).result(_START_SECONDS)
        finally:
            self._end_thread()

    def calls(self) -> list[dict[str, object]]:
        """Return the log, oldest call first; unfinished calls have `ended` None."""
        return self._in_loop(self._running().calls)

    def reset(self) -> None:
        """Forget all counts, bucket levels and log records in memory."""
        self._in_loop(self._running().reset)

    def use(self, script: Script) -> None:
        """Replace the script for all further requests; counts stay."""
        simulator = self._running()
        self._in_loop(lambda: simulator.use(script))

    def windows(self, rate: float, capacity: float) -> dict[str, float]:
        """Return by profile how many calls the fullest window exceeds `capacity + rate * seconds`."""
        simulator = self._running()
        return self._in_loop(lambda: simulator.windows(rate, capacity))

    def _running(self) -> Simulator:
        """Return the simulator, or say that it does not run."""
        if self._simulator is None:
            raise SimulatorError("the simulator does not run; use it inside `with SimulatorThread(...) as simulator:`")
        return self._simulator

    def _in_loop(self, action: Callable[[], T]) -> T:
        """Run something in the simulator's own thread: nothing of it is made for two threads at once."""

        async def run() -> T:
            return action()

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(_START_SECONDS)

    def _end_thread(self) -> None:
        """Stop the loop and wait for the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def serve(simulator: Simulator, *, host: str, port: int, on_ready: Callable[[int], None]) -> None:
    """Run a simulator until SIGINT or SIGTERM; call from the main thread.

    `on_ready` gets the port once it is open. Raises BindError and OSError as Simulator.start does. Nothing is printed.
    """
    asyncio.run(_serve(simulator, host, port, on_ready))


async def _serve(simulator: Simulator, host: str, port: int, on_ready: Callable[[int], None]) -> None:
    """Start, wait for a signal, stop."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    try:
        on_ready(await simulator.start(host, port))
        await ended.wait()
    finally:
        await simulator.stop()
