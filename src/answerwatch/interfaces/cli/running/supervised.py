"""A worker's side of its crew, `workspace/running/crew.py`: obey standard input, report on standard output."""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from contextlib import suppress

from answerwatch.interfaces.cli.exit_codes import NOT_REACHABLE
from answerwatch.interfaces.cli.running.interrupts import Interrupts

STDIN = 0
STDOUT = 1


def obey(stop: Interrupts) -> None:
    """Pass on, from now on, what the crew asks for; when the crew is gone, stop."""
    if os.name == "posix" and stat.S_ISFIFO(os.fstat(STDOUT).st_mode):
        os.set_blocking(STDOUT, False)  # a crew that has stopped reading must not stop the loop
    threading.Thread(target=_follow, args=(stop,), name="answerwatch-crew", daemon=True).start()


def _follow(stop: Interrupts) -> None:
    from answerwatch.workspace.running.crew import END_WITHIN_S, HURRY  # noqa: PLC0415 - keeps --help quick

    # Not sys.stdin: its lock, held by a thread that waits, would break the end of the process.
    while word := os.read(STDIN, 64):
        stop.ask(urgent=HURRY in word)
    stop.ask()
    # The crew is gone and kills nobody any more: a loop that hangs would live for ever.
    time.sleep(END_WITHIN_S)
    os._exit(NOT_REACHABLE)


def report(in_hand: int) -> None:
    """Tell the crew that the loop is alive; called by the loop itself."""
    # A full pipe: the crew has slept, and the next line will do. A closed one: standard input has ended as well.
    with suppress(OSError):
        os.write(STDOUT, b"%d\n" % in_hand)


def command_of(queues: tuple[str, ...], slots: int | None) -> list[str]:
    """Return the command that starts one worker of a crew."""
    # -P: a file beside the workspace that is called like a module must not be taken for it.
    command = [sys.executable, "-P", "-m", "answerwatch", "worker", "--supervised", "--queues", ",".join(queues)]
    return command if slots is None else [*command, "--slots", str(slots)]
