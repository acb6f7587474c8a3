"""A crew: several worker processes, and what watches over them so that one that dies or hangs is replaced.

```
crew --"stop", "hurry", end of input--> standard input  of a worker
crew <--------tasks in hand------------ standard output of a worker, from its loop, twice a second
```
A worker whose crew is gone, also by kill -9, reads the end of its input and stops by itself. That works on every
system, and nothing of ours has to know a process id.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, NamedTuple

from answerwatch.scorers.cores import cores, limited
from answerwatch.workspace.running.stopping import Stop, UrgentStop

STOP = b"stop\n"
"""Asks a worker to let its work end well."""
HURRY = b"hurry\n"
"""Asks a worker not to wait for its work."""

FIRST_PAUSE_S = 1.0
"""Seconds before a process that died is replaced; each further death doubles them."""
LONGEST_PAUSE_S = 30.0
GOOD_WHILE_S = 60.0
"""A process that lived so long did well: if it dies, the pauses begin again with the first."""

LOOK_EVERY_S = 0.1
"""Seconds between two looks at the processes and at the wish to stop."""

END_WITHIN_S = 90.0
"""A worker ends so many seconds after it was asked to, or it is killed: 10 for its calls, 60 for a database that is
away, and some more."""

LONGEST_LINE = 64
"""Bytes of a worker's report at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a crew waits for its workers."""

    end_within_s: float = END_WITHIN_S
    hung_s: float = 60.0
    """A loop without a sign of life for so long hangs, and its process is ended; twice what a lease lasts usually."""
    start_within_s: float = 300.0
    """Until the first sign of life; many processes that start at once on a busy machine take their time."""
    kill_after_s: float = 10.0
    """A process that hangs has so long to end by itself before it is killed."""
    asleep_s: float = 5.0
    """A crew that did not look for so long was stopped itself, and has not heard what its workers said meanwhile."""


