"""Two ways to run a simulator without an event loop of one's own: in a thread, and as the main thing of a process."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from answerwatch.simulator.errors import SimulatorError
from answerwatch.simulator.script import Script
from answerwatch.simulator.server import Simulator

T = TypeVar("T")
_PATIENCE_S = 30.0


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
        self._loop: asyncio.AbstractEventLoop | None = None
        self._simulator: Simulator | None = None
        # `http://127.0.0.1:port`, without a path.
        self.base_url = ""

    def __enter__(self) -> Self:
        """Start thread and server; the port is open when this returns."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="simulator", daemon=True)
        self._thread.start()
        try:
            simulator = Simulator(self._script, self._seed, self._log_path)
            port = _wait(simulator.start(port=self._port), self._loop)
        except BaseException:
            # Whatever it was (a taken port, an interrupt), the thread must not be left running.
            self._end_thread(self._loop)
            raise
        self._simulator = simulator
        self.base_url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop server and thread."""
        simulator, loop = self._running()
        try:
            _wait(simulator.stop(), loop)
        finally:
            self._end_thread(loop)

    def calls(self) -> list[dict[str, object]]:
        """Return the log, oldest call first; unfinished calls have `ended` None."""
        return self._in_loop(lambda simulator: simulator.calls())

    def reset(self) -> None:
        """Forget all counts, bucket levels and log records in memory."""
        self._in_loop(lambda simulator: simulator.reset())

    def use(self, script: Script) -> None:
        """Replace the script for all further requests; counts stay."""
        self._in_loop(lambda simulator: simulator.use(script))

    def windows(self, rate: float, capacity: float) -> dict[str, float]:
        """Return by profile how many calls the fullest window exceeds `capacity + rate * seconds`."""
        return self._in_loop(lambda simulator: simulator.windows(rate, capacity))

    def scoring(self, profile: str = "default", /, **values: object) -> str:
        """Change how a server of embeddings and scores behaves, and return its base URL; see scoring/behaviour.py."""
        self._in_loop(lambda simulator: simulator.scoring.change(profile, values))
        return f"{self.base_url}/scoring/{profile}"

    def scoring_calls(self, profile: str = "default") -> list[dict[str, object]]:
        """Return what a server of embeddings and scores was asked, oldest call first."""
        calls = self._in_loop(lambda simulator: simulator.scoring.logged())
        return [call for call in calls if call["profile"] == profile]

    def most_scoring_at_once(self, profile: str = "default") -> int:
        """Return how many calls a server of embeddings and scores had in flight at once at most."""
        return self._in_loop(lambda simulator: simulator.scoring.most_at_once(profile))

    def _running(self) -> tuple[Simulator, asyncio.AbstractEventLoop]:
        """Return simulator and loop, or say that they do not run."""
        if self._simulator is None or self._loop is None:
            raise SimulatorError("the simulator does not run; use it inside `with SimulatorThread(...) as simulator:`")
        return self._simulator, self._loop

    def _in_loop(self, action: Callable[[Simulator], T]) -> T:
        """Run something in the simulator's own thread: nothing of it is made for two threads at once."""
        simulator, loop = self._running()

        async def run() -> T:
            return action(simulator)

        return _wait(run(), loop)

    def _end_thread(self, loop: asyncio.AbstractEventLoop) -> None:
        """Stop the loop and wait for the thread."""
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join()
        loop.close()
        self._simulator = self._loop = None


def _wait(work: Coroutine[object, object, T], loop: asyncio.AbstractEventLoop) -> T:
    """Run a coroutine in the loop of another thread and return its result."""
    return asyncio.run_coroutine_threadsafe(work, loop).result(_PATIENCE_S)


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
