"""A crew of processes: the dead are replaced, nobody outlives it. The processes here are stand-ins for workers."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from answerwatch.scorers.cores import cores
from answerwatch.workspace.running.crew import NOT_STARTED, Crew, Fallen, Member, Patience
from tests.integration.workspace.test_many_processes import wait_for

OBEDIENT = "print(3, flush=True); input()"
DEAF = "print(3, flush=True); import time; time.sleep(600)"
HASTY = "print(3, flush=True); input(); input()"
"""Ends at the second word only."""


STUCK = """
import signal, sys, time
signal.signal(signal.SIGTERM, {on_term})
{first}
time.sleep(600)
"""
"""Gives one sign of life, or none, and is stuck for good."""


class Wish:
    """A wish to stop that the test sets."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.urgent = threading.Event()

    def is_set(self) -> bool:
        return self.event.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        return self.event.wait(timeout)

    def is_urgent(self) -> bool:
        return self.urgent.is_set()


@dataclass
class Watched:
    """A crew at work in a thread of the test."""

    crew: Crew
    stop: Wish = field(default_factory=Wish)
    fallen: list[Fallen] = field(default_factory=list)
    ended_well: list[bool] = field(default_factory=list)

    def all_at_work(self) -> bool:
        return all(member.in_hand is not None for member in self.crew.members())

    def at_work(self) -> tuple[Member, ...]:
        wait_for(self.all_at_work)
        return self.crew.members()


@contextmanager
def watched(code: str, processes: int = 2, patience: Patience = Patience()) -> Iterator[Watched]:  # noqa: B008 - frozen
    crew = Crew([sys.executable, "-I", "-S", "-c", code], processes, patience)
    one = Watched(crew)
    thread = threading.Thread(target=lambda: one.ended_well.append(crew.run(one.stop, one.fallen.append)))
    thread.start()
    try:
        yield one
    finally:
        one.stop.event.set()
        thread.join()


def test_a_process_that_dies_is_replaced_and_the_others_are_left_alone(tmp_path: Path) -> None:
    first = tmp_path / "first"
    code = f"""
import os, sys
print(3, flush=True)
try:
    os.mkdir({str(first)!r})
except FileExistsError:
    input()
else:
    while not os.path.exists({str(first / "die")!r}): pass
    sys.exit(3)
"""
    with watched(code) as crew:
        before = crew.at_work()
        (first / "die").touch()
        wait_for(lambda: bool(crew.fallen))
        wait_for(lambda: any(member.restarts for member in crew.at_work()))
        after = crew.at_work()

    (fallen,) = crew.fallen
    lost = before[fallen.number - 1]
    assert (fallen.pid, fallen.code, fallen.pause_s, fallen.silent_s) == (lost.pid, 3, 1.0, None)
    assert [member.restarts for member in after if member.number != fallen.number] == [0]
    assert {member.pid for member in before} - {member.pid for member in after} == {fallen.pid}
    assert crew.ended_well == [True]


def test_workers_share_the_processors_for_what_computes_in_them(tmp_path: Path) -> None:
    code = f"""
import os
open(os.path.join({str(tmp_path)!r}, str(os.getpid())), "w").write(os.environ["OMP_NUM_THREADS"])
{OBEDIENT}
"""
    with watched(code, processes=2) as crew:
        crew.at_work()
    told = [file.read_text() for file in tmp_path.iterdir()]
    assert told == [str(max(1, cores() // 2))] * 2


def test_who_does_not_listen_is_killed_in_the_end() -> None:
    with watched(DEAF, patience=Patience(end_within_s=0.2)) as crew:
        crew.at_work()
    assert crew.ended_well == [False]


SAYS = "print(3, flush=True)"


@pytest.mark.parametrize(
    ("first", "on_term", "code"),
    [
        (SAYS, "signal.SIG_DFL", -signal.SIGTERM),
        (SAYS, "signal.SIG_IGN", -signal.SIGKILL),
        ("", "signal.SIG_DFL", -signal.SIGTERM),
    ],
    ids=["hangs", "hangs and does not listen", "hangs before its first sign of life"],
)
def test_a_process_that_hangs_is_ended_and_replaced(first: str, on_term: str, code: int) -> None:
    stuck = STUCK.format(first=first, on_term=on_term)
    start_within_s = 60.0 if first else 0.5
    patience = Patience(hung_s=0.5, start_within_s=start_within_s, kill_after_s=0.2, end_within_s=0.2)
    with watched(stuck, 1, patience) as crew:
        wait_for(lambda: crew.crew.members()[0].pid is not None)
        (hung,) = crew.crew.members()
        wait_for(lambda: crew.crew.members()[0].restarts == 1 and crew.crew.members()[0].pid is not None)

    fallen = crew.fallen[0]
    assert (fallen.pid, fallen.code) == (hung.pid, code)
    assert fallen.silent_s is not None
    assert fallen.silent_s > 0.5


class Drowsy(Wish):
    """The wish of somebody who is stopped for a while between any two looks, ten times."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    def wait(self, timeout: float | None = None) -> bool:
        self.looks += 1
        return self.looks == 10 or super().wait(max(0.2, timeout or 0.0))

    def is_set(self) -> bool:
        return self.looks >= 10


def test_a_crew_that_was_stopped_itself_calls_no_worker_hung() -> None:
    crew = Crew([sys.executable, "-I", "-S", "-c", OBEDIENT], 1, Patience(hung_s=0.5, start_within_s=0.5, asleep_s=0.1))
    fallen = list[Fallen]()

    assert crew.run(Drowsy(), fallen.append)
    assert fallen == []


def test_a_wish_that_becomes_urgent_is_passed_on() -> None:
    with watched(HASTY) as crew:
        crew.at_work()
        crew.stop.event.set()
        crew.stop.urgent.set()
    assert crew.ended_well == [True]


def test_all_end_when_watching_is_cut_short() -> None:
    crew = Crew([sys.executable, "-I", "-S", "-c", OBEDIENT.replace("input()", "1 / 0")], 2)

    def give_up(_: Fallen) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crew.run(Wish(), give_up)
    assert [member.pid for member in crew.members()] == [None, None]


def test_a_command_that_cannot_be_started_is_told_and_tried_again(tmp_path: Path) -> None:
    crew, stop, fallen = Crew([str(tmp_path / "missing")], 1), Wish(), list[Fallen]()

    def tell(one: Fallen) -> None:
        fallen.append(one)
        if len(fallen) == 2:
            stop.event.set()

    assert crew.run(stop, tell)
    assert [(one.pid, one.code, one.pause_s) for one in fallen] == [(None, NOT_STARTED, 1.0), (None, NOT_STARTED, 2.0)]