class Pulse:
    """The last sign of life of a worker's loop; threads may share it."""

    def __init__(self) -> None:
        """Begin without any."""
        self._last: tuple[float, int] | None = None

    def beat(self, in_hand: int) -> None:
        """Note that the loop is alive, and how many tasks it has in hand."""
        self._last = time.monotonic(), in_hand

    @property
    def silent_s(self) -> float | None:
        """Return the seconds since the last sign of life; None before the first."""
        return None if self._last is None else time.monotonic() - self._last[0]

    @property
    def in_hand(self) -> int | None:
        """Return how many tasks were in hand then; None before the first."""
        return None if self._last is None else self._last[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One place in a crew as it is now."""

    number: int
    """From 1."""
    pid: int | None
    """None: its process died, the next one has not started yet."""
    since: datetime | None
    """When this process was started; None where there is none."""
    restarts: int
    """How many processes died here."""
    in_hand: int | None
    """Tasks claimed and not settled; None: it has not told yet."""
    silent_s: float | None
    """Seconds since its loop gave a sign of life; None: it has given none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallen:
    """A process that ended, and was not asked to by who runs the crew."""

    number: int
    pid: int | None
    """None: it could not even be started."""
    code: int
    """Its exit code; of a signal the negative number, as `subprocess` has it."""
    pause_s: float
    """After so many seconds the next one is started."""
    silent_s: float | None
    """It hung: it was ended because it had given no sign of life for so long. None: it ended by itself."""


def next_pause(before_s: float | None, lived_s: float) -> float:
    """Return how long to wait before a process is replaced.

    >>> next_pause(None, 0.5), next_pause(1.0, 0.5), next_pause(16.0, 0.5), next_pause(30.0, 3600.0)
    (1.0, 2.0, 30.0, 1.0)
    """
    if before_s is None or lived_s >= GOOD_WHILE_S:
        return FIRST_PAUSE_S
    return min(2 * before_s, LONGEST_PAUSE_S)


NOT_STARTED = 126
"""Stands for the exit code of a process that the system would not start; shells say it so."""


class _Hanging(NamedTuple):
    """A process that is being ended because it hangs."""

    silent_s: float
    """How long it had been silent when that was noticed."""
    end_s: float
    """When it is killed, on the monotonic clock."""


class _Place:
    """One place in the crew: the process that holds it now, and what became of those before."""

    def __init__(self, number: int, command: Sequence[str], threads: int, patience: Patience) -> None:
        self.number = number
        self.restarts = 0
        self._command = command
        self._threads = threads
        self._patience = patience
        self._hangs: _Hanging | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._pulse = Pulse()
        self._since: datetime | None = None
        self._started_s = 0.0
        self._due_s = 0.0
        self._pause_s: float | None = None

    def member(self) -> Member:
        process, pulse = self._process, self._pulse
        return Member(
            number=self.number,
            pid=None if process is None else process.pid,
            since=None if process is None else self._since,
            restarts=self.restarts,
            in_hand=pulse.in_hand,
            silent_s=pulse.silent_s,
        )

    def turn(self, awake_s: float) -> Fallen | None:
        """Start what is due, end what hangs; return what fell since the last turn.

        The crew has been listening for `awake_s`; it knows of no longer silence.
        """
        if self._process is None:
            return self._start() if time.monotonic() >= self._due_s else None
        code = self._process.poll()
        if code is not None:
            return self._fell(code)
        self._end_if_hung(self._process, awake_s)
        return None

    def _end_if_hung(self, process: subprocess.Popen[bytes], awake_s: float) -> None:
        if self._hangs is not None:
            if time.monotonic() > self._hangs.end_s:
                process.kill()
            return
        silent_s, most_s = self._pulse.silent_s, self._patience.hung_s
        if silent_s is None:
            silent_s, most_s = time.monotonic() - self._started_s, self._patience.start_within_s
        if min(silent_s, awake_s) > most_s:
            self._hangs = _Hanging(silent_s, time.monotonic() + self._patience.kill_after_s)
            process.terminate()

    def _start(self) -> Fallen | None:
        self._pulse, self._since, self._started_s = Pulse(), datetime.now(UTC), time.monotonic()
        try:
            # A session of its own: Ctrl-C and a closed terminal reach the crew alone, which then asks in order.
            with limited(self._threads):
                self._process = subprocess.Popen(  # noqa: S603 - the caller's own words, no shell
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
                )
        except OSError:
            return self._fell(NOT_STARTED)
        reader = threading.Thread(target=_listen, args=(self._process.stdout, self._pulse), daemon=True)
        reader.start()
        return None

    def _fell(self, code: int) -> Fallen:
        pid = None if self._process is None else self._process.pid
        self._let_go()
        self.restarts += 1
        self._pause_s = next_pause(self._pause_s, time.monotonic() - self._started_s)
        self._due_s = time.monotonic() + self._pause_s
        silent_s = None if self._hangs is None else self._hangs.silent_s
        self._pulse, self._hangs = Pulse(), None
        return Fallen(number=self.number, pid=pid, code=code, pause_s=self._pause_s, silent_s=silent_s)

    def _let_go(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None

    def ask(self, word: bytes) -> None:
        """Write to the process, if there is one that listens."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):  # it has just ended
                self._process.stdin.write(word)

    def ended(self) -> bool | None:
        """Return whether the process that was asked to end ended well; None while it runs."""
        if self._process is None:
            return True
        code = self._process.poll()
        return None if code is None else code == 0

    def kill(self) -> None:
        """End the process, if there is one, without asking."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._let_go()


def _listen(reports: IO[bytes], pulse: Pulse) -> None:
    """Take what a worker reports until it ends."""
    with reports:
        while line := reports.readline(LONGEST_LINE):
            with suppress(ValueError):  # a word of some library, printed where only reports belong
                pulse.beat(int(line))


class Crew:
    """Worker processes that are kept at work; runs once."""

    def __init__(self, command: Sequence[str], processes: int, patience: Patience = Patience()) -> None:
        """Start nothing yet; `command` is what starts one worker that obeys the words of this module.

        Workers share the processors for what computes in them: models would else take them all in each.
        """
        self._patience = patience
        threads = max(1, cores() // processes)
        self._places = [_Place(number, command, threads, patience) for number in range(1, processes + 1)]
        self._awake_since_s = self._looked_s = time.monotonic()

    def members(self) -> tuple[Member, ...]:
        """Return every place as it is now; from any thread."""
        return tuple(place.member() for place in self._places)

    def run(self, stop: Stop, tell: Callable[[Fallen], None]) -> bool:
        """Keep all places filled until `stop` is set, then let all workers end; return whether they ended well.

        Whatever ends this, no worker outlives it.
        """
        try:
            while not stop.is_set():
                self._fill(tell)
                stop.wait(LOOK_EVERY_S)
            return self._wind_down(stop)
        finally:
            for place in self._places:
                place.kill()

    def _fill(self, tell: Callable[[Fallen], None]) -> None:
        before_s, self._looked_s = self._looked_s, time.monotonic()
        if self._looked_s - before_s > self._patience.asleep_s:
            self._awake_since_s = self._looked_s
        for place in self._places:
            fallen = place.turn(self._looked_s - self._awake_since_s)
            if fallen is not None:
                tell(fallen)

    def _wind_down(self, stop: Stop) -> bool:
        self._ask(STOP)
        end, hurried = time.monotonic() + self._patience.end_within_s, False
        while None in (ended := [place.ended() for place in self._places]):
            if time.monotonic() > end:
                return False
            if not hurried and isinstance(stop, UrgentStop) and stop.is_urgent():
                self._ask(HURRY)
                hurried = True
            time.sleep(LOOK_EVERY_S)
        return all(ended)

    def _ask(self, word: bytes) -> None:
        for place in self._places:
            place.ask(word)
